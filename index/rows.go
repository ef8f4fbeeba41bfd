package index

import "strconv"

// rows writes the JSON array of arrays that a bulk statement reads with
// json_each. Bytes that are not UTF-8 pass through as they are: a path may hold
// them, and encoding/json would replace them.
type rows struct {
	buf  []byte
	open bool // a row has been begun
}

// row begins a row.
func (r *rows) row() *rows {
	if len(r.buf) == 0 {
		r.buf = append(r.buf, '[')
	} else {
		r.buf = append(r.buf, ',')
	}
	r.buf = append(r.buf, '[')
	r.open = true
	return r
}

// end ends a row.
func (r *rows) end() { r.buf = append(r.buf, ']') }

func (r *rows) comma() {
	if !r.open {
		r.buf = append(r.buf, ',')
	}
	r.open = false
}

func (r *rows) int(values ...int64) *rows {
	for _, v := range values {
		r.comma()
		r.buf = strconv.AppendInt(r.buf, v, 10)
	}
	return r
}

func (r *rows) flag(v bool) *rows {
	if v {
		return r.int(1)
	}
	return r.int(0)
}

// maybe writes NULL for nil.
func (r *rows) maybe(v *int64) *rows {
	if v != nil {
		return r.int(*v)
	}
	return r.raw("null")
}

// real writes NULL for nil. Infinity and NaN have no JSON; they are NULL too.
func (r *rows) real(v *float64) *rows {
	if v == nil || *v-*v != 0 {
		return r.raw("null")
	}
	r.comma()
	r.buf = strconv.AppendFloat(r.buf, *v, 'g', -1, 64)
	return r
}

func (r *rows) text(values ...string) *rows {
	for _, v := range values {
		r.comma()
		r.buf = appendQuoted(r.buf, v)
	}
	return r
}

// raw writes elements that are JSON already.
func (r *rows) raw(json string) *rows {
	r.comma()
	r.buf = append(r.buf, json...)
	return r
}

func (r *rows) empty() bool { return len(r.buf) == 0 }

// take answers the array and begins a new one.
func (r *rows) take() string {
	s := "[]"
	if len(r.buf) > 0 {
		s = string(append(r.buf, ']'))
	}
	r.buf = r.buf[:0]
	return s
}

// numberList is the array of plain numbers that a bulk condition reads.
func numberList(list []int64) string {
	buf := []byte{'['}
	for i, id := range list {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = strconv.AppendInt(buf, id, 10)
	}
	return string(append(buf, ']'))
}

// textList is the array of plain strings that a bulk condition reads.
func textList(list []string) string {
	buf := []byte{'['}
	for i, s := range list {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendQuoted(buf, s)
	}
	return string(append(buf, ']'))
}

// appendQuoted appends s as a JSON string. NUL becomes U+FFFD: SQLite's text
// functions stop at it.
func appendQuoted(buf []byte, s string) []byte {
	const hex = "0123456789abcdef"
	buf = append(buf, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		buf = append(buf, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\t':
			buf = append(buf, '\\', 't')
		case 0:
			buf = append(buf, "\ufffd"...)
		default:
			buf = append(buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(buf, s[from:]...), '"')
}
