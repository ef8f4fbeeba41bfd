package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A layout is how JSON is laid out: on one line if newline is "", or else each
// member and element on a line of its own, unit deeper than indent.
type layout struct{ newline, indent, unit string }

func (l layout) deeper() layout {
	l.indent += l.unit
	return l
}

// lineBreak is what stands before an item.
func (l layout) lineBreak() string {
	if l.newline == "" {
		return ""
	}
	return l.newline + l.indent
}

// A value is JSON to be written.
type value interface {
	write(b *strings.Builder, l layout)
}

type (
	// scalar is a value as it is written.
	scalar string
	member struct {
		name  string
		value value
	}
	object []member
	array  []value
)

func (s scalar) write(b *strings.Builder, _ layout) { b.WriteString(string(s)) }

func (m member) write(b *strings.Builder, l layout) {
	b.WriteString(quoted(m.name) + ": ")
	m.value.write(b, l)
}

func (o object) write(b *strings.Builder, l layout) {
	items := make([]value, len(o))
	for i, m := range o {
		items[i] = m
	}
	writeItems(b, "{", items, "}", l)
}

func (a array) write(b *strings.Builder, l layout) { writeItems(b, "[", a, "]", l) }

func writeItems(b *strings.Builder, before string, items []value, after string, l layout) {
	b.WriteString(before)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
			if l.newline == "" {
				b.WriteByte(' ')
			}
		}
		b.WriteString(l.deeper().lineBreak())
		item.write(b, l.deeper())
	}
	b.WriteString(l.lineBreak() + after)
}

func laidOut(v value, l layout) string {
	var b strings.Builder
	v.write(&b, l)
	return b.String()
}

// quoted is a JSON string; unlike json.Marshal it leaves <, > and & as they are.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string is always encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// newlineOf is the line end of a text: that of its first line.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// blank is what JSON counts as white space.
const blank = " \t\r\n"

// usualUnit is how much deeper lines go where a text does not tell.
const usualUnit = "  "
