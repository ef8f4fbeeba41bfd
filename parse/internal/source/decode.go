package source

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"handex/parse/internal/scan"
)

// bom is the byte order mark, which means nothing in UTF-8.
var bom = []byte("\ufeff")

// maxText is how much of a file is read as text (reliability: input limits);
// the rest is reported and left out.
const maxText = 4 << 20

// A Decoded text is valid UTF-8 with "\n" line ends and neither byte order mark
// nor NUL. It remembers where its bytes stood in the file.
type Decoded struct {
	Text     string
	shifts   []shift
	Problems []Problem
}

// A shift says that from offset text on, the file's offset is raw plus the
// distance; shifts are in order of both.
type shift struct{ text, raw int }

// RawOffset is the offset in the file of the byte at offset i of the text.
func (d *Decoded) RawOffset(i int) int {
	n := sort.Search(len(d.shifts), func(k int) bool { return d.shifts[k].text > i })
	if n == 0 {
		return i
	}
	return d.shifts[n-1].raw + i - d.shifts[n-1].text
}

// RawSpan is s in offsets of the file.
func (d *Decoded) RawSpan(s Span) Span {
	if len(d.shifts) > 0 && s.End > 0 {
		s.Start, s.End = d.RawOffset(s.Start), d.RawOffset(s.End)
	}
	return s
}

// Decode turns the bytes of a file into text. What it has to change is reported as
// a problem, except line ends and the byte order mark, which mean nothing.
func Decode(raw []byte) *Decoded {
	d := &Decoded{}
	if text, ok := decodeUTF16(raw); ok {
		d.Problems = append(d.Problems, NewProblem("text.utf16", Span{}, "the file is UTF-16; places in it are those of its UTF-8 form"))
		raw = text
	}
	if len(raw) > maxText {
		raw = raw[:scan.RuneBoundary(raw, maxText)]
		d.Problems = append(d.Problems, NewProblem("text.too-large", Span{}, "only the first %d MiB are read", maxText>>20))
	}
	if clean(raw) {
		d.Text = string(raw)
		return d
	}
	d.rewrite(raw)
	return d
}

// clean reports whether raw is already what decode promises.
func clean(raw []byte) bool {
	return utf8.Valid(raw) && bytes.IndexByte(raw, 0) < 0 && bytes.IndexByte(raw, '\r') < 0 &&
		!bytes.HasPrefix(raw, bom)
}

// rewrite makes the text of raw, run by run, and notes where it grows shorter or
// longer.
func (d *Decoded) rewrite(raw []byte) {
	var b strings.Builder
	b.Grow(len(raw))
	var invalid, nul tally
	i := 0
	if bytes.HasPrefix(raw, bom) {
		i = len(bom)
		d.shifts = append(d.shifts, shift{0, i})
	}
	for i < len(raw) {
		n := plainRun(raw[i:])
		b.Write(raw[i : i+n])
		if i += n; i == len(raw) {
			break
		}
		switch {
		case bytes.HasPrefix(raw[i:], []byte("\r\n")):
			b.WriteByte('\n')
			i += 2
		case raw[i] == '\r':
			b.WriteByte('\n')
			i++
			continue // as long as it was
		case raw[i] == 0:
			nul.add(b.Len())
			b.WriteRune(utf8.RuneError)
			i++
		default:
			invalid.add(b.Len())
			b.WriteRune(utf8.RuneError)
			i++
		}
		d.shifts = append(d.shifts, shift{b.Len(), i})
	}
	d.Text = b.String()
	d.changed("text.invalid-utf8", invalid, "%d bytes are not UTF-8; read as \ufffd")
	d.changed("text.nul", nul, "%d NUL bytes; read as \ufffd")
}

// A tally counts bytes that are read as another character.
type tally struct{ n, first int }

func (t *tally) add(at int) {
	if t.n++; t.n == 1 {
		t.first = at
	}
}

// unplaced is the line of a problem whose offset alone is known yet.
const unplaced = -1

func (d *Decoded) changed(rule string, t tally, message string) {
	if t.n > 0 {
		d.Problems = append(d.Problems, NewProblem(rule, Span{Start: t.first, End: t.first + len("\ufffd"), Line: unplaced}, message, t.n))
	}
}

// SetLines gives problems their lines.
func (d *Decoded) SetLines(lines Lines) {
	for i, p := range d.Problems {
		if p.Line == unplaced {
			d.Problems[i].Span = lines.Span(p.Span.Start, p.Span.End)
			d.Problems[i].Line = d.Problems[i].Span.Line
		}
	}
}

// plainRun is how many bytes raw begins with that are kept as they are.
func plainRun(raw []byte) int {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\r' || c == 0:
			return i
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			if r == utf8.RuneError && n == 1 {
				return i
			}
			i += n
		}
	}
	return len(raw)
}

// decodeUTF16 returns the UTF-8 form of raw if it begins with a UTF-16 byte
// order mark.
func decodeUTF16(raw []byte) ([]byte, bool) {
	if len(raw) < 2 || len(raw) > 2*maxText {
		return nil, false
	}
	little := raw[0] == 0xff && raw[1] == 0xfe
	if !little && (raw[0] != 0xfe || raw[1] != 0xff) {
		return nil, false
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i+1 < len(raw); i += 2 {
		if little {
			units = append(units, uint16(raw[i])|uint16(raw[i+1])<<8)
		} else {
			units = append(units, uint16(raw[i+1])|uint16(raw[i])<<8)
		}
	}
	return []byte(string(utf16.Decode(units))), true
}
