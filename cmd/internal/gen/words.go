package gen

import (
	"math"
	"math/rand/v2"
	"strings"
)

const (
	vocabularySize = 40_000
	zipfExponent   = 1.05
	// samplerSize is large enough that the rarest of the words still has a
	// place of its own.
	samplerSize = 1 << 20
)

// commonWords take the first ranks, as they do in English.
var commonWords = strings.Fields("the of and to in is it that for was on with as be by this not are from at " +
	"but or an when which were has had one if all now test file run still only code after before then two same into " +
	"there does no value new old")

// reserved words occur only in handoffs that must contain them.
var reserved = map[string]bool{
	"zqrare": true, "qmedium": true, "session": true, "migration": true, "rollback": true, "token": true, "expiry": true,
}

// vocabulary draws words by Zipf's law: sampler contains the rank of each word as often as
// the word is frequent, so that drawing one needs a single look-up.
type vocabulary struct {
	words   []string
	sampler []uint16
}

// newVocabulary returns the vocabulary of a seed.
func newVocabulary(seed uint64) *vocabulary {
	v := &vocabulary{words: inventWords(seed), sampler: make([]uint16, 0, samplerSize)}
	weights := make([]float64, len(v.words))
	var sum float64
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -zipfExponent)
		sum += weights[i]
	}
	var seen float64
	for i, w := range weights {
		seen += w
		for float64(len(v.sampler)) < seen/sum*samplerSize && len(v.sampler) < samplerSize {
			v.sampler = append(v.sampler, uint16(i))
		}
	}
	return v
}

// word returns a random word; frequent words are drawn more often.
func (v *vocabulary) word(rng *rand.Rand) string {
	return v.words[v.sampler[rng.IntN(len(v.sampler))]]
}

// inventWords returns all words, the most frequent first: the common English words, then
// invented stems with their inflections beside them, as a text that uses a word uses its
// forms.
func inventWords(seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 0x776f726473))
	words := append(make([]string, 0, vocabularySize+8), commonWords...)
	taken := make(map[string]bool, vocabularySize)
	for _, w := range words {
		taken[w] = true
	}
	for len(words) < vocabularySize {
		for _, w := range inflections(stem(rng), rng) {
			if !taken[w] && !reserved[w] {
				taken[w] = true
				words = append(words, w)
			}
		}
	}
	return words[:vocabularySize]
}

var (
	onsets = strings.Fields("b br c cl cr d dr f fl g gr h l m n p pl pr qu r s sc sh sl sp st str t th tr v w")
	vowels = []string{"a", "e", "i", "o", "u", "ai", "ea", "oa", "ou"}
	codas  = strings.Fields("b ck ct d ft g ll lt m mp n nd nk nt p pt r rd rk rn rt ss st t x")
)

// stem returns a random word without an ending.
func stem(rng *rand.Rand) string {
	s := pick(rng, onsets) + pick(rng, vowels)
	if rng.IntN(2) == 1 {
		s += pick(rng, codas)[:1] + pick(rng, vowels)[:1]
	}
	return s + pick(rng, codas)
}

// inflections returns random forms of a stem, such as those of a verb or a noun.
func inflections(s string, rng *rand.Rand) []string {
	switch rng.IntN(4) {
	case 0:
		return []string{s, s + "s", s + "ed", s + "ing", s + "er"}
	case 1:
		return []string{s, s + "s", s + "ation", s + "ations", s + "able"}
	case 2:
		return []string{s + "e", s + "es", s + "ed", s + "ing", s + "ement"}
	default:
		return []string{s, s + "s", s + "ly", s + "ness"}
	}
}

// pick returns a random element of a list.
func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
