// Package source represents a file as text, the places in it, and what can be wrong with
// it.
package source

import (
	"sort"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
)

// Span is a range of bytes in the file as it is on disk, and the lines it
// covers, counted from 1. The zero Span means the value is not in the
// file itself (it came from the file's name, its times or a neighbour). The
// bytes of a UTF-16 file are those of its UTF-8 form.
type Span struct {
	Start, End    int
	Line, EndLine int
}

// Lines has the offset at which each line of a text starts.
type Lines []int

// NewLines returns where each line of a text starts.
func NewLines(text string) Lines {
	starts, at := make(Lines, 0, strings.Count(text, "\n")+1), 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		starts = append(starts, at)
		at += len(line)
	}
	return starts
}

// Content returns the place of a line's text, without the blanks around it. For a line below
// 1, which means the file as a whole, it returns the zero Span.
func (x Lines) Content(text string, line int) Span {
	if line < 1 {
		return Span{}
	}
	start := x[min(line, len(x))-1]
	end := scan.LineContentEnd(text, start)
	start = end - len(strings.TrimLeft(text[start:end], " \t"))
	return x.Span(start, start+len(strings.TrimRight(text[start:end], " \t")))
}

// Line returns the 1-based line that contains offset.
func (x Lines) Line(offset int) int {
	return sort.Search(len(x), func(i int) bool { return x[i] > offset })
}

// Span returns [start, end) of the text as a Span with its lines; an empty range is on one
// line.
func (x Lines) Span(start, end int) Span {
	last := max(start, end-1)
	return Span{Start: start, End: end, Line: x.Line(start), EndLine: x.Line(last)}
}
