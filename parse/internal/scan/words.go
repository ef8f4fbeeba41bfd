package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A WordSet is a set of words: runs of letters, or of digits.
type WordSet map[string]bool

// Add adds the words of texts.
func (w WordSet) Add(texts ...string) {
	for _, t := range texts {
		EachWord(t, func(word string) bool { w[word] = true; return true })
	}
}

// Holds reports whether every word of a text is in the set.
func (w WordSet) Holds(text string) bool {
	return EachWord(text, func(word string) bool { return w[word] })
}

// EachWord calls do for each word of a text until do returns false. It reports whether do
// returned true for all of them.
func EachWord(text string, do func(string) bool) bool {
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

// A letter is the script that a byte of a text can be part of.
type letter byte

// The scripts that a byte of a text can be part of.
const (
	NoLetter letter = iota
	Latin
	Accented
	Eastern // or Cyrillic
)

// ScriptOf says what a byte of a text is part of.
var ScriptOf = func() (of [256]letter) {
	for c := range of {
		switch {
		case c >= firstEastern && c < 0xF0, c == 0xD0, c == 0xD1:
			of[c] = Eastern
		case c >= utf8.RuneSelf:
			of[c] = Accented
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			of[c] = Latin
		}
	}
	return of
}()

// IsForeign reports whether a text has accented Latin, Cyrillic or East Asian
// letters.
func IsForeign(text string) bool {
	return IsEastern(text) || strings.ContainsFunc(text, func(r rune) bool { return r >= 0xC0 && r < 0x180 })
}

// IsEastern reports whether a text has letters of East Asia or Cyrillic ones.
func IsEastern(text string) bool {
	for i := range len(text) {
		if ScriptOf[text[i]] == Eastern {
			return true
		}
	}
	return false
}

// firstEastern is the first byte of letters from U+3000 on.
const firstEastern = 0xE3

// IsUnspaced reports whether a term is of a script that runs words together, or
// builds them of parts: Chinese, Japanese, Korean.
func IsUnspaced(term string) bool {
	return strings.ContainsFunc(term, func(r rune) bool { return r >= FirstUnspaced })
}

// FirstUnspaced is where the scripts of East Asia begin.
const FirstUnspaced = 0x2E80
