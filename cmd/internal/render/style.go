package render

import "strings"

// Look is how text looks: the parameters of an SGR sequence, "" for plain.
type Look string

// The looks. Alarm is of what a person must see, Match of what a search found.
const (
	Plain  Look = ""
	Bold   Look = "1"
	Dim    Look = "2"
	Red    Look = "31"
	Green  Look = "32"
	Yellow Look = "33"
	Cyan   Look = "36"
	Alarm  Look = "1;31"
	Match  Look = "1;31"
)

// A Span is clean text of one look.
type Span struct {
	Text string
	Look Look
}

// Of returns a span of clean text in the look.
func (l Look) Of(text string) Span { return Span{text, l} }

// flat returns the text of spans.
func flat(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// width returns how many cells spans take.
func width(pieces []Span) int {
	sum := 0
	for _, p := range pieces {
		sum += Cells(p.Text)
	}
	return sum
}

// fit truncates pieces to a width in terminal cells, with "…" in place of what is left
// out. It truncates nothing if room is 0 or less.
func fit(pieces []Span, room int) []Span {
	if room <= 0 || width(pieces) <= room {
		return pieces
	}
	var kept []Span
	for _, p := range pieces {
		w := Cells(p.Text)
		if w < room {
			kept = append(kept, p)
			room -= w
			continue
		}
		text := truncate(p.Text, room-1)
		kept = append(kept, Span{text + "…", p.Look})
		break
	}
	return kept
}

// pad fills pieces with spaces to a width in cells.
func pad(pieces []Span, room int) []Span {
	if missing := room - width(pieces); missing > 0 {
		return append(pieces, Span{Text: strings.Repeat(" ", missing)})
	}
	return pieces
}
