package render

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/OWNER/handex/index"
)

// snippet returns a line of a handoff with what matches marked, cut on a terminal so
// that the first match shows.
func (o Options) snippet(s index.Snippet) []Span {
	line := []Span{{"    " + place(s), Dim}}
	marked := marks(s)
	if o.Width == 0 {
		return append(line, marked...)
	}
	room := max(o.Width-width(line), 1)
	return append(line, fit(scroll(marked, room), room)...)
}

// markForm matches the signs of Markdown in a line.
var markForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^\\s*(?:(?:#{1,6}|[-*+>|]|\\d{1,9}[.)])\\s+)+(?:\\[[ xX]\\]\\s+)?|\\s\\||\\|\\s*$|\\*\\*|`")
})

// unmarked returns a snippet without the signs of Markdown.
func unmarked(s index.Snippet) index.Snippet {
	cuts := markForm().FindAllStringIndex(s.Text, -1)
	before := func(at int) (n int) {
		for _, cut := range cuts {
			n += max(min(cut[1], at)-cut[0], 0)
		}
		return at - n
	}
	spans := make([][2]int, len(s.Spans))
	for i, span := range s.Spans {
		spans[i] = [2]int{before(span[0]), before(span[1])}
	}
	var b strings.Builder
	at := 0
	for _, cut := range cuts {
		b.WriteString(s.Text[at:cut[0]])
		at = cut[1]
	}
	s.Text, s.Spans = b.String()+s.Text[at:], spans
	return s
}

// repeats reports whether a line says nothing but a title, or a part of it.
func repeats(line, title string) bool {
	line = strings.TrimSuffix(line, "…")
	return strings.Contains(title, line) || strings.Contains(line, title) && 2*len(title) > len(line)
}

// place returns where a snippet is: "next:31 ".
func place(s index.Snippet) string {
	name := Line(s.Section)
	if s.Line > 0 {
		name += ":" + strconv.Itoa(s.Line)
	}
	if name == "" {
		return ""
	}
	return name + "  "
}

// marks splits a snippet's text into what matches and what does not. Spans out
// of order or of the text are passed over.
func marks(s index.Snippet) []Span {
	var pieces []Span
	at := 0
	add := func(end int, look Look) {
		if text := squeeze(s.Text[at:end], at == 0, end == len(s.Text)); text != "" {
			pieces = append(pieces, Span{text, look})
		}
		at = end
	}
	for _, span := range s.Spans {
		start, end := boundary(s.Text, span[0]), boundary(s.Text, span[1])
		if start < at || end <= start {
			continue
		}
		add(start, Plain)
		add(end, Match)
	}
	add(len(s.Text), Plain)
	return pieces
}

// boundary moves a byte offset into text, and back to the start of a character.
func boundary(text string, at int) int {
	at = min(max(at, 0), len(text))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// squeeze is like Line for a part of a line: blanks at its ends stay, as one, where
// they are not the line's ends.
func squeeze(text string, first, last bool) string {
	line := Line(text)
	if line == "" && text != "" && !first && !last {
		return " "
	}
	if line == "" {
		return ""
	}
	if !first && strings.TrimLeft(text[:1], " \t") == "" {
		line = " " + line
	}
	if !last && strings.TrimLeft(text[len(text)-1:], " \t") == "" {
		line += " "
	}
	return line
}

// scroll leaves out the beginning of pieces that would push the first match
// out of sight.
func scroll(pieces []Span, room int) []Span {
	if len(pieces) < 2 || pieces[0].Look == Match || width(pieces) <= room {
		return pieces
	}
	lead := Cells(pieces[0].Text)
	if lead+Cells(pieces[1].Text) < room {
		return pieces
	}
	text := truncateLeft(pieces[0].Text, lead-room/4)
	return append([]Span{{"…" + text, Plain}}, pieces[1:]...)
}
