// Package snippet picks and cuts the lines of a text that show why it was found.
package snippet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/query"
)

// Most is how many lines are shown of a text.
const Most = 3

// Snippet is a line of a handoff that answers the query. Spans are byte ranges
// of Text that match.
type Snippet struct {
	Section string
	Line    int
	Text    string
	Spans   [][2]int
}

// A Passage is a run of a handoff's text with what a leaf asks for.
type Passage struct {
	Column  string // of body
	Slug    string // of the section it is in
	Section string // as shown
	Line    int    // its first: see LineOf; 0 is unknown
	Text    string
}

// LineOf returns the line of the file of line n of a text, from 0. Of a text that is no
// run of lines of the file, first is negative, and only the line it begins on is known.
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

// A matchedLine is a line with the leaves it holds.
type matchedLine struct {
	passage Passage
	line    int // within the passage, from 0
	leaves  map[int]bool
	spans   [][2]int // of the line
	text    string
}

// Best picks the lines of the passages that contain most of what is looked for. It
// stops when it has seen enough: every leaf once, and as many lines as are shown.
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

// note adds a span to the line it begins on; what goes on in the next line is
// left out.
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

// shown returns the lines with the most leaves, in the order they were found.
func shown(found []*matchedLine) (list []Snippet) {
	best := slices.Clone(found)
	slices.SortStableFunc(best, func(a, b *matchedLine) int { return cmp.Compare(len(b.leaves), len(a.leaves)) })
	best = best[:min(len(best), Most)]
	for _, m := range found {
		if !slices.Contains(best, m) {
			continue
		}
		s := Cut(m.text, m.spans)
		s.Section = m.passage.Section
		if m.passage.Line != 0 {
			s.Line = LineOf(m.passage.Line, m.line)
		}
		list = append(list, s)
	}
	return list
}
