package scan

import "strings"

// A Fence is the mark of the code fence that a line is in, "" outside of one.
type Fence string

// Toggles reports whether a line opens or closes a fence, and notes which.
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

// fenceMark is the run of fence characters a line begins with, "" if none.
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
