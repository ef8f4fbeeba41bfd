package parse

import "strings"

// A fence is the mark of the code fence that a line is in, "" outside of one.
type fence string

// marks reports whether a line opens or closes a fence, and notes which.
func (f *fence) marks(line string) bool {
	m := fenceMark(line)
	if m == "" || !strings.HasPrefix(m, string(*f)) {
		return false
	}
	if *f != "" {
		m = ""
	}
	*f = fence(m)
	return true
}

// fences are the spans of the code fences of a text, in order.
type fences []struct{ start, end int }

// fenceLines finds the code fences of a text.
func fenceLines(text string) fences {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil
	}
	var out fences
	var code fence
	start, at := 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if was := code; code.marks(line) {
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

// hold reports whether an offset is in a fence. It drops the fences before the
// offset, so offsets must not go back.
func (f *fences) hold(at int) bool {
	for len(*f) > 0 && (*f)[0].end <= at {
		*f = (*f)[1:]
	}
	return len(*f) > 0 && (*f)[0].start <= at
}
