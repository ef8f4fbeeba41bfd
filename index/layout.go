package index

import (
	"strings"
	"sync"

	"handex/index/internal/snippet"
	"handex/parse"
)

// kinds are the columns of body that hold text of sections, in the table's order.
var kinds = []parse.Kind{
	parse.Goal, parse.State, parse.Next, parse.Done, parse.Gotchas, parse.Risks, parse.Blockers, parse.Questions,
	parse.Human, parse.Decisions, parse.Approaches, parse.Worked, parse.Failed, parse.Partial, parse.Context, parse.Advice,
	parse.Reflection, parse.Hypothesis, parse.Outcome, parse.Checks, parse.Files, parse.Other,
}

// columnOf is the position of a kind in kinds; text of no known kind is other.
var columnOf = sync.OnceValue(func() map[parse.Kind]int {
	m := map[parse.Kind]int{}
	for i, k := range kinds {
		m[k] = i
	}
	return m
})

// A layout is how the text of a handoff lies in a row of body, as the comment
// of handoff.sections in schema.sql says: pieces in file order, each with the
// length of its heading and of its text.
type layout struct {
	heading string
	text    [22]string // by kind
	pieces  []piece
}

// A piece is an element of handoff.sections.
type piece struct {
	kind       parse.Kind
	level      int
	line, end  int
	heading    int // bytes
	body       int // bytes
	firstLine  int // where the text begins, from 1; 0 unknown; negative: see snippet.LineOf
	headingStr string
	text       string
}

// Levels of pieces that are no section of their own.
const (
	levelPart  = -1
	levelField = -2
)

func (p piece) section() bool { return p.level >= 0 }

// mark makes firstLine negative where the text is no run of the lines of the
// file: YAML and JSON values become lists that leave lines out.
func (p piece) mark(lines []string) piece {
	at := p.firstLine - 1
	for line := range strings.Lines(p.text) {
		words := strings.TrimLeft(line, " -")
		if at < 0 || at >= len(lines) || !strings.Contains(lines[at], strings.TrimSpace(words)) {
			p.firstLine = -p.firstLine
			return p
		}
		at++
	}
	return p
}

// layOut lays the text of d into columns.
func layOut(d *parse.Document, raw []byte) layout {
	var pieces []piece
	for _, f := range d.Fields {
		switch k := parse.Kind(f.Key); k {
		case parse.Goal, parse.State, parse.Hypothesis, parse.Outcome:
			pieces = append(pieces, piece{kind: k, level: levelField, line: f.Span.Line, end: f.Span.EndLine, firstLine: f.Span.Line, text: f.Value})
		}
	}
	for _, s := range d.Sections {
		pieces = append(pieces, piecesOf(s)...)
	}
	if d.Shape != parse.Markdown && d.Shape != parse.Text {
		lines := strings.Split(string(raw), "\n")
		for i := range pieces {
			pieces[i] = pieces[i].mark(lines)
		}
	}
	l := layout{pieces: pieces}
	var heading strings.Builder
	var text [22]strings.Builder
	for i := range pieces {
		p := &pieces[i]
		p.headingStr, p.text = withoutNUL(p.headingStr), withoutNUL(p.text)
		if p.section() {
			p.heading = len(p.headingStr)
			heading.WriteString(p.headingStr)
			heading.WriteByte('\n')
		}
		p.body = len(p.text)
		col := &text[columnOf()[p.kind]]
		col.WriteString(p.text)
		col.WriteByte('\n')
	}
	l.heading = heading.String()
	for i := range text {
		l.text[i] = text[i].String()
	}
	return l
}

// withoutNUL is s with NUL shown as what cannot be shown: SQLite's functions
// stop at it, and Bodies divides texts by it. Parse lets none through.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }

// piecesOf is a section and its parts. The first part stays in the section's
// own piece if it is of the section's kind.
func piecesOf(s parse.Section) []piece {
	first := piece{
		kind: kindColumn(s.Kind), level: min(max(s.Level, 0), 6), line: s.Span.Line, end: s.Span.EndLine,
		firstLine: s.BodyLine, headingStr: s.Heading, text: s.Body,
	}
	if len(s.Parts) == 0 {
		return []piece{first}
	}
	parts := s.Parts
	first.text = ""
	if kindColumn(parts[0].Kind) == first.kind {
		first.text = parts[0].Text
		parts = parts[1:]
	}
	out := []piece{first}
	at := first.firstLine + strings.Count(first.text, "\n")
	for _, p := range parts {
		out = append(out, piece{kind: kindColumn(p.Kind), level: levelPart, line: s.Span.Line, end: s.Span.EndLine, firstLine: at, text: p.Text})
		at += strings.Count(p.Text, "\n")
	}
	return out
}

func kindColumn(k parse.Kind) parse.Kind {
	if _, ok := columnOf()[k]; ok {
		return k
	}
	return parse.Other
}

// sections is the JSON of handoff.sections.
func (l layout) sections() string {
	var r rows
	for _, p := range l.pieces {
		r.row().text(string(p.kind)).int(int64(p.level), int64(p.line), int64(p.end), int64(p.heading), int64(p.body))
		if p.firstLine != p.line+1 {
			r.int(int64(p.firstLine))
		}
		r.end()
	}
	return r.take()
}

// itemLines are the texts of the list items by line, if they are wanted. A line
// with several has none.
func (l layout) itemLines(wanted bool) map[int]string {
	if !wanted {
		return nil
	}
	var items []parse.Item
	for _, p := range l.pieces {
		if p.level != levelField {
			items = append(items, p.items()...)
		}
	}
	return itemLines(items)
}

func itemLines(items []parse.Item) map[int]string {
	lines := map[int]string{}
	for _, it := range items {
		if _, ok := lines[it.Line]; ok {
			lines[it.Line] = ""
		} else {
			lines[it.Line] = it.Text
		}
	}
	return lines
}

// items are the list items of a piece.
func (p piece) items() []parse.Item {
	items := parse.ItemsOf(p.kind, p.headingStr, p.text, p.firstLine)
	if p.firstLine < 0 {
		for i := range items {
			items[i].Line = snippet.LineOf(p.firstLine, 0)
		}
	}
	return items
}
