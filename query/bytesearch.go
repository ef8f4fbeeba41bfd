package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// byteSearch finds a pattern of bytes at close to the speed of memory, which
// is what a scan of all handoffs costs. Its zero value knows no pattern.
type byteSearch struct {
	pattern string // in small letters, if fold
	fold    bool
	rare    int // where the rarest byte of the pattern is
	low     byte
	high    byte
}

// common are the bytes of text and code that are no rare ones, the rarest
// first.
const common = "QZXJqzjKVYUWGx#@~$&HPBFMLDCNORISTEAkvbywgpfmu0123456789_/.-,cdhlrsnioat e"

// newByteSearch takes the patterns that can be compared byte by byte: without
// white space, and, to fold, of ASCII or of letters that have no case.
func newByteSearch(pattern string, fold bool) byteSearch {
	letters := false
	for _, r := range pattern {
		switch {
		case unicode.IsSpace(r):
			return byteSearch{}
		case r < utf8.RuneSelf:
			letters = letters || r >= 'a' && r <= 'z'
		case fold && (unicode.ToLower(r) != r || unicode.ToUpper(r) != r):
			return byteSearch{}
		}
	}
	b := byteSearch{pattern: pattern, fold: fold && letters}
	best := len(common)
	for i := range len(pattern) {
		if n := strings.IndexByte(common, pattern[i]); n < best { // -1: not common at all
			b.rare, best = i, n
		}
	}
	if pattern != "" {
		b.low, b.high = pattern[b.rare], pattern[b.rare]
	}
	if b.fold && b.low >= 'a' && b.low <= 'z' {
		b.high = b.low - 'a' + 'A'
	}
	return b
}

// index finds the pattern at or behind from, -1 if it is not there. It gives
// up, at the place it returns, on texts that make it compare too much.
func (b *byteSearch) index(text string, from int) (at int, given bool) {
	if !b.fold {
		if i := strings.Index(text[from:], b.pattern); i >= 0 {
			return from + i, false
		}
		return -1, false
	}
	work, limit := 0, 4*len(text)+64
	low, high := -1, -1 // where the rare byte is next, in each case
	for {
		p := from + b.rare
		if low = nextByte(text, b.low, p, low); b.high != b.low {
			high = nextByte(text, b.high, p, high)
		} else {
			high = len(text)
		}
		at = min(low, high) - b.rare
		if at+len(b.pattern) > len(text) {
			return -1, false
		}
		same := b.common(text[at:])
		if same == len(b.pattern) {
			return at, false
		}
		if work += same + 1; work > limit {
			return at, true
		}
		from = at + 1
	}
}

// nextByte is where c is at or behind from, len(text) if nowhere; known is
// what it was before, -1 at first.
func nextByte(text string, c byte, from, known int) int {
	if known >= from {
		return known
	}
	if from >= len(text) {
		return len(text)
	}
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// common counts the bytes text and pattern begin alike with.
func (b *byteSearch) common(text string) int {
	for i := range len(b.pattern) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != b.pattern[i] {
			return i
		}
	}
	return len(b.pattern)
}
