package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Objects and arrays are edited in the tree that hujson reads, which keeps the white
// space and comments around each value. Its own Patch drops comments beside what it
// removes, and wants the whole file laid out anew.

// extras returns what stands before each member or element, what stands behind each,
// and what stands before the closing bracket. What stands behind the last one is nil if
// no comma follows it.
func extras(v *hujson.Value) (before, behind []*hujson.Extra, end *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			before = append(before, &c.Members[i].Name.BeforeExtra)
			behind = append(behind, &c.Members[i].Value.AfterExtra)
		}
		return before, behind, &c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			before = append(before, &c.Elements[i].BeforeExtra)
			behind = append(behind, &c.Elements[i].AfterExtra)
		}
		return before, behind, &c.AfterExtra
	}
	return nil, nil, nil
}

// A layout says how values are added to a text.
type layout struct{ newline, unit string }

// add adds a member, or an element if name is "", at the end of an object or array. It
// is laid out like the one before it: on the same line, or on lines of its own.
func (l layout) add(text []byte, to *hujson.Value, name string, value any) {
	before, behind, end := extras(to)
	comments := bytes.TrimRight(*end, white)
	gap, lineBreak := " ", ""
	var after hujson.Extra
	if last := len(before) - 1; last < 0 {
		outer := l.newline + indentAt(text, to.StartOffset)
		lineBreak = outer + l.unit
		gap, *end = lineBreak, hujson.Extra(outer)
	} else {
		*end = bytes.Clone((*end)[len(comments):])
		if *behind[last] != nil {
			after = hujson.Extra{} // a comma stands behind the last one
		}
		if bytes.ContainsRune(*before[last], '\n') {
			lineBreak = l.newline + indentAt(*before[last], len(*before[last]))
			gap = lineBreak
		} else if len(comments) > 0 {
			gap = l.newline // it may be a comment to the end of the line
		}
	}
	extra := hujson.Extra(slices.Concat(comments, []byte(gap)))
	literal := hujson.Literal(l.format(value, lineBreak))
	switch c := to.Value.(type) {
	case *hujson.Object:
		c.Members = append(c.Members, hujson.ObjectMember{
			Name:  hujson.Value{BeforeExtra: extra, Value: hujson.String(name)},
			Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: literal, AfterExtra: after},
		})
	case *hujson.Array:
		c.Elements = append(c.Elements, hujson.Value{BeforeExtra: extra, Value: literal, AfterExtra: after})
	}
}

// format returns a value as JSON whose lines begin with lineBreak. All is on one line
// if that is "".
func (l layout) format(value any, lineBreak string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", l.unit)
	_ = e.Encode(value) //nolint:errchkjson // structs of texts and numbers
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if lineBreak == "" {
		for i, line := range lines {
			lines[i] = strings.TrimSpace(line)
			if strings.HasSuffix(line, ",") {
				lines[i] += " "
			}
		}
	}
	return strings.Join(lines, lineBreak)
}

// remove takes the value that a pointer leads to out of its object or array, and with
// it those around it that hold nothing else, no comment either. Comments stay.
func remove(text []byte, root *hujson.Value, pointer string) {
	inner := root.Find(pointer)
	parent := pointer[:strings.LastIndexByte(pointer, '/')]
	for parent != "" {
		outer := parent
		if group := strings.TrimSuffix(parent, "/hooks"); group != "" {
			outer = group
		}
		around := root.Find(outer)
		before, _, _ := extras(root.Find(parent))
		if len(before) > 1 || hasComment(text[around.StartOffset:inner.StartOffset]) ||
			hasComment(text[inner.EndOffset:around.EndOffset]) {
			break
		}
		pointer, parent = outer, outer[:strings.LastIndexByte(outer, '/')]
	}
	from := root.Find(parent)
	before, behind, end := extras(from)
	item := root.Find(pointer)
	i := slices.IndexFunc(behind, func(e *hujson.Extra) bool { return e == &item.AfterExtra })
	kept := slices.Concat(comments(*before[i]), comments(between(from, i)), *behind[i])
	switch {
	case i+1 < len(before):
		*before[i+1] = append(kept, *before[i+1]...)
	case i > 0:
		*end = slices.Concat(*behind[i-1], kept, *end)
		if *behind[i] == nil {
			*behind[i-1] = nil // no comma follows
		} else {
			*behind[i-1] = hujson.Extra{}
		}
	default:
		*end = append(kept, bytes.TrimLeft(*end, white)...)
	}
	switch c := from.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, i, i+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, i, i+1)
	}
}

// between returns what stands between the name and the value of a member.
func between(v *hujson.Value, i int) hujson.Extra {
	if object, ok := v.Value.(*hujson.Object); ok {
		return slices.Concat(object.Members[i].Name.AfterExtra, object.Members[i].Value.BeforeExtra)
	}
	return nil
}

// comments returns an extra up to the end of its last comment's line.
func comments(extra hujson.Extra) hujson.Extra {
	if hasComment(extra) {
		return bytes.TrimRight(extra, " \t")
	}
	return nil
}

func hasComment(text []byte) bool {
	return bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
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
