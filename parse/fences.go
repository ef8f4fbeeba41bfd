package parse

import "strings"

// fences are the spans of the code fences of a text, in order.
type fences []struct{ start, end int }

// fenceLines finds the code fences of a text.
func fenceLines(text string) fences {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil
	}
	var out fences
	mark, start, at := "", 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if f := fenceMark(line); f != "" && (mark == "" || strings.HasPrefix(f, mark)) {
			if mark == "" {
				mark, start = f, at
			} else {
				out = append(out, struct{ start, end int }{start, at + len(line)})
				mark = ""
			}
		}
		at += len(line)
	}
	if mark != "" {
		out = append(out, struct{ start, end int }{start, len(text)})
	}
	return out
}

// hold reports whether an offset is in a fence. It drops the fences before it: what
// is asked next must not stand before.
func (f *fences) hold(at int) bool {
	for len(*f) > 0 && (*f)[0].end <= at {
		*f = (*f)[1:]
	}
	return len(*f) > 0 && (*f)[0].start <= at
}
