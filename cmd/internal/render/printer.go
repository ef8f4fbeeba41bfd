package render

import (
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// A printer writes text for people. It keeps the first error of its writer and writes
// nothing after it.
type printer struct {
	Options
	w   io.Writer
	err error
}

// print writes a text unchanged; it must be clean.
func (p *printer) print(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text)
	}
}

// line writes spans on one line, coloured if the options allow it. Blanks at
// the end of the line are left out.
func (p *printer) line(spans ...Span) {
	var b strings.Builder
	pending := "" // blanks that only count when something follows
	for _, s := range spans {
		text := strings.TrimRight(s.Text, " ")
		if text == "" {
			pending += s.Text
			continue
		}
		b.WriteString(pending)
		pending = s.Text[len(text):]
		b.WriteString(p.colored(text, s.Look))
	}
	p.print(b.String() + "\n")
}

// Spans writes spans as one line, cut at the width of the terminal.
func Spans(w io.Writer, o Options, spans ...Span) error {
	p := &printer{Options: o, w: w}
	p.line(fit(spans, o.Width)...)
	return p.err
}

// colored returns the text in a look, or unchanged if the options do not allow colour.
func (o Options) colored(text string, look Look) string {
	if !o.Color || look == Plain {
		return text
	}
	return "\x1b[" + string(look) + "m" + text + "\x1b[0m"
}

// facts writes a line for each fact that has a value, with the names aligned. On a
// terminal, long values are wrapped beside the names.
func (p *printer) facts(facts ...fact) {
	room := 0
	for _, f := range facts {
		if width(f.value) > 0 {
			room = max(room, len(f.name))
		}
	}
	for _, f := range facts {
		lines := [][]Span{f.value}
		if left := p.Width - room - gap; p.Width > 0 && width(f.value) > left {
			lines = wrap(f.value, left)
		}
		for _, line := range lines {
			if width(line) > 0 {
				p.line(append(pad([]Span{{f.name, Dim}}, room+gap), line...)...)
				f.name = ""
			}
		}
	}
}

// Look is the style of text: the parameters of an SGR sequence, "" for plain.
type Look string

// The looks. Alarm is for what a person must see, Match for what a search found.
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

// A Span is clean text in one look.
type Span struct {
	Text string
	Look Look
}

// Of returns a span of text in the look. The text must be clean.
func (l Look) Of(text string) Span { return Span{text, l} }

// width returns how many cells of a terminal the spans take.
func width(pieces []Span) int {
	sum := 0
	for _, p := range pieces {
		sum += Cells(p.Text)
	}
	return sum
}

// fit truncates spans to room cells, with "…" for the part that is left out. It truncates
// nothing if room is 0 or less.
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
		return append(kept, Span{truncate(p.Text, room-1) + "…", p.Look})
	}
	return kept
}

// pad appends spaces to spans until they are room cells wide.
func pad(pieces []Span, room int) []Span {
	if missing := room - width(pieces); missing > 0 {
		return append(pieces, Span{Text: strings.Repeat(" ", missing)})
	}
	return pieces
}

// Cells returns how many cells a clean text takes on a terminal that knows emoji. The
// locale of the process has no influence.
func Cells(text string) int {
	sum := 0
	for text != "" {
		cells, rest := nextCharacter(text)
		sum, text = sum+cells, rest
	}
	return sum
}

// Cut shortens a clean text to room cells, with "…" for the part that is left out. It cuts
// nothing if room is 0 or less.
func Cut(text string, room int) string {
	if room <= 0 || Cells(text) <= room {
		return text
	}
	return truncate(text, room-1) + "…"
}

// nextCharacter returns the width in cells of the first character that a terminal shows,
// and the text behind it. A mark that combines with an ASCII character counts as a
// character without a width: most text is ASCII, and looking ahead for marks is slow.
func nextCharacter(text string) (cells int, rest string) {
	switch c := text[0]; {
	case c < ' ' || c == 0x7F:
		return 0, text[1:]
	case c < 0x80:
		return 1, text[1:]
	}
	_, rest, cells, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	return cells, rest
}

// truncate returns the beginning of a clean text that takes at most room cells.
func truncate(text string, room int) string {
	rest := text
	for rest != "" {
		cells, behind := nextCharacter(rest)
		if room -= cells; room < 0 {
			break
		}
		rest = behind
	}
	return text[:len(text)-len(rest)]
}

// truncateLeft returns a clean text without its first cells. A wide character that is cut
// in half is replaced by a space.
func truncateLeft(text string, cells int) string {
	for text != "" && cells > 0 {
		wide, rest := nextCharacter(text)
		text, cells = rest, cells-wide
	}
	for text != "" { // a mark goes with the character before it
		wide, rest := nextCharacter(text)
		if wide > 0 {
			break
		}
		text = rest
	}
	return strings.Repeat(" ", max(-cells, 0)) + text
}
