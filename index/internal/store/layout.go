package store

import (
	"strings"
	"sync"
	"unicode"

	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/parse"
)

// Kinds are the columns of body that contain text of sections, in the table's order.
var Kinds = []parse.Kind{
	parse.Goal, parse.State, parse.Next, parse.Done, parse.Gotchas, parse.Risks, parse.Blockers, parse.Questions,
	parse.Human, parse.Decisions, parse.Approaches, parse.Worked, parse.Failed, parse.Partial, parse.Context, parse.Advice,
	parse.Reflection, parse.Hypothesis, parse.Outcome, parse.Checks, parse.Files, parse.Other,
}

// ColumnOf returns the position of each kind in Kinds. Text of an unknown kind belongs in the
// column of Other.
var ColumnOf = sync.OnceValue(func() map[parse.Kind]int {
	m := map[parse.Kind]int{}
	for i, k := range Kinds {
		m[k] = i
	}
	return m
})

// A Layout is the text of a handoff as a row of body stores it, described at handoff.sections in
// schema.sql: pieces in file order, each with the length of its heading and of its text.
type Layout struct {
	Heading string
	Text    [22]string // by kind
	pieces  []Piece
}

// A Piece is an element of handoff.sections.
type Piece struct {
	Kind       parse.Kind
	Level      int
	Line, end  int
	heading    int // bytes
	body       int // bytes
	FirstLine  int // where the text begins, from 1; 0 unknown; negative: see snippet.LineOf
	HeadingStr string
	Text       string
}

// Levels of pieces that are no section of their own.
const (
	levelPart  = -1
	LevelField = -2
)

// IsSection reports whether the piece begins a section.
func (p Piece) IsSection() bool { return p.Level >= 0 }

// mark returns p with FirstLine negated if the text is no run of the lines of the file: YAML and
// JSON values become lists that leave lines out.
func (p Piece) mark(lines []string) Piece {
	at := p.FirstLine - 1
	for line := range strings.Lines(p.Text) {
		words := strings.TrimLeft(line, " -")
		if at < 0 || at >= len(lines) || !strings.Contains(lines[at], strings.TrimSpace(words)) {
			p.FirstLine = -p.FirstLine
			return p
		}
		at++
	}
	return p
}

// NewLayout returns the layout of document d; raw is the content of its file.
func NewLayout(d *parse.Document, raw []byte) Layout {
	var pieces []Piece
	for _, f := range d.Fields {
		switch k := parse.Kind(f.Key); k {
		case parse.Goal, parse.State, parse.Hypothesis, parse.Outcome:
			pieces = append(pieces, Piece{
				Kind: k, Level: LevelField, Line: f.Span.Line, end: f.Span.EndLine,
				FirstLine: f.Span.Line, Text: f.Value,
			})
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
	l := Layout{pieces: pieces}
	var heading strings.Builder
	var text [22]strings.Builder
	for i := range pieces {
		p := &pieces[i]
		p.HeadingStr, p.Text = WithoutNUL(p.HeadingStr), WithoutNUL(p.Text)
		if p.IsSection() {
			p.heading = len(p.HeadingStr)
			heading.WriteString(p.HeadingStr)
			heading.WriteByte('\n')
		}
		p.body = len(p.Text)
		col := &text[ColumnOf()[p.Kind]]
		col.WriteString(p.Text)
		col.WriteByte('\n')
	}
	l.Heading = heading.String()
	for i := range text {
		l.Text[i] = text[i].String()
	}
	return l
}

// WithoutNUL returns s with each NUL replaced by U+FFFD: SQLite's functions stop at NUL, and Bodies
// separates texts by it.
func WithoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }

// piecesOf returns the pieces of a section: one for the section and one for each part. The first
// part is in the section's piece if it is of the same kind.
func piecesOf(s parse.Section) []Piece {
	first := Piece{
		Kind: kindColumn(s.Kind), Level: min(max(s.Level, 0), 6), Line: s.Span.Line, end: s.Span.EndLine,
		FirstLine: s.BodyLine, HeadingStr: s.Heading, Text: s.Body,
	}
	if len(s.Parts) == 0 {
		return []Piece{first}
	}
	parts := s.Parts
	first.Text = ""
	if kindColumn(parts[0].Kind) == first.Kind {
		first.Text = parts[0].Text
		parts = parts[1:]
	}
	out := []Piece{first}
	at := first.FirstLine + strings.Count(first.Text, "\n")
	for _, p := range parts {
		out = append(out, Piece{
			Kind: kindColumn(p.Kind), Level: levelPart, Line: s.Span.Line, end: s.Span.EndLine,
			FirstLine: at, Text: p.Text,
		})
		at += strings.Count(p.Text, "\n")
	}
	return out
}

// kindColumn returns k, or Other if body has no column for k.
func kindColumn(k parse.Kind) parse.Kind {
	if _, ok := ColumnOf()[k]; ok {
		return k
	}
	return parse.Other
}

// Sections returns the pieces as the JSON of handoff.sections.
func (l Layout) Sections() string {
	var r Rows
	for _, p := range l.pieces {
		r.Row().Text(string(p.Kind)).Int(int64(p.Level), int64(p.Line), int64(p.end), int64(p.heading), int64(p.body))
		if p.FirstLine != p.Line+1 {
			r.Int(int64(p.FirstLine))
		}
		r.End()
	}
	return r.Take()
}

// ItemLines returns the text of each list item by its line, nil if wanted is false. A line with
// several items has the text "".
func (l Layout) ItemLines(wanted bool) map[int]string {
	if !wanted {
		return nil
	}
	var items []parse.Item
	for _, p := range l.pieces {
		if p.Level != LevelField {
			items = append(items, p.items()...)
		}
	}
	return itemLines(items)
}

// itemLines returns the text of each item by its line, "" for a line with several.
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

// items returns the list items of a piece.
func (p Piece) items() []parse.Item {
	items := parse.ItemsOf(p.Kind, p.HeadingStr, p.Text, p.FirstLine)
	if p.FirstLine < 0 {
		for i := range items {
			items[i].Line = snippet.LineOf(p.FirstLine, 0)
		}
	}
	return items
}

// Slug returns the heading in lower case, its letters and digits joined by "-": the same as
// parse.Section.Slug, which the index does not keep.
func Slug(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
