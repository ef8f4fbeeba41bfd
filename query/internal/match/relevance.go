package match

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

// What is remembered of a handoff is seldom spread over it: a passage is. So
// the score of a text is that of BM25 over all of it, plus the rarity of the
// words that are together in its best passage, and again in a wider one. Of few
// words each is meant, and a text that contains them all comes before any that does
// not; a sentence is remembered in other words than it was written in.
//
// The numbers were chosen with all known-item queries of the benchmark, and checked by
// leaving out a fifth of the repositories at a time. Length counts in full (b of BM25
// is 1): a long text contains most words of a sentence by chance.
const (
	saturation     = 1.2 // k1 of BM25
	ordinaryLength = 500 // words of a handoff that is neither long nor short
	stemmedShare   = 0.3 // what another form of a word counts
	passageLength  = 180 // bytes, some 30 words
	passageWeight  = 3
	wideLength     = 450 // bytes
	wideWeight     = 1
	fewWords       = 4
)

// columnWeights are how often a word counts where it says what a handoff is
// about; anywhere else it counts once. More, or more columns, finds less:
// these texts are as long as all others.
var columnWeights = map[string]float64{"title": 4, "name": 4, "heading": 2, "goal": 2, "blockers": 2}

// Ranking says by which words texts are ranked, and what each of them weighs.
type Ranking struct {
	Words   []Spec    `json:"words"`
	Weights []float64 `json:"weights"`
}

var rankers = cache[Ranking, *ranker]{compile: newRanker}

// relevanceFunction implements handex_relevance(ranking, column...): how well a text in the
// columns SearchedColumns matches a Ranking, which is in JSON. ParseRelevance reads the
// result.
func relevanceFunction(args []any) (any, error) {
	if len(args) == 0 {
		return "", nil
	}
	r := rankers.get(stringArg(args[0]))
	t := &tally{ranker: r, counts: make([]float64, r.words)}
	name := ""
	for i, arg := range args[1:] {
		name = stringArg(arg)
		t.column(name, i)
	}
	return fmt.Sprintf("%.6f %s %d", t.score(), t.held(), hashOf(strings.ToLower(name))), nil
}

// Relevance is how well a text matches a Ranking.
type Relevance struct {
	Score float64 // higher is better
	Held  string  // the numbers of the words that it has, with commas between
	Name  int64   // the hash of what its file and its project are called
}

// ParseRelevance returns the Relevance in a result of handex_relevance.
func ParseRelevance(text string) (r Relevance) {
	score, rest, _ := strings.Cut(text, " ")
	held, name, _ := strings.Cut(rest, " ")
	r.Held = held
	r.Score, _ = strconv.ParseFloat(score, 64)
	r.Name, _ = strconv.ParseInt(name, 10, 64)
	return r
}

// A ranker is a Ranking in the form in which texts are searched for its words.
type ranker struct {
	words    int
	weights  []float64 // of the words
	meant    []bool    // whether a text must hold the word to hold all
	few      bool      // whether they are few that are meant
	finder   *finder
	literals map[int]*Matcher // of the words that are found as text: they are no tokens of the index
}

// newRanker returns the ranker of a ranking.
func newRanker(ranking Ranking) *ranker {
	words := ranking.Words
	r := &ranker{words: len(words), weights: make([]float64, len(words)), literals: map[int]*Matcher{}}
	copy(r.weights, ranking.Weights)
	r.setMeant(words)
	tokens := slices.Clone(words)
	for i, word := range words {
		if word.Kind == Contains {
			r.literals[i], tokens[i] = word.Compile(), Spec{}
		}
	}
	r.finder = newFinder(tokens)
	return r
}

// setMeant decides which words a text must contain to have them all: all but stop words,
// unless there are no others. It also notes whether these are few.
func (r *ranker) setMeant(words []Spec) {
	r.meant = make([]bool, len(words))
	n := 0
	for i, word := range words {
		if r.meant[i] = !text.IsStopWord(word.Text); r.meant[i] {
			n++
		}
	}
	if n == 0 {
		n = len(words)
		for i := range r.meant {
			r.meant[i] = true
		}
	}
	r.few = n <= fewWords
}

// A tally counts the words that a ranker finds in one text.
type tally struct {
	*ranker
	counts  []float64 // how often each word is there, by the weight of forms and columns
	length  int       // tokens
	passage float64   // the weight of the words in the best one so far
	wide    float64   // the same of a wide one
	places  []wordPlace
}

// A wordPlace is a word and its offset in the column that is being read.
type wordPlace struct{ at, word int }

// column counts the words in body, which is column n of SearchedColumns.
func (t *tally) column(body string, n int) {
	if body == "" {
		return
	}
	weight := 1.0
	if n < len(SearchedColumns) {
		weight = cmp.Or(columnWeights[SearchedColumns[n]], 1)
	}
	t.places = t.places[:0]
	t.length += t.finder.each(body, func(s *spelling, p occurrence) {
		share := 1.0
		if s.form > 0 {
			share = stemmedShare
		}
		t.found(s.part, p.start, weight*share)
	})
	for word := range t.words {
		if m := t.literals[word]; m != nil {
			for _, span := range m.Find(body) {
				t.found(word, span[0], weight)
			}
		}
	}
	if len(t.places) == 0 {
		return
	}
	slices.SortStableFunc(t.places, func(a, b wordPlace) int { return cmp.Compare(a.at, b.at) })
	t.passage = max(t.passage, t.best(passageLength))
	t.wide = max(t.wide, t.best(wideLength))
}

// found counts a word that is at an offset of the column, with a weight.
func (t *tally) found(word, at int, weight float64) {
	t.counts[word] += weight
	t.places = append(t.places, wordPlace{at, word})
}

// best returns the highest total weight of the words within any stretch of the column that
// is length bytes long. A word counts once.
func (t *tally) best(length int) float64 {
	inside := make([]int, t.words) // how often each word is in the stretch
	best, sum, first := 0.0, 0.0, 0
	for _, p := range t.places {
		if inside[p.word]++; inside[p.word] == 1 {
			sum += t.weights[p.word]
		}
		for p.at-t.places[first].at >= length {
			word := t.places[first].word
			if inside[word]--; inside[word] == 0 {
				sum -= t.weights[word]
			}
			first++
		}
		best = max(best, sum)
	}
	return best
}

// score returns how well the text matches: the BM25 of its words, the weights of its best
// passages, and more if there are few words and it contains them all.
func (t *tally) score() float64 {
	long := saturation * float64(t.length) / ordinaryLength
	score, best, all := passageWeight*t.passage+wideWeight*t.wide, 0.0, t.few
	for i, n := range t.counts {
		score += t.weights[i] * n * (saturation + 1) / (n + long)
		best += t.weights[i] * (saturation + 1 + passageWeight + wideWeight)
		all = all && (n > 0 || !t.meant[i])
	}
	if all {
		score += best
	}
	return score
}

// held returns the numbers of the words found, with commas between.
func (t *tally) held() string {
	var held []string
	for i, n := range t.counts {
		if n > 0 {
			held = append(held, strconv.Itoa(i))
		}
	}
	return strings.Join(held, ",")
}
