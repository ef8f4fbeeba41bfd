package hooks

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A box is an object or array in a text: open is the offset behind its first
// bracket, end that of its last.
type box struct {
	text      []byte
	open, end int
	items     []item
}

// An item is a member or element: where it begins and ends, and where the comma
// behind it is, -1 if there is none.
type item struct{ start, end, comma int }

func boxOf(text []byte, v hujson.Value) box {
	b := box{text: text, open: v.StartOffset + 1, end: v.EndOffset - 1}
	add := func(start int, v hujson.Value) {
		comma := v.EndOffset + len(v.AfterExtra)
		if text[comma] != ',' {
			comma = -1
		}
		b.items = append(b.items, item{start, v.EndOffset, comma})
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			add(m.Name.StartOffset, m.Value)
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			add(e.StartOffset, e)
		}
	}
	return b
}

// behind is the offset from which on what stands before item i belongs to it.
func (b box) behind(i int) int {
	if i == 0 {
		return b.open
	}
	return b.items[i-1].comma + 1
}

// commented is the offset behind the last comment in a stretch of comments and
// white space, or else its beginning.
func (b box) commented(from, to int) int {
	return from + len(bytes.TrimRight(b.text[from:to], blank))
}

// indent is how the line that offset to is on is indented, if the stretch before it
// begins the line.
func (b box) indent(from, to int) (indent string, ok bool) {
	lead := b.text[from:to]
	at := bytes.LastIndexByte(lead, '\n')
	if at < 0 {
		return "", false
	}
	line := lead[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), true
}

// with is the text with a further item in the box. wide tells the layout of the
// text: its line end, and how much deeper its lines go.
func (b box) with(v value, wide layout) []byte {
	if len(b.items) == 0 {
		return b.filled(v, wide)
	}
	i := len(b.items) - 1
	last := b.items[i]
	from := last.end
	if last.comma >= 0 {
		from = last.comma + 1
	}
	at := b.commented(from, b.end)
	l, gap := layout{}, " "
	if indent, ok := b.indent(b.behind(i), last.start); ok {
		l = layout{wide.newline, indent, wide.unit}
		gap = l.lineBreak()
	} else if at > from {
		gap = wide.newline // it may be a comment to the end of the line
	}
	if last.comma >= 0 {
		return splice(b.text, cut{at, at, gap + laidOut(v, l) + ","})
	}
	return splice(b.text, cut{last.end, last.end, ","}, cut{at, at, gap + laidOut(v, l)})
}

// filled is the text with the only item of the box. It is laid out otherwise than a
// box that is made for an item, so that the two are told apart when it is taken
// out: on one line, with blanks around.
func (b box) filled(v value, wide layout) []byte {
	at := b.commented(b.open, b.end)
	if indent, ok := b.indent(at, b.end); ok {
		return splice(b.text, cut{at, at, wide.newline + indent + wide.unit + laidOut(v, layout{})})
	}
	return splice(b.text, cut{b.end, b.end, " " + laidOut(v, layout{}) + " "})
}

// without are the texts that the item may have been put into, the tidiest first.
// Those that are no JSON, because the end of a line comment went, are among them.
func (b box) without(i int) [][]byte {
	it := b.items[i]
	from := b.commented(b.behind(i), it.start)
	rest := it.end
	var comma []cut
	switch {
	case it.comma >= 0:
		rest = it.comma + 1
		comma = []cut{{from: it.comma, to: rest}}
	case i > 0:
		comma = []cut{{from: b.items[i-1].comma, to: b.items[i-1].comma + 1}}
	}
	own := func(from int, more ...cut) []byte {
		return splice(b.text, slices.Concat(comma, []cut{{from: from, to: it.end}}, more)...)
	}
	if len(b.items) > 1 {
		return [][]byte{own(from), own(it.start)}
	}
	tail := b.text[rest:b.end]
	blanks := len(tail) - len(bytes.TrimLeft(tail, blank))
	texts := [][]byte{own(from, cut{from: rest, to: rest + blanks}), own(from), own(it.start)}
	if b.text[it.start-1] == ' ' && b.text[rest] == ' ' {
		texts = append(texts, own(it.start-1, cut{from: rest, to: rest + 1}))
	}
	return texts
}

// plain reports whether an item is the only one of its box, without comments.
func (b box) plain() bool {
	if len(b.items) != 1 {
		return false
	}
	it := b.items[0]
	around := string(b.text[b.open:it.start]) + string(b.text[it.end:b.end])
	return strings.Trim(around, blank+",") == ""
}

// A cut replaces a stretch of a text.
type cut struct {
	from, to int
	text     string
}

// splice makes cuts, which are apart.
func splice(text []byte, cuts ...cut) []byte {
	slices.SortStableFunc(cuts, func(x, y cut) int { return x.from - y.from })
	var parts [][]byte
	at := 0
	for _, c := range cuts {
		parts = append(parts, text[at:c.from], []byte(c.text))
		at = c.to
	}
	return slices.Concat(append(parts, text[at:])...)
}
