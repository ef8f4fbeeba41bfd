package index

import (
	"database/sql"
	"strconv"

	"handex/index/internal/sqlitedb"
)

// rows writes the JSON array of arrays that a bulk statement reads with
// json_each. Bytes that are not UTF-8 pass through as they are: a path may hold
// them, and encoding/json would replace them.
type rows struct {
	buf   []byte
	start int  // of the last row
	open  bool // it has no element yet
}

// row begins a row.
func (r *rows) row() *rows {
	if len(r.buf) == 0 {
		r.buf = append(r.buf, '[')
	} else {
		r.buf = append(r.buf, ',')
	}
	r.start = len(r.buf)
	r.buf = append(r.buf, '[')
	r.open = true
	return r
}

// end ends a row and answers it, until the next is begun.
func (r *rows) end() []byte {
	r.buf = append(r.buf, ']')
	return r.buf[r.start:]
}

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

// maybe writes a number or NULL.
func (r *rows) maybe(v sql.NullInt64) *rows {
	if v.Valid {
		return r.int(v.Int64)
	}
	return r.raw("null")
}

// real writes a number or NULL. Infinity and NaN have no JSON; they are NULL
// too. SQLite reads 15 digits as the number that has them, but not always 17.
func (r *rows) real(v sql.NullFloat64) *rows {
	if !v.Valid || v.Float64-v.Float64 != 0 {
		return r.raw("null")
	}
	r.comma()
	r.buf = strconv.AppendFloat(r.buf, v.Float64, 'g', 15, 64)
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

// handoff writes the columns of a handoff but for its sums, in the order of
// InsertHandoffs. latest and standing are written as 0: they are not known before
// all handoffs are.
func (r *rows) handoff(h *sqlitedb.Handoff) *rows {
	r.int(h.ID).text(h.Hid).int(h.FileID, h.Entry, h.ProjectID)
	r.text(h.Declared, h.Format, h.Session, h.Sender, h.Recipient, h.Status, h.Branch, h.Source, h.Version)
	r.maybe(h.Priority).real(h.Progress).real(h.Phase).int(h.Words)
	r.int(h.Date, h.DateEnd, h.Sort).text(h.DateSource, h.DatePrecision).int(h.Updated).maybe(h.Sent)
	r.int(0, 0, h.Earlier, h.Escalated, h.Blocked, h.Waiting, h.Legacy).maybe(h.Processed)
	return r.int(h.Severity, h.Digest).text(h.Sections)
}

// attr writes a row of attr and answers it.
func (r *rows) attr(a *sqlitedb.Attr) []byte {
	return r.row().int(a.HandoffID).text(a.Name).int(a.Ord).text(a.Value, a.Note).int(a.Line).end()
}

// problem writes a row of problem and answers it.
func (r *rows) problem(p *sqlitedb.Problem) []byte {
	return r.row().int(p.HandoffID, p.Ord, p.Severity).text(p.Rule).int(p.Line).text(p.Message).end()
}
