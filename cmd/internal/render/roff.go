package render

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Roff builds a manual page in the macros of man(7).
type Roff struct{ text strings.Builder }

// NewRoff begins the manual page name(section). source is the program with its version,
// manual the title of the manual.
func NewRoff(name, section, source, manual string) *Roff {
	r := &Roff{}
	r.macro(".TH", strings.ToUpper(name), section, "", source, manual)
	r.text.WriteString(".nh\n.ad l\n")
	return r
}

// String returns the page.
func (r *Roff) String() string { return r.text.String() }

// Section begins a section with a title.
func (r *Roff) Section(title string) { r.macro(".SH", title) }

// Part begins a part of a section with a title.
func (r *Roff) Part(title string) { r.macro(".SS", title) }

// Text adds paragraphs, separated by empty lines. Indented lines are not filled.
func (r *Roff) Text(text string) {
	verbatim := false
	switchTo := func(on bool) {
		if on != verbatim {
			r.text.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[on])
			verbatim = on
		}
	}
	r.text.WriteString(".PP\n")
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		switch {
		case line == "":
			switchTo(false)
			r.text.WriteString(".PP\n")
			continue
		case strings.HasPrefix(line, " "):
			switchTo(true)
		default:
			switchTo(false)
		}
		r.line(line)
	}
	switchTo(false)
}

// Item adds an entry of a list: a term and its description.
func (r *Roff) Item(term, text string) {
	r.text.WriteString(".TP\n\\fB" + roff(term) + "\\fR\n")
	r.line(text)
}

// Verbatim adds lines that are not filled.
func (r *Roff) Verbatim(text string) {
	r.text.WriteString(".PP\n.nf\n")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		r.line(line)
	}
	r.text.WriteString(".fi\n")
}

// line writes a line of text, escaped so that roff does not take it for a request.
func (r *Roff) line(line string) {
	line = roff(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	r.text.WriteString(line + "\n")
}

// macro writes a request of roff with its arguments, each quoted.
func (r *Roff) macro(name string, words ...string) {
	r.text.WriteString(name)
	for _, word := range words {
		r.text.WriteString(` "` + strings.ReplaceAll(roff(word), `"`, `\(dq`) + `"`)
	}
	r.text.WriteString("\n")
}

// roff escapes a text so that each of its signs is shown as itself: an unescaped hyphen,
// quote or accent would come out as a typographic one, which cannot be copied.
func roff(text string) string {
	var b strings.Builder
	for _, r := range roffSigns.Replace(text) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\[u%04X]`, r)
	}
	return b.String()
}

var roffSigns = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)
