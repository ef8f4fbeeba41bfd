package index

import (
	"fmt"
	"strconv"
	"strings"

	"handex/parse"
)

// kinds are the columns of body that hold text of sections, in the table's order.
var kinds = []parse.Kind{
	parse.Goal, parse.State, parse.Next, parse.Done, parse.Gotchas, parse.Risks, parse.Blockers, parse.Questions,
	parse.Decisions, parse.Approaches, parse.Worked, parse.Failed, parse.Partial, parse.Context, parse.Advice,
	parse.Reflection, parse.Hypothesis, parse.Outcome, parse.Checks, parse.Files, parse.Other,
}

// columnOf is the position of a kind in kinds; text of no known kind is other.
var columnOf = func() map[parse.Kind]int {
	m := map[parse.Kind]int{}
	for i, k := range kinds {
		m[k] = i
	}
	return m
}()

// A layout is how the text of a handoff lies in a row of body, as the comment
// of handoff.sections in schema.sql says: pieces in file order, each with the
// length of its heading and of its text.
type layout struct {
	heading string
	text    [21]string // by kind
	pieces  []piece
}

// A piece is an element of handoff.sections.
type piece struct {
	kind       parse.Kind
	level      int
	line, end  int
	heading    int // bytes
	body       int // bytes
	firstLine  int // where the text begins, from 1; 0 unknown; negative: see lineOf
	headingStr string
	text       string
}

// Levels of pieces that are no section of their own.
const (
	levelPart  = -1
	levelField = -2
)

func (p piece) section() bool { return p.level >= 0 }

// lineOf is the line of the file of line n of the text, from 0. Of a text that
// is no run of lines of the file, only the line it begins on is known.
func lineOf(first, n int) int {
	if first <= 0 {
		return -first
	}
	return first + n
}

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
	var text [21]strings.Builder
	for i := range pieces {
		p := &pieces[i]
		p.headingStr, p.text = withoutNUL(p.headingStr), withoutNUL(p.text)
		if p.section() {
			p.heading = len(p.headingStr)
			heading.WriteString(p.headingStr)
			heading.WriteByte('\n')
		}
		p.body = len(p.text)
		col := &text[columnOf[p.kind]]
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
	if _, ok := columnOf[k]; ok {
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

// readLayout is the inverse of layOut: the pieces of a handoff, each with its
// heading and text. An index that contradicts itself is ErrCorrupt.
func readLayout(sections, heading string, text [21]string) ([]piece, error) {
	pieces, err := readPieces(sections)
	if err != nil {
		return nil, err
	}
	for i := range pieces {
		p := &pieces[i]
		if p.section() {
			if p.headingStr, heading, err = cut(heading, p.heading); err != nil {
				return nil, err
			}
		}
		col := &text[columnOf[p.kind]]
		if p.text, *col, err = cut(*col, p.body); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// A packedText is the text of a handoff as Bodies hands it over.
type packedText struct {
	title, head string
	pieces      []piece
}

// unpack takes a value of Bodies apart.
func unpack(pack string) (packedText, error) {
	var part [4]string // title, heading, head, sections
	var text [21]string
	rest, more := pack, true
	for i := range len(part) + len(text) {
		var s string
		if !more {
			return packedText{}, fmt.Errorf("%w: a text is missing", ErrCorrupt)
		}
		if s, rest, more = strings.Cut(rest, "\x00"); i < len(part) {
			part[i] = s
		} else {
			text[i-len(part)] = s
		}
	}
	if more {
		return packedText{}, fmt.Errorf("%w: a text holds NUL", ErrCorrupt)
	}
	pieces, err := readLayout(part[3], part[1], text)
	return packedText{part[0], part[2], pieces}, err
}

// readPieces reads handoff.sections; headings and texts are left empty. A page
// of hits reads hundreds, so it knows the one form that sections writes.
func readPieces(sections string) ([]piece, error) {
	bad := fmt.Errorf("%w: sections %.100q", ErrCorrupt, sections)
	rest, ok := strings.CutPrefix(sections, "[")
	if !ok {
		return nil, bad
	}
	pieces := make([]piece, 0, strings.Count(rest, "["))
	for rest != "]" {
		row, after, ok := strings.Cut(strings.TrimPrefix(rest, ","), "]")
		p, good := readPiece(row)
		if !ok || !good {
			return nil, bad
		}
		pieces = append(pieces, p)
		rest = after
	}
	return pieces, nil
}

func readPiece(row string) (p piece, ok bool) {
	row, ok = strings.CutPrefix(row, `["`)
	if !ok {
		return p, false
	}
	kind, row, ok := strings.Cut(row, `",`)
	var n [6]int
	read, more := 0, true
	for ; read < len(n) && more; read++ {
		var word string
		var err error
		word, row, more = strings.Cut(row, ",")
		n[read], err = strconv.Atoi(word)
		ok = ok && err == nil
	}
	if read == len(n)-1 {
		n[read] = n[1] + 1
	}
	ok = ok && !more && read >= len(n)-1
	return piece{kind: kindColumn(parse.Kind(kind)), level: n[0], line: n[1], end: n[2], heading: n[3], body: n[4], firstLine: n[5]}, ok
}

// cut takes n bytes and the newline behind them off s.
func cut(s string, n int) (head, rest string, err error) {
	if n < 0 || n >= len(s) || s[n] != '\n' {
		return "", "", fmt.Errorf("%w: sections do not fit the text", ErrCorrupt)
	}
	return s[:n], s[n+1:], nil
}

// sectionsOf puts pieces together again. Offsets in the file are not kept, so
// spans have lines only.
func sectionsOf(pieces []piece) []parse.Section {
	var out []parse.Section
	for _, p := range pieces {
		switch {
		case p.section():
			out = append(out, parse.Section{
				Kind: p.kind, Heading: p.headingStr, Slug: slug(p.headingStr), Level: p.level, Body: p.text,
				BodyLine: lineOf(p.firstLine, 0), Span: parse.Span{Line: p.line, EndLine: p.end},
			})
		case p.level == levelPart && len(out) > 0:
			s := &out[len(out)-1]
			if len(s.Parts) == 0 && s.Body != "" {
				s.Parts = []parse.Part{{Kind: s.Kind, Text: s.Body}}
			}
			s.Parts = append(s.Parts, parse.Part{Kind: p.kind, Text: p.text})
			s.Body += p.text
		}
	}
	return out
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
	items := parse.ItemsOf(p.kind, p.text, p.firstLine)
	if p.firstLine < 0 {
		for i := range items {
			items[i].Line = lineOf(p.firstLine, 0)
		}
	}
	return items
}
