package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// What is remembered of a handoff is seldom spread over it: a passage is. So
// the score of a text is that of BM25 over all of it, plus the rarity of the
// words that are together in its best passage. Of few words each is meant, and
// a text that contains them all comes before any that does not; a sentence is
// remembered in other words than it was written in.
const (
	saturation     = 1.2  // k1 of BM25
	lengthShare    = 0.75 // b of BM25
	ordinaryLength = 500  // words of a handoff that is neither long nor short
	stemmedShare   = 0.3  // what another form of a word counts
	passageLength  = 180  // bytes, some 30 words
	passageWeight  = 3
	fewWords       = 6
)

// columnWeights are how often a word counts where it says what a handoff is
// about; anywhere else it counts once. More, or more columns, finds less:
// these texts are as long as all others.
var columnWeights = map[string]float64{"title": 4, "name": 4, "heading": 2, "goal": 2, "blockers": 2}

var rankers = cache[[]Spec, *ranker]{compile: newRanker}

// relevanceFunction implements handex_relevance(specs, weights, column...): the score
// of a text, a space, and the numbers of the words in it, with commas between. The
// weights of the words are numbers with spaces between.
func relevanceFunction(args []any) (any, error) {
	if len(args) < 2 {
		return "0 ", nil
	}
	t := newTally(rankers.get(stringArg(args[0])), strings.Fields(stringArg(args[1])))
	for i, arg := range args[2:] {
		t.column(stringArg(arg), i)
	}
	return t.String(), nil
}

// A ranker knows the words that are ranked by.
type ranker struct {
	words    int
	finder   *finder
	literals map[int]*Matcher // of the words that are found as text: they are no tokens of the index
}

func newRanker(words []Spec) *ranker {
	r := &ranker{words: len(words), literals: map[int]*Matcher{}}
	tokens := slices.Clone(words)
	for i, word := range words {
		if word.Kind == Contains {
			r.literals[i], tokens[i] = word.Compile(), Spec{}
		}
	}
	r.finder = newFinder(tokens)
	return r
}

// A tally is what was found in one text.
type tally struct {
	*ranker
	weights []float64 // of the words
	counts  []float64 // how often each word is there, by the weight of forms and columns
	length  int       // tokens
	passage float64   // the weight of the words in the best one so far
	places  []wordPlace
}

// A wordPlace is an occurrence of a word in the column at hand, in bytes.
type wordPlace struct{ at, word int }

func newTally(r *ranker, weights []string) *tally {
	t := &tally{ranker: r, weights: make([]float64, r.words), counts: make([]float64, r.words)}
	for i := range min(len(weights), r.words) {
		t.weights[i], _ = strconv.ParseFloat(weights[i], 64)
	}
	return t
}

// column reads the text of the nth text column.
func (t *tally) column(text string, n int) {
	if text == "" {
		return
	}
	weight := 1.0
	if n < len(SearchedColumns) {
		weight = cmp.Or(columnWeights[SearchedColumns[n]], 1)
	}
	t.places = t.places[:0]
	t.length += t.finder.each(text, func(s *spelling, p occurrence) {
		share := 1.0
		if s.form > 0 {
			share = stemmedShare
		}
		t.found(s.part, p.start, weight*share)
	})
	for word := range t.words {
		if m := t.literals[word]; m != nil {
			for _, span := range m.Find(text) {
				t.found(word, span[0], weight)
			}
		}
	}
	slices.SortStableFunc(t.places, func(a, b wordPlace) int { return cmp.Compare(a.at, b.at) })
	t.passage = max(t.passage, t.bestPassage())
}

func (t *tally) found(word, at int, weight float64) {
	t.counts[word] += weight
	t.places = append(t.places, wordPlace{at, word})
}

// bestPassage returns the weight of the best stretch of the column that is as
// long as a passage.
func (t *tally) bestPassage() float64 {
	inside := make([]int, t.words) // how often each word is in the stretch
	best, sum, first := 0.0, 0.0, 0
	for _, p := range t.places {
		if inside[p.word]++; inside[p.word] == 1 {
			sum += t.weights[p.word]
		}
		for p.at-t.places[first].at >= passageLength {
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

// score returns how well the text matches.
func (t *tally) score() float64 {
	long := saturation * (1 - lengthShare + lengthShare*float64(t.length)/ordinaryLength)
	score, best, all := passageWeight*t.passage, 0.0, t.words <= fewWords
	for i, n := range t.counts {
		score += t.weights[i] * n * (saturation + 1) / (n + long)
		best += t.weights[i] * (saturation + 1 + passageWeight)
		all = all && n > 0
	}
	if all {
		score += best
	}
	return score
}

// String returns what handex_relevance does: the score and the numbers of the words
// found.
func (t *tally) String() string {
	var held []string
	for i, n := range t.counts {
		if n > 0 {
			held = append(held, strconv.Itoa(i))
		}
	}
	return strconv.FormatFloat(t.score(), 'f', 6, 64) + " " + strings.Join(held, ",")
}
