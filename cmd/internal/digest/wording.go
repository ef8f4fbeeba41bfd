package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Wording is what two texts that say the same in other forms have in common.
type Wording struct {
	words   []uint64 // hashes of the words, sorted
	numbers string   // the numbers, in the order of the text
}

// WordingOf returns the wording of a text. It leaves out mark-up, case, single letters
// and all but the first 64 words; of scripts without blanks each two letters count as a
// word.
func WordingOf(text string) Wording {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	return Wording{words: wordsOf(text), numbers: strings.Join(numbers, " ")}
}

// Len returns the number of words.
func (w Wording) Len() int { return len(w.words) }

// withNumbers returns the words, each hashed with the numbers: texts with different numbers
// have none in common.
func (w Wording) withNumbers() []uint64 {
	h := hashBegin
	for _, r := range w.numbers {
		h = hashRune(h, r)
	}
	list := make([]uint64, len(w.words))
	for i, word := range w.words {
		list[i] = word ^ h
	}
	return list
}

func wordsOf(text string) []uint64 {
	list := make([]uint64, 0, maxWording)
	word, runes, before := hashBegin, 0, rune(0)
	for _, r := range text {
		r = lower(r)
		switch {
		case r >= FirstUnspaced && before >= FirstUnspaced:
			list = append(list, hashRune(hashRune(hashBegin, before), r))
		case r > 0 && r < FirstUnspaced:
			word = hashRune(word, r)
			runes++
		}
		if r == 0 || r >= FirstUnspaced {
			if runes >= 2 {
				list = append(list, word)
			}
			word, runes = hashBegin, 0
		}
		if before = r; len(list) >= maxWording {
			break
		}
	}
	if runes >= 2 {
		list = append(list, word)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// FirstUnspaced is where the scripts begin that are written without blanks.
const FirstUnspaced = 0x2E80

// lower returns a letter or digit in lower case, 0 for anything else.
func lower(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return r
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf, !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return 0
	}
	return unicode.ToLower(r)
}

// hashBegin and hashRune are the hash FNV-1a, of characters.
const hashBegin uint64 = 14695981039346656037

func hashRune(h uint64, r rune) uint64 { return (h ^ uint64(r)) * 1099511628211 }

// maxWording is how many words of a text are compared.
const maxWording = 64

// Alike reports whether two texts are likely to say the same: three fifths of all their
// words are in both, or four fifths of those of the shorter, if it has at least five. Texts
// with different numbers are not: "Port chapter 3" and "Port chapter 4" are two steps.
func (w Wording) Alike(other Wording) bool {
	short, long := min(w.Len(), other.Len()), max(w.Len(), other.Len())
	if w.numbers != other.numbers || short < 2 || long > 8*short {
		return false
	}
	both := common(w.words, other.words)
	return 5*both >= 3*(short+long-both) || short >= 5 && 5*both >= 4*short
}

// common counts the words that are in both of two sorted lists.
func common(a, b []uint64) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}
