// Package redact masks credentials in text that leaves the machine's files for the
// eyes of an agent or of others. They are told by what they begin with, so it finds
// what somebody pasted, not what somebody hides.
package redact

import (
	"regexp"
	"strings"
	"sync"
)

// compiled are the patterns, each compiled when it is first tried.
var compiled = sync.OnceValue(func() []func() *regexp.Regexp {
	list := make([]func() *regexp.Regexp, len(secrets))
	for i, s := range secrets {
		list[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s.pattern) })
	}
	return list
})

// Text replaces each credential in a text, of one line or of many, by the name of
// its kind in brackets and tells how many there were. It takes time linear in the
// length of the text; text that holds none is returned as it is.
func Text(text string) (masked string, n int) {
	for i, tried := range words().in(text) {
		if tried {
			var found int
			text, found = mask(text, &secrets[i], compiled()[i]())
			n += found
		}
	}
	return text, n
}

// mask masks the credentials of one kind.
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
