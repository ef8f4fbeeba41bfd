package source

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// bom is the byte order mark, which means nothing in UTF-8.
var bom = []byte("\ufeff")

// maxText is how much of a file is read as text (reliability: input limits);
// the rest is reported and left out.
const maxText = 4 << 20

// A Decoded text is valid UTF-8 with "\n" line ends and neither byte order mark
// nor NUL. It remembers where its bytes were in the file.
type Decoded struct {
	Text     string
	Lines    Lines
	Problems []Problem
	shifts   []shift
}

// A shift says that offset text of the decoded text is offset raw of the file, and that the
// two stay equally far apart until the next shift. Shifts are in order of both.
type shift struct{ text, raw int }

// RawOffset returns the offset in the file of the byte at offset i of the text.
func (d *Decoded) RawOffset(i int) int {
	n := sort.Search(len(d.shifts), func(k int) bool { return d.shifts[k].text > i })
	if n == 0 {
		return i
	}
	return d.shifts[n-1].raw + i - d.shifts[n-1].text
}

// RawSpan returns a span of the text in offsets of the file.
func (d *Decoded) RawSpan(s Span) Span {
	if len(d.shifts) > 0 && s.End > 0 {
		s.Start, s.End = d.RawOffset(s.Start), d.RawOffset(s.End)
	}
	return s
}

// Decode converts the bytes of a file to text. What it has to change is reported as a
// problem, except line ends and the byte order mark, which mean nothing.
func Decode(raw []byte) *Decoded {
	d := &Decoded{}
	if text, ok := decodeUTF16(raw); ok {
		d.Problems = append(d.Problems, NewProblem("text.utf16", Span{},
			"the file is UTF-16; lines and columns are those of its UTF-8 form"))
		raw = text
	}
	if len(raw) > maxText {
		raw = raw[:scan.RuneBoundary(raw, maxText)]
		d.Problems = append(d.Problems, NewProblem("text.too-large", Span{}, "only the first %d MiB are read", maxText>>20))
	}
	isClean := utf8.Valid(raw) && bytes.IndexByte(raw, 0) < 0 && bytes.IndexByte(raw, '\r') < 0 &&
		!bytes.HasPrefix(raw, bom)
	var invalid, nul replaced
	if isClean {
		d.Text = string(raw)
	} else {
		invalid, nul = d.rewrite(raw)
	}
	d.Lines = NewLines(d.Text)
	d.report("text.invalid-utf8", invalid, "%d bytes are not UTF-8; read as \ufffd")
	d.report("text.nul", nul, "%d NUL bytes; read as \ufffd")
	return d
}

// A replaced counts the bytes that are read as U+FFFD, and has the offset of the first.
type replaced struct{ n, first int }

// rewrite sets the text to raw without byte order mark, with "\n" line ends and with U+FFFD
// for bytes that cannot be kept, which it returns. It notes a shift wherever the text gets
// shorter or longer than raw.
func (d *Decoded) rewrite(raw []byte) (invalid, nul replaced) {
	var b strings.Builder
	b.Grow(len(raw))
	replace := func(r *replaced) {
		if r.n++; r.n == 1 {
			r.first = b.Len()
		}
		b.WriteRune(utf8.RuneError)
	}
	distance := 0
	for i := 0; i < len(raw); {
		c, n := utf8.DecodeRune(raw[i:])
		switch {
		case i == 0 && bytes.HasPrefix(raw, bom):
		case c == '\r':
			b.WriteByte('\n')
			if bytes.HasPrefix(raw[i:], []byte("\r\n")) {
				n = 2
			}
		case c == 0:
			replace(&nul)
		case c == utf8.RuneError && n == 1:
			replace(&invalid)
		default:
			b.Write(raw[i : i+n])
		}
		if i += n; i-b.Len() != distance {
			distance = i - b.Len()
			d.shifts = append(d.shifts, shift{b.Len(), i})
		}
	}
	d.Text = b.String()
	return invalid, nul
}

// report adds a problem of a rule if bytes were replaced, at the first of them.
func (d *Decoded) report(rule string, r replaced, message string) {
	if r.n > 0 {
		d.Problems = append(d.Problems, NewProblem(rule, d.Lines.Span(r.first, r.first+len("\ufffd")), message, r.n))
	}
}

// decodeUTF16 returns the UTF-8 form of raw if it begins with a UTF-16 byte
// order mark.
func decodeUTF16(raw []byte) ([]byte, bool) {
	var order binary.ByteOrder = binary.BigEndian
	switch {
	case len(raw) > 2*maxText:
		return nil, false
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case !bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return nil, false
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, order.Uint16(raw[i:]))
	}
	return []byte(string(utf16.Decode(units))), true
}
