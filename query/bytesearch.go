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

// cursor is how far a search of one text has come.
type cursor struct {
	low, high int // where the rare byte is next, in each case; -1 unknown
	work      int // bytes compared in vain
	given     bool
}

func newCursor() *cursor { return &cursor{low: -1, high: -1} }

// index finds the pattern at or behind from, -1 if it is not there. On texts
// that make it compare too much it gives up, with c.given, at the place it
// returns.
func (b *byteSearch) index(text string, from int, c *cursor) int {
	if !b.fold {
		if i := strings.Index(text[from:], b.pattern); i >= 0 {
			return from + i
		}
		return -1
	}
	for {
		at := b.candidate(text, from, c)
		if at+len(b.pattern) > len(text) {
			return -1
		}
		same := b.common(text[at:])
		if same == len(b.pattern) {
			return at
		}
		if c.work += same + 1; c.work > 4*len(text)+64 {
			c.given = true
			return at
		}
		from = at + 1
	}
}

// candidate is the next place where the rare byte stands right.
func (b *byteSearch) candidate(text string, from int, c *cursor) int {
	p := from + b.rare
	c.low = nextByte(text, b.low, p, c.low)
	if b.high == b.low {
		return c.low - b.rare
	}
	c.high = nextByte(text, b.high, p, c.high)
	return min(c.low, c.high) - b.rare
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
