package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A box is an object or array in a text: open is the offset behind its first
// bracket, end that of its last. It is edited in the text: hujson's own Patch drops
// comments beside what it removes, and wants the whole file laid out anew.
type box struct {
	text      []byte
	open, end int
	items     []item
}

// An item is a member or element: where it begins and ends, and where the comma
// behind it is, -1 if there is none.
type item struct{ start, end, comma int }

func boxOf(text []byte, v *hujson.Value) box {
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

// white is what JSON counts as white space.
const white = " \t\r\n"

// behind is the offset behind the comma, or the bracket, that item i follows.
func (b box) behind(i int) int {
	if i == 0 {
		return b.open
	}
	return b.items[i-1].comma + 1
}

// afterComments returns the offset behind the last comment in a stretch of comments
// and white space, from if there is none.
func (b box) afterComments(from, to int) int {
	return from + len(bytes.TrimRight(b.text[from:to], white))
}

// add returns the text with a further item at the end of the box: a member, or an
// element if name is "". It is laid out like the item before it: on the same line, or
// on lines of its own.
func (b box) add(name string, v any, unit string) []byte {
	newline := newlineOf(b.text)
	if len(b.items) == 0 {
		outer := newline + indentAt(b.text, b.open)
		at := b.afterComments(b.open, b.end)
		return splice(b.text, cut{at, b.end, outer + unit + jsonItem(name, v, outer+unit, unit) + outer})
	}
	i := len(b.items) - 1
	last := b.items[i]
	comma := cut{last.end, last.end, ","}
	from, behind := last.end, ""
	if last.comma >= 0 {
		comma, from, behind = cut{}, last.comma+1, ","
	}
	at := b.afterComments(from, b.end)
	gap, lineBreak := " ", ""
	if bytes.ContainsRune(b.text[b.behind(i):last.start], '\n') {
		lineBreak = newline + indentAt(b.text, last.start)
		gap = lineBreak
	} else if at > from {
		gap = newline // it may be a comment to the end of the line
	}
	return splice(b.text, comma, cut{at, at, gap + jsonItem(name, v, lineBreak, unit) + behind})
}

// jsonItem is a member, or an element if name is "". Its lines begin with lineBreak;
// all is on one line if that is "".
func jsonItem(name string, v any, lineBreak, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", unit)
	_ = e.Encode(v) //nolint:errchkjson // structs of texts and numbers
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if lineBreak == "" {
		for i, line := range lines {
			lines[i] = strings.TrimSpace(line)
			if strings.HasSuffix(line, ",") {
				lines[i] += " "
			}
		}
	}
	text := strings.Join(lines, lineBreak)
	if name == "" {
		return text
	}
	return quoted(name) + ": " + text
}

// remove returns the text without item i and its comma. Comments stay.
func (b box) remove(i int) []byte {
	it := b.items[i]
	from, to := b.behind(i), it.end
	if at := b.afterComments(from, it.start); at > from {
		// It may be a comment to the end of the line.
		from = max(at, it.start-len(indentAt(b.text, it.start)))
	}
	var comma cut
	switch {
	case it.comma >= 0:
		comma = cut{it.comma, it.comma + 1, ""}
		to = comma.to
	case i > 0:
		comma = cut{b.items[i-1].comma, b.items[i-1].comma + 1, ""}
	}
	cuts := []cut{comma, {from, it.end, ""}}
	if len(b.items) == 1 {
		rest := b.text[to:b.end]
		cuts = append(cuts, cut{to, b.end - len(bytes.TrimLeft(rest, white)), ""})
	}
	return splice(b.text, cuts...)
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

// indentAt is the white space at the beginning of the line that an offset is on.
func indentAt(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// newlineOf is the line end of a text: that of its first line.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// quoted is a string in JSON and TOML.
func quoted(text string) string { return string(hujson.String(text)) }
