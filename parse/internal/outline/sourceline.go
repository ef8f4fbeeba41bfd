package outline

import (
	"strings"

	"github.com/OWNER/handex/parse/internal/source"
)

// A sourceLine is a line of the text with its place, without its newline.
type sourceLine struct {
	text   string
	start  int
	number int
	inline bool // it starts behind other text: its indentation means nothing
}

func (l sourceLine) end() int { return l.start + len(l.text) }

// sourceLines returns the lines of the collector's text between two offsets.
func (r *collector) sourceLines(start, end int) []sourceLine {
	var block []sourceLine
	number := r.Line(start)
	for l := range strings.SplitSeq(r.text[start:end], "\n") {
		block = append(block, sourceLine{text: l, start: start, number: number})
		start += len(l) + 1
		number++
	}
	return block
}

// Dedented returns a text without the white space that means nothing: the indentation
// its lines share, blanks at their ends, and blank lines around it.
func Dedented(s string) string {
	var block []sourceLine
	for line := range strings.SplitSeq(s, "\n") {
		block = append(block, sourceLine{text: line})
	}
	body, _ := bodyOf(block)
	return body
}

// bodyOf returns the text of a block's lines, without the indentation they share and without
// the blank lines around them, and the number that each line has in the file.
func bodyOf(block []sourceLine) (body string, lines []int) {
	block = trimBlank(block)
	indent := sharedIndent(block)
	text := make([]string, len(block))
	for i, l := range block {
		text[i] = strings.TrimRight(strings.TrimPrefix(l.text, indent), " \t")
		if l.inline {
			text[i] = strings.Trim(l.text, " \t")
		}
		lines = append(lines, l.number)
	}
	return strings.Join(text, "\n"), lines
}

// trimBlank returns a block without the blank lines at its ends.
func trimBlank(block []sourceLine) []sourceLine {
	for len(block) > 0 && strings.TrimSpace(block[0].text) == "" {
		block = block[1:]
	}
	for len(block) > 0 && strings.TrimSpace(block[len(block)-1].text) == "" {
		block = block[:len(block)-1]
	}
	return block
}

// sharedIndent returns the white space that all lines of a block begin with. Blank lines and
// those that start behind other text do not count.
func sharedIndent(block []sourceLine) string {
	indent, found := "", false
	for _, l := range block {
		text := strings.TrimLeft(l.text, " \t")
		if text == "" || l.inline {
			continue
		}
		own := l.text[:len(l.text)-len(text)]
		if !found {
			indent, found = own, true
		}
		for !strings.HasPrefix(own, indent) {
			indent = indent[:len(indent)-1]
		}
	}
	return indent
}

// addLines adds a section with a key and some lines as its text. Blank lines alone make no
// section.
func (r *collector) addLines(key string, block []sourceLine) {
	if block = trimBlank(block); len(block) > 0 {
		r.addLinesAt(key, block[0].start, block)
	}
}

// addLinesAt adds a section with a key and some lines as its text. The section starts at an
// offset, that of its key.
func (r *collector) addLinesAt(key string, start int, block []sourceLine) {
	body, lines := bodyOf(block)
	r.addSection(key, key, body, lines, r.trimmed(start, block[len(block)-1].end()))
}

func (r *collector) addSection(key, heading, body string, lines []int, span source.Span) {
	s := Section{Key: key, Heading: heading, Body: body, Lines: lines, Span: span}
	r.out.Sections = append(r.out.Sections, s)
}

// trimmed returns the span of text[start:end] without the white space around it.
func (r *collector) trimmed(start, end int) source.Span {
	text := strings.TrimLeft(r.text[start:end], " \t\n")
	start = end - len(text)
	return r.Span(start, start+len(strings.TrimRight(text, " \t\n")))
}
