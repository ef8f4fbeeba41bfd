// Package scan looks at single lines and words of text: list items, "key: value",
// code fences, marks of Markdown, letters of any script.
package scan

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pattern returns a regular expression that is compiled when it is first needed: a
// search that reads no file must not pay for the dozens that parsing can want.
func Pattern(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// Set returns the set of the words of a text.
func Set(words string) map[string]bool {
	m := make(map[string]bool, strings.Count(words, " ")+1)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Phrases returns the phrases of a list that separates them by "|"; line breaks and the
// indentation behind them are no part of it.
func Phrases(list string) []string {
	return strings.Split(lineBreaks.Replace(list), "|")
}

var lineBreaks = strings.NewReplacer("\n", "", "\t", "")

// Lexicon yields the rows of a table of terms, "head: a, b". A line that begins with
// blanks continues the one above it, one that begins with "#" is a comment.
func Lexicon(text string) iter.Seq2[string, []string] {
	return func(yield func(head string, terms []string) bool) {
		for line := range strings.Lines(strings.ReplaceAll(text, "\n ", " ")) {
			head, list, ok := strings.Cut(line, ": ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			terms := strings.Split(list, ",")
			for i, term := range terms {
				terms[i] = strings.TrimSpace(term)
			}
			if !yield(head, terms) {
				return
			}
		}
	}
}

// ContainsAny reports whether a text contains one of some words.
func ContainsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// RuneBoundary returns the last index, not after n, at which a rune of b begins.
func RuneBoundary(b []byte, n int) int {
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// Shorten returns the first characters of s, as many as runes says, followed by "…" if s has
// more.
func Shorten(s string, runes int) string {
	for i := range s {
		if runes--; runes < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// LineStart returns the offset at which the line that contains offset i starts.
func LineStart(s string, i int) int {
	return strings.LastIndexByte(s[:min(i, len(s))], '\n') + 1
}

// LineEnd returns the offset behind the line that contains offset i, its newline included.
func LineEnd(s string, i int) int {
	i = min(i, len(s))
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// LineContentEnd returns the offset of the end of the line that contains offset i, without
// its newline.
func LineContentEnd(text string, i int) int {
	return i + len(strings.TrimSuffix(text[i:LineEnd(text, i)], "\n"))
}

// BlankLen returns how many bytes of white space s begins with.
func BlankLen(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\n")) }

// SkipBlanks returns the offset behind the spaces and tabs at s[i:].
func SkipBlanks(s string, i int) int { return len(s) - len(strings.TrimLeft(s[i:], " \t")) }

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsHex reports whether a byte is a hexadecimal digit.
func IsHex(c byte) bool {
	return IsDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// IsAlnum reports whether a byte is a digit or an ASCII letter.
func IsAlnum(c byte) bool { return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// Atoi returns the number that a text of digits is. It returns no error, because a pattern
// has already checked the digits.
func Atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// HasLinePrefix reports whether a line of text begins with prefix.
func HasLinePrefix(text, prefix string) bool {
	return strings.HasPrefix(text, prefix) || strings.Contains(text, "\n"+prefix)
}

// FirstWord returns the run of letters text begins with, in lower case.
func FirstWord(text string) string {
	rest := strings.TrimLeftFunc(text, unicode.IsLetter)
	return strings.ToLower(text[:len(text)-len(rest)])
}

// HasWordPrefix reports whether a text contains the given words at the beginning of a word.
func HasWordPrefix(text, words string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:from+i]); !unicode.IsLetter(before) {
			return true
		}
		from += i + len(words)
	}
}

// Indent returns the number of spaces and tabs a line begins with, -1 for a blank line.
func Indent(line string) int {
	if strings.TrimSpace(line) == "" {
		return -1
	}
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// IndexAnyOf returns the offset of the first occurrence of any of some words in a text, from
// an offset on, -1 if there is none.
func IndexAnyOf(text string, from int, words []string) int {
	next := -1
	for _, w := range words {
		rest := text[from:]
		if next >= 0 {
			rest = text[from:min(next+len(w), len(text))]
		}
		if i := strings.Index(rest, w); i >= 0 && (next < 0 || from+i < next) {
			next = from + i
		}
	}
	return next
}
