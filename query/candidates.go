package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/match"
)

// mostCounted is how many matches are counted; of more it is enough to know that.
const mostCounted = 2000

// WordMatches is a row of a ranked page: the number and the weight of a word, and the
// newest matches that have it. The row after those of the words has the newest matches
// that have all words.
type WordMatches struct {
	Word   int
	Weight string
	IDs    string // with commas between
}

// Candidates are the matches of a ranked plan, ordered by an estimate of their scores: the
// weight of the words that a match is known to have, less if it is long. Lengths are read
// only of those that may be among the first.
type Candidates struct {
	// Found is how many matches there are: some number above 2,000 if there are more
	// than that, and -1 if it is not known.
	Found int

	// Weights are those of the words.
	Weights []float64

	groups []wordGroup // matches whose lengths are not known, those of the largest weight first
	ranked []candidate // the others, best first
}

// A wordGroup is the matches that have the same words.
type wordGroup struct {
	weight float64 // their estimate but for their lengths
	ids    []int64
}

type candidate struct{ id, estimate int64 }

// estimateOf returns the estimate of a match whose text has so many words. Estimates that
// are almost equal are the same number, so that the newer match comes first.
func estimateOf(weight float64, words int64) int64 {
	return int64(float64(weight/(1+float64(words)/5000)*1e6) + 0.5)
}

// A wordSet is a match and the words that it is known to have, a bit for each.
type wordSet struct {
	id    int64
	words uint64
}

// Candidates returns the matches of the rows of a ranked page.
func (p *Plan) Candidates(rows []WordMatches) *Candidates {
	c := &Candidates{Found: -1, Weights: make([]float64, len(p.words))}
	var all []wordSet
	isCut := false
	for _, row := range rows {
		ids := idsOf(row.IDs)
		all = addWord(all, ids, 1<<row.Word)
		if row.Word < len(p.words) {
			c.Weights[row.Word], _ = strconv.ParseFloat(row.Weight, 64)
			isCut = isCut || len(ids) >= newestCap
		}
	}
	if p.newest {
		for _, h := range slices.Backward(all) {
			c.ranked = append(c.ranked, candidate{id: h.id})
		}
		return c
	}
	if c.Found = len(all); isCut && c.Found <= mostCounted {
		c.Found = -1
	}
	c.groups = groupsOf(all, c.Weights)
	return c
}

// idsOf reads numbers with commas between, in ascending order.
func idsOf(list string) []int64 {
	ids := make([]int64, 0, strings.Count(list, ",")+1)
	for field := range strings.SplitSeq(list, ",") {
		if id, err := strconv.ParseInt(field, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// addWord adds a word to the matches that have it. Both lists are in ascending order of
// the ids, and so is the result.
func addWord(all []wordSet, ids []int64, word uint64) []wordSet {
	merged := make([]wordSet, 0, len(all)+len(ids))
	for _, id := range ids {
		n := 0
		for n < len(all) && all[n].id < id {
			n++
		}
		merged = append(merged, all[:n]...)
		h := wordSet{id, word}
		if all = all[n:]; len(all) > 0 && all[0].id == id {
			h.words |= all[0].words
			all = all[1:]
		}
		merged = append(merged, h)
	}
	return append(merged, all...)
}

// groupsOf groups matches by their words, those of the largest weight first. To have all words
// counts as much as one whose weight is that of all.
func groupsOf(all []wordSet, weights []float64) []wordGroup {
	squares := make([]float64, len(weights)+1)
	sum := 0.0
	for i, weight := range weights {
		squares[i] = weight * weight
		sum += weight
	}
	squares[len(weights)] = sum * sum
	at := map[uint64]int{}
	var groups []wordGroup
	for _, h := range all {
		i, ok := at[h.words]
		if !ok {
			i = len(groups)
			at[h.words] = i
			groups = append(groups, wordGroup{weight: sumOf(squares, h.words)})
		}
		groups[i].ids = append(groups[i].ids, h.id)
	}
	slices.SortStableFunc(groups, func(a, b wordGroup) int { return cmp.Compare(b.weight, a.weight) })
	return groups
}

// sumOf returns the sum of the numbers whose bits are set.
func sumOf(numbers []float64, bits uint64) float64 {
	sum := 0.0
	for i, number := range numbers {
		if bits>>i&1 == 1 {
			sum += number
		}
	}
	return sum
}

// Len returns how many candidates are ranked.
func (c *Candidates) Len() int {
	n := len(c.ranked)
	for _, g := range c.groups {
		n += len(g.ids)
	}
	return min(n, rankCap)
}

// First returns the ids of the first n candidates, or of all if they are fewer. read runs
// a statement and returns its only value.
func (c *Candidates) First(n int, read func(Statement) (string, error)) ([]int64, error) {
	n = min(n, c.Len())
	for n > 0 {
		var ids []int64
		weights := map[int64]float64{}
		for len(c.groups) > 0 && c.mayBeFirst(c.groups[0], n, len(ids)) {
			for _, id := range c.groups[0].ids {
				weights[id] = c.groups[0].weight
			}
			ids = append(ids, c.groups[0].ids...)
			c.groups = c.groups[1:]
		}
		if ids == nil {
			break
		}
		lengths, err := read(lengthsOf(ids))
		if err != nil {
			return nil, err
		}
		c.measure(weights, lengths)
	}
	first := make([]int64, min(n, len(c.ranked)))
	for i := range first {
		first[i] = c.ranked[i].id
	}
	return first, nil
}

// mayBeFirst reports whether one of a group may be among the first n, if so many others
// are measured before it: the estimate of a group is at most that without text.
func (c *Candidates) mayBeFirst(g wordGroup, n, others int) bool {
	if len(c.ranked) < n {
		return len(c.ranked)+others < n
	}
	return estimateOf(g.weight, 0) >= c.ranked[n-1].estimate
}

// lengthsOf yields ids and numbers of words, in turn, with spaces between.
func lengthsOf(ids []int64) Statement {
	return sql("SELECT coalesce(group_concat(h.id || ' ' || h.words, ' '), '') FROM json_each(?) j CROSS JOIN "+
		"handoff h INDEXED BY handoff_words ON h.id = j.value", match.JSON(ids))
}

// measure ranks the matches whose lengths are given as lengthsOf yields them.
func (c *Candidates) measure(weights map[int64]float64, lengths string) {
	fields := strings.Fields(lengths)
	for i := 0; i+1 < len(fields); i += 2 {
		id, _ := strconv.ParseInt(fields[i], 10, 64)
		words, _ := strconv.ParseInt(fields[i+1], 10, 64)
		c.ranked = append(c.ranked, candidate{id, estimateOf(weights[id], words)})
	}
	slices.SortFunc(c.ranked, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.estimate, a.estimate), cmp.Compare(b.id, a.id))
	})
}
