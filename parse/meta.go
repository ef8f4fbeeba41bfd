package parse

import (
	"regexp"
	"strings"
)

// Metadata in Markdown stands in lines of many dresses. These patterns take the
// dress off; whether a line is metadata at all is decided by metaFields.
var (
	boldKey  = regexp.MustCompile(`(?:\*\*|__)([^*_\n:：]{1,40}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])`)
	plainKey = regexp.MustCompile(`^(\p{L}[\p{L}\p{N} _/.-]{0,30}?)\s*[:：](?:\s+|$)`)
	// between trims what separates several fields on one line.
	between = " \t|·•—–-,;\\"
)

// dressed is how many bytes of quote marks and bullet a line begins with.
func dressed(line string) int {
	s := strings.TrimLeft(line, " \t>")
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t') {
		s = strings.TrimLeft(s[1:], " \t")
	}
	return len(line) - len(s)
}

// A carrier is a region of a text whose lines may be metadata. Plain lines count
// where all is set; elsewhere only under labels that knows.
type carrier struct {
	all   bool
	knows func(label string) bool
}

// metaFields reads the lines of src[start:end] as metadata. Code fences are
// passed over, and so are labels without a value: their text stands below.
func metaFields(src string, start, end int, lines lineIndex, c carrier) []rawField {
	var out []rawField
	fence := ""
	for at := start; at < end; {
		next := min(lineEnd(src, at), end)
		line := strings.TrimRight(src[at:next], "\n")
		if f := fenceMark(line); f != "" && (fence == "" || strings.HasPrefix(f, fence)) {
			if fence == "" {
				fence = f
			} else {
				fence = ""
			}
		} else if fence == "" {
			for _, f := range c.lineFields(line, at, lines) {
				if f.value != "" {
					out = append(out, f)
				}
			}
		}
		at = next
	}
	return out
}

// fenceMark is the run of fence characters a line begins with, "" if none.
func fenceMark(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

// lineFields reads one line, at its offset in the text.
func (c carrier) lineFields(line string, at int, lines lineIndex) []rawField {
	if !strings.ContainsAny(line, ":：|") {
		return nil
	}
	bare := dressed(line)
	body := line[bare:]
	trimmed := strings.TrimSpace(body)
	switch {
	case strings.HasPrefix(trimmed, "|"):
		return c.rowFields(line, at, lines)
	case strings.HasPrefix(trimmed, "**") || strings.HasPrefix(trimmed, "__"):
		return c.boldFields(line, bare, at, lines)
	}
	body = strings.TrimLeft(body, "*_ ")
	off := len(line) - len(body)
	m := plainKey.FindStringSubmatchIndex(body)
	if m == nil || !c.accepts(body[m[2]:m[3]]) {
		return nil
	}
	return []rawField{valueAt(line, off+m[2], off+m[3], off+m[1], len(line), at, lines)}
}

func (c carrier) accepts(label string) bool {
	if c.knows(label) {
		return true
	}
	return c.all && len(strings.Fields(label)) <= 3
}

// boldFields reads "**Key:** value" and several such on one line.
func (c carrier) boldFields(line string, from, at int, lines lineIndex) []rawField {
	ms := boldKey.FindAllStringSubmatchIndex(line[from:], -1)
	var out []rawField
	for i, m := range ms {
		end := len(line)
		if i+1 < len(ms) {
			end = from + ms[i+1][0]
		}
		out = append(out, valueAt(line, from+m[2], from+m[3], from+m[1], end, at, lines))
	}
	return out
}

// rowFields reads a table row of two cells.
func (c carrier) rowFields(line string, at int, lines lineIndex) []rawField {
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
	if f.label == "" || strings.Trim(f.value, "-: ") == "" || !c.knows(f.label) && !c.all {
		return nil
	}
	return []rawField{f}
}

// valueAt is the field whose label is line[l0:l1] and whose value is within
// line[v0:v1].
func valueAt(line string, l0, l1, v0, v1, at int, lines lineIndex) rawField {
	label := strings.Trim(line[l0:l1], "*_`: \t")
	for v0 < v1 && strings.IndexByte(" \t*", line[v0]) >= 0 {
		v0++
	}
	v1 = v0 + len(strings.TrimRight(line[v0:v1], between))
	return rawField{
		key:   label,
		label: label,
		value: cleanValue(line[v0:v1]),
		span:  lines.span(at+v0, at+v1),
	}
}

// cleanValue takes the marks and quotes off a value that are not part of it.
func cleanValue(v string) string {
	v = strings.TrimSpace(v)
	v = strings.TrimRight(v, "\\")
	v = strings.ReplaceAll(v, "**", "")
	v = linkMark.ReplaceAllString(v, "$1")
	for _, q := range []string{"`", `"`, "'", "_", "*"} {
		if len(v) >= 2 && strings.HasPrefix(v, q) && strings.HasSuffix(v, q) && strings.Count(v, q) == 2 {
			v = v[1 : len(v)-1]
		}
	}
	return strings.TrimSpace(v)
}

// allKeyed reports whether every line of a block is "key: value": then it is
// metadata even under labels nobody knows.
func allKeyed(block string) bool {
	n := 0
	for line := range strings.SplitSeq(block, "\n") {
		line = strings.TrimSpace(line[dressed(line):])
		if line == "" {
			continue
		}
		if !strings.ContainsAny(line, ":：") {
			return false
		}
		if !plainKey.MatchString(strings.TrimLeft(line, "*_")) && !boldKey.MatchString(line) {
			return false
		}
		n++
	}
	return n > 0
}
