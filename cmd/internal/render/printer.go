package render

import (
	"io"
	"strings"
)

// A printer writes text for people and remembers the first error of its writer:
// after one it writes nothing more.
type printer struct {
	Options
	w   io.Writer
	err error
}

// print writes clean text as it is.
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

// Spans writes spans on one line, cut at the terminal's width.
func Spans(w io.Writer, o Options, spans ...Span) error {
	p := &printer{Options: o, w: w}
	p.line(fit(spans, o.Width)...)
	return p.err
}

// colored returns the text in a Look, if the options allow colour.
func (o Options) colored(text string, look Look) string {
	if !o.Color || look == Plain {
		return text
	}
	return "\x1b[" + string(look) + "m" + text + "\x1b[0m"
}

// facts writes the facts that have a value, a line each, their names aligned. A terminal
// gets values wrapped beside the names.
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
