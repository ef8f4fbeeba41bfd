package query

import (
	"encoding/json"
	"strings"
)

// What is remembered of a handoff is seldom spread over it: a passage is. So
// the score of a text is that of BM25 over all of it, plus the rarity of the
// words that stand together in its best passage. Of few words each is meant, and
// a text that holds them all comes before any that does not; a sentence is
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
var columnWeights = map[string]float64{"title": 4, "heading": 2, "goal": 2, "blockers": 2}

// relevanceSpec is the words that are ranked by. It travels to
// handex_relevance as JSON.
type relevanceSpec []matchSpec

func (s relevanceSpec) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

var rankers = cache[*ranker]{compile: func(spec string) *ranker {
	var s relevanceSpec
	if json.Unmarshal([]byte(spec), &s) != nil {
		s = nil
	}
	return s.compile()
}}

// relevanceFunction is handex_relevance(spec, weights, column...): the score
// of a text, a space, and the numbers of the words it holds, with commas
// between. The weights of the words are numbers with spaces between.
func relevanceFunction(args []any) (any, error) {
	if len(args) < 2 {
		return "0 ", nil
	}
	r := rankers.get(stringArg(args[0]))
	t := r.newTally(strings.Fields(stringArg(args[1])))
	for i, arg := range args[2:] {
		t.column(stringArg(arg), i)
	}
	return t.String(), nil
}

// A ranker knows the words that are ranked by.
type ranker struct {
	words    int
	ids      map[string]int              // of the tokens of all spellings, from 1
	ends     [][]spelling                // by the id of the last token
	hashes   [1 << (32 - hashShift)]bool // of those tokens
	longest  int                         // tokens
	literals []literalWord
}

// A spelling is tokens side by side that are a word.
type spelling struct {
	word   int
	before []int // the tokens before the last
	share  float64
}

// A literalWord is found as text: it is no token of the index.
type literalWord struct {
	word    int
	matcher *matcher
}

func (s relevanceSpec) compile() *ranker {
	r := &ranker{words: len(s), ids: map[string]int{}, ends: make([][]spelling, 1), longest: 1}
	for i, word := range s {
		if word.Kind == TextContains {
			r.literals = append(r.literals, literalWord{i, word.compile()})
			continue
		}
		for j, seq := range word.sequences() {
			share := 1.0
			if j > 0 {
				share = stemmedShare
			}
			r.add(i, seq.tokens, share)
		}
	}
	return r
}

func (r *ranker) add(word int, tokens []string, share float64) {
	ids := make([]int, len(tokens))
	for i, token := range tokens {
		id, ok := r.ids[token]
		if !ok {
			id = len(r.ends)
			r.ids[token] = id
			r.ends = append(r.ends, nil)
			r.hashes[hashOf(token)>>hashShift] = true
		}
		ids[i] = id
	}
	last := len(ids) - 1
	r.ends[ids[last]] = append(r.ends[ids[last]], spelling{word, ids[:last], share})
	r.longest = max(r.longest, len(ids))
}
