package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tally is what was found in one text.
type tally struct {
	*ranker
	weights []float64 // of the words
	counts  []float64 // how often each word stands there, by the weight of forms and columns
	length  int       // tokens
	passage float64   // the weight of the words in the best one so far

	recent []numbered  // the last tokens that have an id, a ring by their number
	places []wordPlace // in the column at hand
	inside []int       // of the passage at hand, how often it holds each word
}

type numbered struct{ n, id int }

type wordPlace struct{ at, word int }

func (r *ranker) newTally(weights []string) *tally {
	t := &tally{ranker: r, weights: make([]float64, r.words), counts: make([]float64, r.words), recent: make([]numbered, r.longest), inside: make([]int, r.words)}
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
	if n < len(textColumns) {
		weight = cmp.Or(columnWeights[textColumns[n]], 1)
	}
	t.places = t.places[:0]
	t.tokens(text, weight)
	for _, l := range t.literals {
		for _, span := range l.matcher.find(text) {
			t.found(l.word, span[0], weight)
		}
	}
	if len(t.literals) > 0 {
		slices.SortStableFunc(t.places, func(a, b wordPlace) int { return cmp.Compare(a.at, b.at) })
	}
	t.bestPassage()
}

func (t *tally) found(word, at int, weight float64) {
	t.counts[word] += weight
	t.places = append(t.places, wordPlace{at, word})
}

// tokens finds the spellings that are tokens.
func (t *tally) tokens(text string, weight float64) {
	n := 0
	for at := 0; at < len(text); n++ {
		start, end, id := t.nextToken(text, at)
		if start < 0 {
			break
		}
		at = end
		if id == 0 {
			continue
		}
		t.recent[n%t.longest] = numbered{n, id}
		for _, s := range t.ends[id] {
			if t.follows(n, s.before) {
				t.found(s.word, start, weight*s.share)
			}
		}
	}
	t.length += n
	clear(t.recent)
}

// nextToken finds the first token at or behind from, and its id, 0 for one that
// no spelling has; start is -1 if there is none. It does what eachToken does,
// but quickly: nearly all tokens are plain ASCII and none that is looked for,
// which their hash tells.
func (r *ranker) nextToken(text string, from int) (start, end, id int) {
	start = nextWord(text, from)
	if start == len(text) {
		return -1, start, 0
	}
	hash := uint32(0)
	for end = start; end < len(text); end++ {
		c := plainBytes[text[end]]
		if c == 0 {
			break
		}
		if c == notPlain {
			end, id = r.runeToken(text, start)
			return start, end, id
		}
		hash = (hash ^ uint32(c)) * hashPrime
	}
	if r.hashes[hash>>hashShift] {
		id = r.ids[strings.ToLower(text[start:end])]
	}
	return start, end, id
}

// nextWord is where the next token begins, the length of the text if none does.
func nextWord(text string, from int) int {
	for from < len(text) {
		size := 1
		switch plainBytes[text[from]] {
		case 0:
		case notPlain:
			var r rune
			if r, size = utf8.DecodeRuneInString(text[from:]); isToken(r) {
				return from
			}
		default:
			return from
		}
		from += size
	}
	return from
}

// runeToken reads the token at start rune by rune.
func (r *ranker) runeToken(text string, start int) (end, id int) {
	var buf [64]byte
	folded := buf[:0]
	for end = start; end < len(text); {
		c, size := utf8.DecodeRuneInString(text[end:])
		if !inWord(c) {
			break
		}
		if f := foldToken(c); f != 0 {
			folded = utf8.AppendRune(folded, f)
		}
		end += size
	}
	return end, r.ids[string(folded)]
}

// follows reports whether the tokens before the nth are those.
func (t *tally) follows(n int, before []int) bool {
	for i, id := range before {
		k := n - len(before) + i
		if k < 0 || t.recent[k%t.longest] != (numbered{k, id}) {
			return false
		}
	}
	return true
}

// bestPassage looks at each stretch of the column that is a passage long.
func (t *tally) bestPassage() {
	clear(t.inside)
	sum, first := 0.0, 0
	for _, p := range t.places {
		if t.inside[p.word]++; t.inside[p.word] == 1 {
			sum += t.weights[p.word]
		}
		for p.at-t.places[first].at >= passageLength {
			word := t.places[first].word
			if t.inside[word]--; t.inside[word] == 0 {
				sum -= t.weights[word]
			}
			first++
		}
		t.passage = max(t.passage, sum)
	}
}

// score is how well the text answers.
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

func (t *tally) String() string {
	var held []string
	for i, n := range t.counts {
		if n > 0 {
			held = append(held, strconv.Itoa(i))
		}
	}
	return strconv.FormatFloat(t.score(), 'f', 6, 64) + " " + strings.Join(held, ",")
}

// The hash of a token in plain small letters.
const (
	hashPrime = 0x01000193 // of FNV
	hashShift = 20
)

func hashOf(token string) uint32 {
	hash := uint32(0)
	for i := range len(token) {
		hash = (hash ^ uint32(token[i])) * hashPrime
	}
	return hash
}

// plainBytes are the bytes of tokens in small letters, 0 for those between
// tokens, notPlain for those that only runes tell of.
var plainBytes = func() (table [256]byte) {
	for b := range table {
		switch r := rune(b); {
		case r >= utf8.RuneSelf:
			table[b] = notPlain
		case isToken(r):
			table[b] = byte(foldToken(r))
		}
	}
	return table
}()

const notPlain = 0xFF
