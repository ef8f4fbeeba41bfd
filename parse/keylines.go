package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metadata in Markdown stands in lines of many dresses: "Key: value",
// "**Key:** value", "- **Key**: value", "> _Key: value_". The functions of this
// file take the dress off, in one pass over the line; whether a line is metadata
// at all is decided by metaFields.

// A keyMark is where a key of a line and the value behind it stand.
type keyMark struct {
	start            int // of the key with its dress
	key, keyEnd, val int
}

// Longest keys, in letters.
const (
	maxPlainKey = 31
	maxBoldKey  = 40
)

// dressed is how many bytes of quote marks and bullet a line begins with.
func dressed(line string) int {
	s := strings.TrimLeft(line, " \t>")
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t') {
		s = strings.TrimLeft(s[1:], " \t")
	}
	return len(line) - len(s)
}

// colonAt is the length of the colon at s[i:], 0 for none.
func colonAt(s string, i int) int {
	switch {
	case i < len(s) && s[i] == ':':
		return 1
	case strings.HasPrefix(s[min(i, len(s)):], "："):
		return len("：")
	}
	return 0
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// plainKey is the "Key:" that line[from:] begins with. A colon that no blank
// follows is one of a time or an address.
func plainKey(line string, from int) (keyMark, bool) {
	i, n := from, 0
	for i < len(line) && n <= maxPlainKey {
		r, size := utf8.DecodeRuneInString(line[i:])
		if !unicode.IsLetter(r) && (n == 0 || !unicode.IsNumber(r) && !strings.ContainsRune(" _/.-", r)) {
			break
		}
		i, n = i+size, n+1
	}
	end := i
	i = skipBlanks(line, i)
	colon := colonAt(line, i)
	val := i + colon
	if n == 0 || n > maxPlainKey || colon == 0 || colon == 1 && val < len(line) && line[val] != ' ' && line[val] != '\t' {
		return keyMark{}, false
	}
	return keyMark{from, from, end, skipBlanks(line, val)}, true
}

// boldKeys lists the "**Key:**" of line[from:].
func boldKeys(line string, from int) []keyMark {
	var out []keyMark
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

// boldKey reads the "**Key:**" or "**Key**:" at line[start:], and answers where
// to look on.
func boldKey(line string, start int) (k keyMark, next int, ok bool) {
	mark := line[start : start+2]
	i, n := start+2, 0
	for i < len(line) && n <= maxBoldKey && line[i] != '*' && colonAt(line, i) == 0 && !strings.HasPrefix(line[i:], mark) {
		_, size := utf8.DecodeRuneInString(line[i:])
		i, n = i+size, n+1
	}
	k = keyMark{start, start + 2, i, 0}
	if strings.TrimSpace(line[k.key:k.keyEnd]) == "" || n > maxBoldKey {
		return k, start + 2, false
	}
	if colon := colonAt(line, i); colon > 0 {
		k.val = skipBlanks(line, i+colon)
		if strings.HasPrefix(line[k.val:], mark) {
			return keyMark{start, k.key, k.keyEnd, k.val + 2}, k.val + 2, true
		}
		return k, i, false
	}
	if !strings.HasPrefix(line[i:], mark) {
		return k, max(i, start+2), false
	}
	i = skipBlanks(line, i+2)
	if colon := colonAt(line, i); colon > 0 {
		k.val = i + colon
		return k, k.val, true
	}
	return k, i, false
}

// keyed splits "- **Key:** value" and "Key: value".
func keyed(line string) (label, value string, ok bool) {
	if strings.IndexByte(line, ':') < 0 && !strings.Contains(line, "：") {
		return "", "", false
	}
	line = strings.TrimSpace(line)
	line = strings.ReplaceAll(line[dressed(line):], "**", "")
	k, ok := plainKey(line, 0)
	if !ok {
		return "", "", false
	}
	return strings.TrimSpace(line[k.key:k.keyEnd]), cleanValue(line[k.val:]), true
}
