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
// removes, and needs the whole file to be formatted again.

// extras returns the white space and comments in an object or array: before each member or
// element, after each, and before the closing bracket. The text after the last one is nil
// if no comma follows it.
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

// elementsOf returns the elements of an array, nil for any other value.
func elementsOf(v *hujson.Value) []hujson.Value {
	if v != nil {
		if list, ok := v.Value.(*hujson.Array); ok {
			return list.Elements
		}
	}
	return nil
}

// textAt returns the string at a JSON pointer below v, "" if there is none.
func textAt(v *hujson.Value, pointer string) string {
	if found := v.Find(pointer); found != nil && found.Value.Kind() == '"' {
		return literal(found).String()
	}
	return ""
}

// literal returns a value as a literal, an empty one if it is an object or array.
func literal(v *hujson.Value) hujson.Literal {
	l, _ := v.Value.(hujson.Literal)
	return l
}

// A layout is the line end and the indentation with which values are added to a text.
type layout struct{ newline, unit string }

// add adds a member with a name, or if name is "" an element, at the end of to, an object
// or array below root. It is laid out like the one before it: on the same line, or on lines
// of its own.
func (l layout) add(root, to *hujson.Value, name string, value any) {
	before, behind, end := extras(to)
	comments := bytes.TrimRight(*end, white)
	gap, lineBreak := " ", ""
	var after hujson.Extra
	if last := len(before) - 1; last < 0 {
		root.UpdateOffsets()
		outer := l.newline + indentAt(root.Pack(), to.StartOffset)
		lineBreak = outer + l.unit
		gap, *end = lineBreak, hujson.Extra(outer)
	} else {
		*end = bytes.Clone((*end)[len(comments):])
		if *behind[last] != nil {
			after = hujson.Extra{} // a comma follows the last one
		}
		if bytes.ContainsRune(*before[last], '\n') {
			lineBreak = l.newline + indentAt(*before[last], len(*before[last]))
			gap = lineBreak
		} else if len(comments) > 0 {
			gap = l.newline // it may be a comment to the end of the line
		}
	}
	v, _ := hujson.Parse([]byte(l.format(value, lineBreak))) // what package json writes is JSON
	v.AfterExtra = after
	extra := hujson.Extra(slices.Concat(comments, []byte(gap)))
	switch c := to.Value.(type) {
	case *hujson.Object:
		v.BeforeExtra = hujson.Extra(" ")
		c.Members = append(c.Members, hujson.ObjectMember{
			Name: hujson.Value{BeforeExtra: extra, Value: hujson.String(name)}, Value: v,
		})
	case *hujson.Array:
		v.BeforeExtra = extra
		c.Elements = append(c.Elements, v)
	}
}

// format returns a value as indented JSON whose lines are joined by lineBreak. If that is
// "", all is on one line.
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

// isEmpty reports whether v is an object or array that contains neither values nor
// comments.
func isEmpty(v *hujson.Value) bool {
	before, _, end := extras(v)
	return len(before) == 0 && end != nil && !hasComment(*end)
}

// removeMember removes the member with a name from an object.
func removeMember(from *hujson.Value, name string) {
	object, _ := from.Value.(*hujson.Object)
	remove(from, slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool {
		return literal(&m.Name).String() == name
	}))
}

// remove removes member or element i of an object or array. Comments beside it stay.
func remove(from *hujson.Value, i int) {
	before, behind, end := extras(from)
	kept := comments(*before[i])
	if object, ok := from.Value.(*hujson.Object); ok {
		m := object.Members[i]
		kept = slices.Concat(kept, comments(m.Name.AfterExtra), comments(m.Value.BeforeExtra))
	}
	kept = append(kept, *behind[i]...)
	switch {
	case i+1 < len(before):
		*before[i+1] = append(kept, *before[i+1]...)
	case i > 0:
		*end = slices.Concat(*behind[i-1], kept, *end)
		if *behind[i-1] = nil; *behind[i] != nil {
			*behind[i-1] = hujson.Extra{} // a comma follows
		}
	default:
		*end = slices.Concat(kept, bytes.TrimLeft(*end, white))
	}
	switch c := from.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, i, i+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, i, i+1)
	}
}

// comments returns white space and comments up to the end of the last comment's line, nil
// if there is no comment.
func comments(extra hujson.Extra) hujson.Extra {
	if hasComment(extra) {
		return bytes.TrimRight(extra, " \t")
	}
	return nil
}

// hasComment reports whether a text contains // or /*, with which comments begin.
func hasComment(text []byte) bool {
	return bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// indentAt returns the white space at the beginning of the line that contains offset at.
func indentAt(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// newlineOf returns the line end of a text's first line, "\n" if it has none.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// quoted returns a text as a string of JSON, which is one of TOML, too.
func quoted(text string) string { return string(hujson.String(text)) }
