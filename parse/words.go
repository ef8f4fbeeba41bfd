package parse

import "unicode"

// words are runs of letters and of digits.
type words map[string]bool

func (w words) add(texts ...string) {
	for _, t := range texts {
		eachWord(t, func(word string) bool { w[word] = true; return true })
	}
}

// all reports whether every word of a text is known.
func (w words) all(text string) bool {
	return eachWord(text, func(word string) bool { return w[word] })
}

func eachWord(text string, do func(string) bool) bool {
	kind := func(r rune) int {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	start, last := 0, 0
	for i, r := range text + "\n" {
		k := kind(r)
		if k == last {
			continue
		}
		if last != 0 && !do(text[start:i]) {
			return false
		}
		start, last = i, k
	}
	return true
}
