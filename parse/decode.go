package parse

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

// A decoded text is valid UTF-8 with "\n" line ends and neither byte order mark
// nor NUL. It remembers where its bytes stood in the file.
type decoded struct {
	text     string
	shifts   []shift
	problems []Problem
}

// A shift says that from offset text on, the file's offset is raw plus the
// distance; shifts are in order of both.
type shift struct{ text, raw int }

// rawOffset is the offset in the file of the byte at offset i of the text.
func (d *decoded) rawOffset(i int) int {
	n := sort.Search(len(d.shifts), func(k int) bool { return d.shifts[k].text > i })
	if n == 0 {
		return i
	}
	return d.shifts[n-1].raw + i - d.shifts[n-1].text
}

// rawSpan is s in offsets of the file.
func (d *decoded) rawSpan(s Span) Span {
	if len(d.shifts) > 0 && s.End > 0 {
		s.Start, s.End = d.rawOffset(s.Start), d.rawOffset(s.End)
	}
	return s
}

// decode turns the bytes of a file into text. What it has to change is told as
// a problem, except line ends and the byte order mark, which mean nothing.
func decode(raw []byte) *decoded {
	d := &decoded{}
	if text, ok := decodeUTF16(raw); ok {
		d.problems = append(d.problems, newProblem("text.utf16", Span{}, "the file is UTF-16; places in it are those of its UTF-8 form"))
		raw = text
	}
	if len(raw) > maxText {
		raw = raw[:scan.RuneBoundary(raw, maxText)]
		d.problems = append(d.problems, newProblem("text.too-large", Span{}, "only the first %d MiB are read", maxText>>20))
	}
	if clean(raw) {
		d.text = string(raw)
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
func (d *decoded) rewrite(raw []byte) {
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
	d.text = b.String()
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

func (d *decoded) changed(rule string, t tally, message string) {
	if t.n > 0 {
		d.problems = append(d.problems, newProblem(rule, Span{Start: t.first, End: t.first + len("\ufffd"), Line: unplaced}, message, t.n))
	}
}

// place gives problems their lines.
func (d *decoded) place(lines lineIndex) {
	for i, p := range d.problems {
		if p.Line == unplaced {
			d.problems[i].Span = lines.span(p.Span.Start, p.Span.End)
			d.problems[i].Line = d.problems[i].Span.Line
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

// decodeUTF16 answers the UTF-8 form of raw if it begins with a UTF-16 byte
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

// lineIndex answers which line an offset is on.
type lineIndex []int

// newLineIndex notes where each line of text starts.
func newLineIndex(text string) lineIndex {
	idx := make(lineIndex, 1, strings.Count(text, "\n")+1)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return idx
		}
		i += n + 1
		idx = append(idx, i)
	}
}

// line is the 1-based line that holds offset.
func (x lineIndex) line(offset int) int {
	return sort.Search(len(x), func(i int) bool { return x[i] > offset })
}

// span covers [start, end) of the text; an empty range is on one line.
func (x lineIndex) span(start, end int) Span {
	last := max(start, end-1)
	return Span{Start: start, End: end, Line: x.line(start), EndLine: x.line(last)}
}
