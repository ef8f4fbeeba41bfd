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

// line writes pieces on one line, coloured if the options allow it. Blanks at
// the end of the line are left out.
func (p *printer) line(pieces ...piece) {
	var b strings.Builder
	pending := "" // blanks that only count when something follows
	for _, piece := range pieces {
		text := strings.TrimRight(piece.text, " ")
		if text == "" {
			pending += piece.text
			continue
		}
		b.WriteString(pending)
		pending = piece.text[len(text):]
		b.WriteString(p.colored(text, piece.style))
	}
	p.print(b.String() + "\n")
}

// colored is the text in a style, if the options allow colour.
func (o Options) colored(text string, look style) string {
	if !o.Color || look == plain {
		return text
	}
	return "\x1b[" + string(look) + "m" + text + "\x1b[0m"
}

// facts writes the facts that have a value, a line each, their names aligned.
func (p *printer) facts(facts ...fact) {
	room := 0
	for _, f := range facts {
		if width(f.value) > 0 {
			room = max(room, len(f.name))
		}
	}
	for _, f := range facts {
		if width(f.value) > 0 {
			p.line(append(pad([]piece{{f.name, dim}}, room+gap), f.value...)...)
		}
	}
}
