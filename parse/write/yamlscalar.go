package write

import (
	"fmt"
	"strings"

	"handex/parse"
	"handex/parse/internal/scan"
)

// yamlScalar is s as a scalar on one line which every reader of YAML, 1.1 or
// 1.2, takes for that string: as it is where it can be nothing else, otherwise
// in double quotes.
func yamlScalar(s string) string {
	if isPlainScalar(s) {
		return s
	}
	return yamlQuoted(s)
}

// yamlWords are the words that are no strings in YAML 1.1.
var yamlWords = scan.Set("y", "n", "yes", "no", "on", "off", "true", "false", "null")

// isPlainScalar reports whether s is one word that begins with a letter: no
// number, date, mark or comment does.
func isPlainScalar(s string) bool {
	if s == "" || len(s) > 100 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c|0x20 < 'a' || c|0x20 > 'z') && !scan.IsDigit(c) && strings.IndexByte("_-./@+", c) < 0 {
			return false
		}
	}
	return !yamlWords[strings.ToLower(s)]
}

// yamlQuoted is s in double quotes, on one line. Characters that readers
// refuse, break lines at or show as something else are escaped.
func yamlQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20, 0x7f <= r && r < 0xa0:
			fmt.Fprintf(&b, `\x%02X`, r)
		case isUnseen(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isUnseen reports whether r ends a line, turns the direction of a text, or is
// no character at all.
func isUnseen(r rune) bool {
	switch {
	case 0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	}
	return r == 0xfeff || r == 0xfffe || r == 0xffff
}

// yamlEntry is a key with its value, on lines of their own.
func yamlEntry(key string, v yamlValue) string {
	key = yamlScalar(key) + ":"
	switch {
	case v.list && len(v.values) > 0:
		return key + blockList("  ", v.values) + "\n"
	case v.list:
		return key + " []\n"
	case len(v.values) == 0:
		return key + " null\n"
	case v.text:
		return key + " " + yamlBlock(v.values[0]+"\n") + "\n"
	case strings.Contains(v.values[0], "\n"):
		return key + " " + yamlBlock(v.values[0]) + "\n"
	case v.form == parse.AsText, v.form == parse.AsDay:
		return key + " " + yamlQuoted(v.values[0]) + "\n"
	case v.form == parse.AsNumber && isNumber(v.values[0]):
		return key + " " + v.values[0] + "\n"
	}
	return key + " " + yamlScalar(v.values[0]) + "\n"
}

func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// yamlBlock is a text of several lines: as a block where every reader of YAML
// takes that for the same text.
func yamlBlock(s string) string {
	body, ok := strings.CutSuffix(s, "\n")
	if !isBlockText(body) {
		return yamlQuoted(s)
	}
	mark := "|"
	if body[0] == ' ' || body[0] == '\t' {
		mark += "2" // or the first line would set the indentation
	}
	if !ok {
		mark += "-"
	}
	var b strings.Builder
	b.WriteString(mark)
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// isBlockText reports whether a block of lines holds a text as it is: it has no
// lines of white space alone, none that are blank at its ends, and no character
// that must be escaped.
func isBlockText(s string) bool {
	if s == "" || strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.Trim(line, " \t") == "" {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || isUnseen(r)
	})
}
