package render

import "io"

// Look is how a span of text looks.
type Look string

// The looks.
const (
	Plain = Look(plain)
	Bold  = Look(bold)
	Dim   = Look(dim)
	Alarm = Look(alarm)
	Good  = Look(green)
	Fresh = Look(cyan)
)

// A Span is clean text of one look.
type Span struct {
	Text string
	Look Look
}

// Cells is how many cells of a terminal a clean text takes.
func Cells(text string) int { return cells(text) }

// Cut shortens a clean text to a width in cells, with "…" for what is left out.
// Room 0 or less cuts nothing.
func Cut(text string, room int) string {
	if kept := fit([]piece{{text, plain}}, room); len(kept) > 0 {
		return kept[0].text
	}
	return ""
}

// Spans writes spans on one line, cut at the terminal's width.
func Spans(w io.Writer, o Options, spans ...Span) error {
	pieces := make([]piece, len(spans))
	for i, s := range spans {
		pieces[i] = piece{s.Text, style(s.Look)}
	}
	p := &printer{Options: o, w: w}
	p.line(fit(pieces, o.Width)...)
	return p.err
}
