package source

import (
	"bytes"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// Excerpt is a span as editors count it: lines from 1, columns from 1 in
// characters, without a byte order mark. EndColumn is behind the last character.
type Excerpt struct {
	Line, Column       int
	EndLine, EndColumn int
	// Before, At and After are the text of the first line, cut far from the
	// span with "…". At is what the span has of it.
	Before, At, After string
}

// maxExcerpt is how many bytes around a place are shown.
const maxExcerpt = 300

// ExcerptOf returns the excerpt of span s of a file, whose bytes are raw and which Parse
// read. It returns the zero Excerpt for a span that is not in the file.
func ExcerptOf(raw []byte, s Span) Excerpt {
	if text, ok := decodeUTF16(raw); ok {
		raw = text
	}
	if s.Line == 0 || s.Start < 0 || s.Start > s.End || s.End > len(raw) {
		return Excerpt{}
	}
	start, end := lineAround(raw, s.Start)
	s.Start = max(s.Start, start)
	at := min(max(s.Start, s.End), end)
	last, _ := lineAround(raw, max(s.Start, s.End))
	if s.EndLine == s.Line {
		last = start
	}
	return Excerpt{
		Line: s.Line, Column: 1 + utf8.RuneCount(raw[start:s.Start]),
		EndLine: s.EndLine, EndColumn: 1 + utf8.RuneCount(raw[last:max(last, s.End)]),
		Before: tail(raw[start:s.Start]), At: head(raw[s.Start:at]), After: head(raw[at:end]),
	}
}

// lineAround returns the offsets of the start and end of the line that contains an offset,
// without its line end and a byte order mark.
func lineAround(raw []byte, at int) (start, end int) {
	start = bytes.LastIndexAny(raw[:at], "\r\n") + 1
	if start == 0 && bytes.HasPrefix(raw, bom) {
		start = len(bom)
	}
	if end = bytes.IndexAny(raw[max(at, start):], "\r\n"); end < 0 {
		return start, len(raw)
	}
	return start, max(at, start) + end
}

// head returns a text as a string, cut at its end with "…" if it is longer than maxExcerpt.
func head(text []byte) string {
	if len(text) <= maxExcerpt {
		return string(text)
	}
	return string(text[:scan.RuneBoundary(text, maxExcerpt)]) + "…"
}

// tail returns a text as a string, cut at its start with "…" if it is longer than
// maxExcerpt.
func tail(text []byte) string {
	if len(text) <= maxExcerpt {
		return string(text)
	}
	return "…" + string(text[scan.RuneBoundary(text, len(text)-maxExcerpt):])
}
