package outline

import (
	"strings"

	"handex/parse/internal/scan"
	"handex/parse/internal/source"
)

// between is what separates several fields on one line.
const between = " \t|·•—–-,;\\"

// A LineReader is a region of a text whose lines may be metadata. Plain lines count
// where all is set; elsewhere only under labels that knows.
type LineReader struct {
	All   bool
	Knows func(label string) bool
}

// MetadataFields reads the lines of src[start:end] as metadata. Code fences are
// passed over, and so are labels without a value: their text stands below.
func MetadataFields(src string, start, end int, lines source.Lines, c LineReader) []Field {
	var out []Field
	var code scan.Fence
	for at := start; at < end; {
		next := min(scan.LineEnd(src, at), end)
		line := strings.TrimRight(src[at:next], "\n")
		if !code.Toggles(line) && code == "" && !Ruled(src[next:min(scan.LineEnd(src, next), end)]) {
			for _, f := range c.Fields(line, at, lines) {
				if f.Value != "" {
					out = append(out, f)
				}
			}
		}
		at = next
	}
	return out
}

// Ruled reports whether a line is the rule below the header of a table.
func Ruled(line string) bool {
	return strings.HasPrefix(line, "|") && strings.Trim(line, "|-: \t\n") == "" && strings.Contains(line, "-")
}

// Fields reads one line, at its offset in the text.
func (c LineReader) Fields(line string, at int, lines source.Lines) []Field {
	if !strings.ContainsAny(line, ":：|") {
		return nil
	}
	from := scan.MarkWidth(line)
	if strings.HasPrefix(line[from:], "|") {
		return c.rowFields(line, at, lines)
	}
	keys := scan.BoldKeys(line, from)
	if len(keys) == 0 || keys[0].Start > from {
		start := len(line) - len(strings.TrimLeft(line[from:], "*_ "))
		first, ok := scan.PlainKey(line, start)
		if !ok || !c.accepts(line[first.Key:first.KeyEnd]) {
			return nil
		}
		if start > from { // all of the line is in italics
			line = strings.TrimRight(line, "*_ \t")
		}
		keys = append([]scan.KeyMark{first}, keys...)
	}
	var out []Field
	for i, k := range keys {
		end := len(line)
		if i+1 < len(keys) {
			end = keys[i+1].Start
		}
		if k.Value > end {
			continue
		}
		out = append(out, valueAt(line, k.Key, k.KeyEnd, k.Value, end, at, lines))
	}
	return out
}

func (c LineReader) accepts(label string) bool {
	if c.Knows(label) {
		return true
	}
	return c.All && len(strings.Fields(label)) <= 3
}

// rowFields reads a table row of two cells.
func (c LineReader) rowFields(line string, at int, lines source.Lines) []Field {
	bars := []int{}
	for i := range len(line) {
		if line[i] == '|' {
			bars = append(bars, i)
		}
	}
	if len(bars) < 2 {
		return nil
	}
	end := len(line)
	if len(bars) > 2 {
		end = bars[2]
	}
	if len(bars) > 3 && strings.TrimSpace(line[bars[2]:]) != "|" {
		return nil
	}
	f := valueAt(line, bars[0]+1, bars[1], bars[1]+1, end, at, lines)
	isBold := strings.HasPrefix(strings.TrimSpace(line[bars[0]+1:]), "**")
	if f.Label == "" || strings.Trim(f.Value, "-: ") == "" || !c.Knows(f.Label) && !c.All && !isBold {
		return nil
	}
	return []Field{f}
}

// valueAt is the field whose label is line[l0:l1] and whose value is within
// line[v0:v1].
func valueAt(line string, l0, l1, v0, v1, at int, lines source.Lines) Field {
	label := strings.Trim(line[l0:l1], "*_`: \t")
	for v0 < v1 && strings.IndexByte(" \t*", line[v0]) >= 0 {
		v0++
	}
	v1 = v0 + len(strings.TrimRight(line[v0:v1], between))
	return Field{
		Key:   label,
		Label: label,
		Value: scan.CleanValue(line[v0:v1]),
		Span:  lines.Span(at+v0, at+v1),
		Start: at + l0,
	}
}

// AllKeyed reports whether every line of a block is "key: value" or a row of
// two cells, and one of its keys is known: then it is metadata even under
// labels nobody knows. A single line of prose can look like that.
func (c LineReader) AllKeyed(block string) bool {
	known := false
	for line := range strings.SplitSeq(block, "\n") {
		bare := strings.TrimSpace(line[scan.MarkWidth(line):])
		if bare == "" || strings.Trim(bare, "|-: ") == "" {
			continue
		}
		label, ok := scan.KeyOf(bare)
		if !ok {
			return false
		}
		known = known || c.Knows(label)
	}
	return known
}
