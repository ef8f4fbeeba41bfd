package scan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Fence is the mark of the code fence that a line is in, "" outside of one.
type Fence string

// Toggles reports whether a line opens or closes a code fence, and sets f to the fence that
// the next line is in.
func (f *Fence) Toggles(line string) bool {
	m := fenceMark(line)
	if m == "" || !strings.HasPrefix(m, string(*f)) {
		return false
	}
	if *f != "" {
		m = ""
	}
	*f = Fence(m)
	return true
}

// Fences are the spans of the code fences of a text, in order.
type Fences []struct{ start, end int }

// FencesOf finds the code fences of a text.
func FencesOf(text string) Fences {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil
	}
	var out Fences
	var code Fence
	start, at := 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if was := code; code.Toggles(line) {
			if was == "" {
				start = at
			} else {
				out = append(out, struct{ start, end int }{start, at + len(line)})
			}
		}
		at += len(line)
	}
	if code != "" {
		out = append(out, struct{ start, end int }{start, len(text)})
	}
	return out
}

// Contains reports whether an offset is in a fence. It drops the fences before the
// offset, so offsets must not go back.
func (f *Fences) Contains(at int) bool {
	for len(*f) > 0 && (*f)[0].end <= at {
		*f = (*f)[1:]
	}
	return len(*f) > 0 && (*f)[0].start <= at
}

// fenceMark returns the run of fence characters a line begins with, "" if none.
func fenceMark(line string) string {
	s := strings.TrimLeft(line, " ")
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	if n := len(s) - len(strings.TrimLeft(s, s[:1])); n >= 3 {
		return s[:n]
	}
	return ""
}

// ItemText returns what follows the bullet or number of a list item; ok is false for
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
