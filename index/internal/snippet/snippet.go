// Package snippet picks and cuts the lines of a text that show why it was found.
package snippet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/query"
)

// Most is how many lines of a text are shown.
const Most = 3

// Snippet is a line of a handoff that answers a query. Spans are the byte ranges of Text that
// match.
type Snippet struct {
	Section string
	Line    int
	Text    string
	Spans   [][2]int
}

// A Passage is a run of a handoff's text in which leaves can match.
type Passage struct {
	Column  string // of body
	Slug    string // of the section it is in
	Section string // as shown
	Line    int    // its first: see LineOf; 0 is unknown
	Text    string
}

// LineOf returns the line in the file of line n, counted from 0, of a text that begins on line
// first. If the text is not a run of lines of the file, first is negative, and the result is the
// line it begins on.
func LineOf(first, n int) int {
	if first <= 0 {
		return -first
	}
	return first + n
}

// applies reports whether a leaf may match in the passage.
func (p Passage) applies(l *query.Leaf) bool {
	if l.Section != "" {
		return p.Slug == l.Section
	}
	return l.Columns == nil || slices.Contains(l.Columns, p.Column)
}

// A matchedLine is a line with the leaves that match in it.
type matchedLine struct {
	passage Passage
	line    int // within the passage, from 0
	leaves  map[int]bool
	spans   [][2]int // of the line
	text    string
}

// Best returns the lines of the passages in which the most leaves match, at most Most of them. It
// stops reading when every leaf has matched once and there are enough lines.
func Best(texts []Passage, leaves []query.Leaf) []Snippet {
	var found []*matchedLine
	seen, taken := map[int]bool{}, map[int]bool{}
	for _, p := range texts {
		if len(seen) == len(leaves) && len(found) >= Most {
			break
		}
		lines := map[int]*matchedLine{}
		for i := range leaves {
			if !p.applies(&leaves[i]) {
				continue
			}
			for _, span := range leaves[i].Find(p.Text) {
				seen[i] = true
				p.note(lines, span, i)
			}
		}
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			// The line of a field is in the head too.
			at := 0
			if p.Line > 0 {
				at = p.Line + n
			}
			if at == 0 || !taken[at] {
				taken[at] = true
				found = append(found, lines[n])
			}
		}
	}
	return shown(found)
}

// note adds a span that a leaf matched to the line it begins on. The part of the span in later
// lines is left out.
func (p Passage) note(lines map[int]*matchedLine, span [2]int, leaf int) {
	start := strings.LastIndexByte(p.Text[:span[0]], '\n') + 1
	end := len(p.Text)
	if i := strings.IndexByte(p.Text[start:], '\n'); i >= 0 {
		end = start + i
	}
	n := strings.Count(p.Text[:start], "\n")
	m := lines[n]
	if m == nil {
		m = &matchedLine{passage: p, line: n, leaves: map[int]bool{}, text: p.Text[start:end]}
		lines[n] = m
	}
	m.leaves[leaf] = true
	m.spans = append(m.spans, [2]int{span[0] - start, min(span[1], end) - start})
}

// shown returns the lines with the most leaves, in the order of found.
func shown(found []*matchedLine) []Snippet {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(found[b].leaves), len(found[a].leaves)) })
	picked := order[:min(len(order), Most)]
	slices.Sort(picked)
	out := make([]Snippet, len(picked))
	for n, i := range picked {
		m := found[i]
		out[n] = Cut(m.text, m.spans)
		out[n].Section = m.passage.Section
		if m.passage.Line != 0 {
			out[n].Line = LineOf(m.passage.Line, m.line)
		}
	}
	return out
}
