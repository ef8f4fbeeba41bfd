package scan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ItemText is what follows the bullet or number of a list item; ok is false for
// any other line.
func ItemText(line string) (text string, ok bool) {
	s := strings.TrimLeft(line, " \t")
	n := 0
	switch {
	case s == "":
		return "", false
	case strings.IndexByte("-*+", s[0]) >= 0:
		n = 1
	case strings.HasPrefix(s, "•"):
		n = len("•")
	default:
		for n < len(s) && n < 4 && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == 4 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return "", false
		}
		n++
	}
	if n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return "", false
	}
	text = strings.TrimSpace(s[n:])
	return text, text != ""
}

// leadMarks are signs that make a line an item without a bullet.
var leadMarks = []string{"✅", "❌", "⚠", "⏳", "🔄", "🚧"}

// HasLeadMark reports whether a line begins with a sign that makes it an item.
func HasLeadMark(line string) bool {
	s := strings.TrimLeft(line, " \t")
	if s == "" || s[0] < utf8.RuneSelf {
		return false
	}
	return slices.ContainsFunc(leadMarks, func(m string) bool { return strings.HasPrefix(s, m) })
}
