package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"handex/index"
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

// place returns where a snippet stands: "next:31 ".
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
	text := terminal.TruncateLeft(pieces[0].Text, lead-room/4, "")
	return append([]Span{{"…" + text, Plain}}, pieces[1:]...)
}
