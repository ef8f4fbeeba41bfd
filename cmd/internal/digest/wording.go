package digest

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// A Wording is the words of a text, as numbers in order: what two texts that say
// the same in other forms have in common.
type Wording []uint64

// WordingOf returns the first words of a text. It leaves out mark-up, case and single
// letters and digits; of scripts without blanks each two letters count as a word.
func WordingOf(text string) Wording {
	list := make(Wording, 0, maxWording)
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
// words are in both, or four fifths of those of the shorter, if it has at least five.
func (w Wording) Alike(other Wording) bool {
	short := min(len(w), len(other))
	if short < 2 || max(len(w), len(other)) > 8*short {
		return false
	}
	common := w.common(other)
	return 5*common >= 3*(len(w)+len(other)-common) || short >= 5 && 5*common >= 4*short
}

// common counts the words that are in both.
func (w Wording) common(other Wording) (n int) {
	for i, j := 0, 0; i < len(w) && j < len(other); {
		switch {
		case w[i] == other[j]:
			n++
			i++
			j++
		case w[i] < other[j]:
			i++
		default:
			j++
		}
	}
	return n
}
