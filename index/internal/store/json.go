package store

import (
	"database/sql"
	"strconv"

	"github.com/OWNER/handex/index/internal/sqlitedb"
)

// A Rows is a JSON array of arrays in the making, which a bulk statement reads with json_each.
// Bytes that are not UTF-8 pass through as they are: a path may contain them, and encoding/json
// would replace them.
type Rows struct {
	buf   []byte
	start int  // of the last row
	open  bool // it has no element yet
}

// Row begins a new row of the JSON array; the values added next are its elements.
func (r *Rows) Row() *Rows {
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

// End ends a row and returns it. The result is valid until the next row begins.
func (r *Rows) End() []byte {
	r.buf = append(r.buf, ']')
	return r.buf[r.start:]
}

// comma writes a comma unless the next value is the first of its row.
func (r *Rows) comma() {
	if !r.open {
		r.buf = append(r.buf, ',')
	}
	r.open = false
}

// Int adds numbers to the row.
func (r *Rows) Int(values ...int64) *Rows {
	for _, v := range values {
		r.comma()
		r.buf = strconv.AppendInt(r.buf, v, 10)
	}
	return r
}

// Maybe adds a number or NULL to the row.
func (r *Rows) Maybe(v sql.NullInt64) *Rows {
	if v.Valid {
		return r.Int(v.Int64)
	}
	return r.raw("null")
}

// real writes a number or NULL. Infinity and NaN have no JSON; they are NULL too. It writes 15
// digits, which SQLite reads as the same number, while it does not always do so with 17.
func (r *Rows) real(v sql.NullFloat64) *Rows {
	if !v.Valid || v.Float64-v.Float64 != 0 {
		return r.raw("null")
	}
	r.comma()
	r.buf = strconv.AppendFloat(r.buf, v.Float64, 'g', 15, 64)
	return r
}

// Text adds strings to the row.
func (r *Rows) Text(values ...string) *Rows {
	for _, v := range values {
		r.comma()
		r.buf = AppendQuoted(r.buf, v)
	}
	return r
}

// raw adds an element that is JSON already to the row.
func (r *Rows) raw(json string) *Rows {
	r.comma()
	r.buf = append(r.buf, json...)
	return r
}

// Empty reports whether there is no row.
func (r *Rows) Empty() bool { return len(r.buf) == 0 }

// Take returns the array as text and begins a new one.
func (r *Rows) Take() string {
	s := "[]"
	if len(r.buf) > 0 {
		s = string(append(r.buf, ']'))
	}
	r.buf = r.buf[:0]
	return s
}

// NumberList returns list as the JSON array that a bulk condition reads.
func NumberList(list []int64) string {
	var r Rows
	return string(r.Row().Int(list...).End())
}

// NumbersOf returns the number of each value, as NumberList.
func NumbersOf[T any](values []T, number func(T) int64) string {
	list := make([]int64, len(values))
	for i, v := range values {
		list[i] = number(v)
	}
	return NumberList(list)
}

// TextList returns list as the JSON array that a bulk condition reads.
func TextList(list []string) string {
	var r Rows
	return string(r.Row().Text(list...).End())
}

// AppendQuoted appends s as a JSON string. NUL becomes U+FFFD: SQLite's text
// functions stop at it.
func AppendQuoted(buf []byte, s string) []byte {
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

// Handoff writes the columns of a handoff except for its checksums, in the order of InsertHandoffs.
// latest and standing are written as 0: they are not known before all handoffs are.
func (r *Rows) Handoff(h *sqlitedb.Handoff) *Rows {
	r.Int(h.ID).Text(h.Hid).Int(h.FileID, h.Entry, h.ProjectID)
	r.Text(h.Declared, h.Member, h.Format, h.Session, h.Sender, h.Recipient, h.Status, h.Branch, h.Source, h.Version)
	r.Maybe(h.Priority).real(h.Progress).real(h.Phase).Int(h.Words)
	r.Int(h.Date, h.DateEnd, h.Sort).Text(h.DateSource, h.DatePrecision).Int(h.Updated).Maybe(h.Sent)
	r.Int(0, 0, h.Earlier, h.Escalated, h.Blocked, h.Waiting, h.Legacy).Maybe(h.Processed)
	return r.Int(h.Severity, h.Digest).Text(h.Sections)
}

// Attr writes a row of table attr and returns its JSON.
func (r *Rows) Attr(a *sqlitedb.Attr) []byte {
	return r.Row().Int(a.HandoffID).Text(a.Name).Int(a.Ord).Text(a.Value, a.Note).Int(a.Line).End()
}

// Problem writes a row of table problem and returns its JSON.
func (r *Rows) Problem(p *sqlitedb.Problem) []byte {
	return r.Row().Int(p.HandoffID, p.Ord, p.Severity).Text(p.Rule).Int(p.Line).Text(p.Message).End()
}
