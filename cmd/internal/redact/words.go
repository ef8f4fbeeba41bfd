package redact

import (
	"strings"
	"sync"
)

// lexicon knows the words of all secrets. Most texts hold none, which one pass
// tells.
type lexicon struct {
	begins [1 << 16 / 64]uint64 // a bit for each two bytes that a word begins with
	words  map[uint16][]word
}

// A word is of the secret at an index.
type word struct {
	text   string
	secret int
}

var words = sync.OnceValue(func() *lexicon {
	l := &lexicon{words: map[uint16][]word{}}
	for i, s := range secrets {
		for _, text := range s.any {
			two := pair(text, 0)
			l.begins[two/64] |= 1 << (two % 64)
			l.words[two] = append(l.words[two], word{text, i})
		}
	}
	return l
})

func pair(text string, at int) uint16 { return uint16(text[at])<<8 | uint16(text[at+1]) }

// in tells for each secret whether its pattern is worth trying; nil if none is.
func (l *lexicon) in(text string) []bool {
	var tried []bool
	longest := -1
	for at := 0; at+1 < len(text); at++ {
		two := pair(text, at)
		if l.begins[two/64]&(1<<(two%64)) == 0 {
			continue
		}
		for _, w := range l.words[two] {
			if !strings.HasPrefix(text[at:], w.text) {
				continue
			}
			if secrets[w.secret].run > 0 && longest < 0 {
				longest = longestRun(text)
			}
			if tried == nil {
				tried = make([]bool, len(secrets))
			}
			tried[w.secret] = tried[w.secret] || longest >= secrets[w.secret].run || secrets[w.secret].run == 0
		}
	}
	return tried
}

// longestRun is the length of the longest part of a text without a blank, in bytes.
func longestRun(text string) int {
	longest, from := 0, 0
	for i := range len(text) {
		if text[i] <= ' ' {
			longest, from = max(longest, i-from), i+1
		}
	}
	return max(longest, len(text)-from)
}
