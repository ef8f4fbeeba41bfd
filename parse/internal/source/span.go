// Package source represents a file as text, the places in it, and what can be wrong with
// it.
package source

import (
	"sort"
	"strings"
)

// Span is a range of bytes in the file as it is on disk, and the lines it
// covers, counted from 1. The zero Span means the value is not in the
// file itself (it came from the file's name, its times or a neighbour). The
// bytes of a UTF-16 file are those of its UTF-8 form.
type Span struct {
	Start, End    int
	Line, EndLine int
}

// Lines says which line an offset is on.
type Lines []int

// NewLines notes where each line of text starts.
func NewLines(text string) Lines {
	idx := make(Lines, 1, strings.Count(text, "\n")+1)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return idx
		}
		i += n + 1
		idx = append(idx, i)
	}
}

// Content returns the place of a line's text, without the blanks around it. A line
// below 1 is the file as a whole.
func (x Lines) Content(text string, line int) Span {
	if line < 1 {
		return Span{}
	}
	start := x[min(line, len(x))-1]
	end := start
	for end < len(text) && text[end] != '\n' {
		end++
	}
	for start < end && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	for end > start && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return x.Span(start, end)
}

// Line returns the 1-based line that contains offset.
func (x Lines) Line(offset int) int {
	return sort.Search(len(x), func(i int) bool { return x[i] > offset })
}

// Span covers [start, end) of the text; an empty range is on one line.
func (x Lines) Span(start, end int) Span {
	last := max(start, end-1)
	return Span{Start: start, End: end, Line: x.Line(start), EndLine: x.Line(last)}
}
