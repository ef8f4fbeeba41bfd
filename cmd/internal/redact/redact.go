// Package redact masks credentials in text that leaves the machine's files for the
// eyes of an agent or of others. They are recognized by their beginnings, so it finds
// what somebody pasted, not what somebody hides.
package redact

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed rules.txt
var rules string

// A secret is a kind of credential: its name, the words of which a text with such a
// credential contains one, and its pattern.
type secret struct {
	name    string
	any     []string
	pattern string
	digit   bool
}

// secrets returns the kinds of rules.txt, which is parsed at the first call.
var secrets = sync.OnceValue(func() []secret {
	var list []secret
	for _, block := range strings.Split(strings.TrimSuffix(rules, "\n"), "\n\n")[1:] {
		lines := strings.Split(block, "\n\t")
		name, digit := strings.CutSuffix(lines[0], " *")
		begins := strings.Split(strings.TrimSuffix(lines[1], "|"), "|")
		list = append(list, secret{name, begins, strings.Join(lines[2:], ""), digit})
	}
	return list
})

// A word is a text that shows where a secret may be, with the index of the secret.
type word struct {
	text   string
	secret int
}

// A lexicon has the words of all secrets by their first two bytes, and the patterns of
// secrets, each compiled when it is first used.
type lexicon struct {
	begins   [1 << 16]bool // most texts contain none of them, which is then found quickly
	words    map[uint16][]word
	patterns []func() *regexp.Regexp
}

// words returns the lexicon, which is made at the first call.
var words = sync.OnceValue(func() *lexicon {
	l := &lexicon{words: map[uint16][]word{}}
	for i, s := range secrets() {
		l.patterns = append(l.patterns, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s.pattern) }))
		for _, text := range s.any {
			two := pair(text, 0)
			l.begins[two] = true
			l.words[two] = append(l.words[two], word{text, i})
		}
	}
	return l
})

// pair returns the two bytes of text at an offset as one number.
func pair(text string, at int) uint16 { return uint16(text[at])<<8 | uint16(text[at+1]) }

// Text replaces each credential in a text of one or more lines by the name of its kind in
// brackets, and returns how many it replaced. It takes time linear in the length of the
// text; a text without credentials is returned unchanged.
func Text(text string) (masked string, n int) {
	for i, tried := range candidates(text) {
		if tried {
			var found int
			text, found = mask(text, &secrets()[i], words().patterns[i]())
			n += found
		}
	}
	return text, n
}

// Rules returns a fingerprint of the rules. If it differs from the one with which a text
// was masked, the text has to be masked again.
func Rules() string {
	sum := sha256.Sum256(fmt.Append(nil, secrets()))
	return hex.EncodeToString(sum[:8])
}

// candidates returns, for each secret, whether the text contains one of its words; nil for
// most texts, which contain none.
func candidates(text string) []bool {
	var tried []bool
	l := words()
	for at := 0; at+1 < len(text); at++ {
		two := pair(text, at)
		if !l.begins[two] {
			continue
		}
		for _, w := range l.words[two] {
			if !strings.HasPrefix(text[at:], w.text) {
				continue
			}
			if tried == nil {
				tried = make([]bool, len(l.patterns))
			}
			tried[w.secret] = true
		}
	}
	return tried
}

// mask replaces the credentials of one kind in a text by its name in brackets, and returns
// how many it replaced.
func mask(text string, s *secret, re *regexp.Regexp) (masked string, n int) {
	at := max(re.SubexpIndex("s"), 0)
	var b strings.Builder
	from := 0
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		if s.digit && !strings.ContainsAny(text[m[2*at]:m[2*at+1]], "0123456789") {
			continue
		}
		b.WriteString(text[from:m[2*at]])
		b.WriteString("[" + s.name + " masked]")
		from = m[2*at+1]
		n++
	}
	return b.String() + text[from:], n
}
