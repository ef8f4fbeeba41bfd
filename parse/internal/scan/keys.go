package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metadata in Markdown is written in many ways: "Key: value",
// "**Key:** value", "- **Key**: value", "> _Key: value_". The functions of this
// file find the key and the value among these marks, in one pass over the line.
// Whether a line is metadata at all is decided by outline.LineReader.

// A KeyMark has the offsets of a key in a line of metadata and of the value behind it.
type KeyMark struct {
	Start              int // of the key with its dress
	Key, KeyEnd, Value int
}

// Longest keys, in letters.
const (
	MaxPlainKey = 31
	MaxBoldKey  = 40
)

// MarkWidth returns the length in bytes of the marks of quotes and of a list item that a
// line begins with, such as "> - ".
func MarkWidth(line string) int {
	s := strings.TrimLeft(line, " \t>")
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t') {
		s = strings.TrimLeft(s[1:], " \t")
	}
	return len(line) - len(s)
}

// ColonAt returns the length in bytes of the colon at s[i:], which may be an East Asian one;
// 0 if there is none.
func ColonAt(s string, i int) int {
	switch {
	case i < len(s) && s[i] == ':':
		return 1
	case strings.HasPrefix(s[min(i, len(s)):], "："):
		return len("：")
	}
	return 0
}

// PlainKey returns where the "Key:" is that line[from:] begins with, and whether it begins
// with one. A colon that no blank follows is one of a time or an address.
func PlainKey(line string, from int) (KeyMark, bool) {
	i, n := from, 0
	for i < len(line) && n <= MaxPlainKey {
		r, size := utf8.DecodeRuneInString(line[i:])
		if !unicode.IsLetter(r) && (n == 0 || !unicode.IsNumber(r) && !strings.ContainsRune(" _/.-", r)) {
			break
		}
		i, n = i+size, n+1
	}
	end := i
	i = SkipBlanks(line, i)
	colon := ColonAt(line, i)
	val := i + colon
	if n == 0 || n > MaxPlainKey || colon == 0 || colon == 1 && val < len(line) && line[val] != ' ' && line[val] != '\t' {
		return KeyMark{}, false
	}
	return KeyMark{from, from, end, SkipBlanks(line, val)}, true
}

// BoldKeys returns where the keys are that line[from:] contains in the form "**Key:**" or
// "**Key**:".
func BoldKeys(line string, from int) []KeyMark {
	var out []KeyMark
	for from < len(line) {
		i := strings.IndexAny(line[from:], "*_")
		if i < 0 || from+i+1 >= len(line) {
			break
		}
		from += i
		if line[from+1] != line[from] {
			from++
			continue
		}
		k, next, ok := boldKey(line, from)
		if ok {
			out = append(out, k)
		}
		from = next
	}
	return out
}

// boldKey returns the "**Key:**" or "**Key**:" at line[start:]; ok is false if there is
// none. next is the offset from which to look for another.
func boldKey(line string, start int) (k KeyMark, next int, ok bool) {
	mark := line[start : start+2]
	i, n := start+2, 0
	for i < len(line) && n <= MaxBoldKey && line[i] != '*' && ColonAt(line, i) == 0 && !strings.HasPrefix(line[i:], mark) {
		_, size := utf8.DecodeRuneInString(line[i:])
		i, n = i+size, n+1
	}
	k = KeyMark{start, start + 2, i, 0}
	if strings.TrimSpace(line[k.Key:k.KeyEnd]) == "" || n > MaxBoldKey {
		return k, start + 2, false
	}
	if colon := ColonAt(line, i); colon > 0 {
		k.Value = SkipBlanks(line, i+colon)
		if strings.HasPrefix(line[k.Value:], mark) {
			return KeyMark{start, k.Key, k.KeyEnd, k.Value + 2}, k.Value + 2, true
		}
		return k, i, false
	}
	if !strings.HasPrefix(line[i:], mark) {
		return k, max(i, start+2), false
	}
	i = SkipBlanks(line, i+2)
	if colon := ColonAt(line, i); colon > 0 {
		k.Value = i + colon
		return k, k.Value, true
	}
	return k, i, false
}

// KeyValue returns the label and the value of a line such as "- **Key:** value" or
// "Key: value"; ok is false for any other line.
func KeyValue(line string) (label, value string, ok bool) {
	if strings.IndexByte(line, ':') < 0 && !strings.Contains(line, "：") {
		return "", "", false
	}
	line = strings.TrimSpace(line)
	line = strings.ReplaceAll(line[MarkWidth(line):], "**", "")
	k, ok := PlainKey(line, 0)
	if !ok {
		return "", "", false
	}
	return strings.TrimSpace(line[k.Key:k.KeyEnd]), CleanValue(line[k.Value:]), true
}

// KeyOf returns the key of a line of metadata, or of a table row of two cells, and whether
// the line has one.
func KeyOf(line string) (string, bool) {
	if row, ok := strings.CutPrefix(line, "|"); ok {
		cells := strings.Split(strings.TrimSuffix(row, "|"), "|")
		return strings.Trim(cells[0], "*_`: "), len(cells) == 2
	}
	if keys := BoldKeys(line, 0); len(keys) > 0 && keys[0].Start == 0 {
		return line[keys[0].Key:keys[0].KeyEnd], true
	}
	k, ok := PlainKey(line, len(line)-len(strings.TrimLeft(line, "*_")))
	return line[k.Key:k.KeyEnd], ok
}
