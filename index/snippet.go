package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"handex/parse"
	"handex/query"
)

const (
	// maxSnippets is how many lines are shown of a hit, maxCells how wide.
	maxSnippets = 3
	maxCells    = 160
	// leadCells stand before the first match of a line that is cut.
	leadCells = 40
	// snippetBatch is how many texts are held at once.
	snippetBatch = 128
)

// snippets gives each hit the lines that answer the query: those that match its
// words; where it has none, those it asks for by state, or what is next.
func (x *search) snippets(ctx context.Context, plan *query.Plan, ids []int64) error {
	leaves := slices.DeleteFunc(slices.Clone(plan.Leaves), func(l query.Leaf) bool { return l.Negated })
	for from := 0; from < len(ids); from += snippetBatch {
		to := min(from+snippetBatch, len(ids))
		var err error
		switch {
		case len(leaves) > 0:
			err = x.matching(ctx, leaves, ids[from:to], x.result.Hits[from:to])
		case asks(x.query.Expr, "escalated"):
			err = x.escalations(ctx, ids[from:to], x.result.Hits[from:to])
		default:
			err = x.openings(ctx, ids[from:to], x.result.Hits[from:to])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// asks reports whether the query wants a state.
func asks(e query.Expr, state string) bool {
	switch e := e.(type) {
	case query.And:
		return slices.ContainsFunc(e.List, func(x query.Expr) bool { return asks(x, state) })
	case query.Or:
		return slices.ContainsFunc(e.List, func(x query.Expr) bool { return asks(x, state) })
	case query.Is:
		return e.State == state
	case query.Has:
		return state == "escalated" && e.Field == "escalation"
	case query.All, query.None, query.Not, query.Text, query.Key, query.Amount, query.During, query.Same:
	}
	return false
}

// matching cuts the lines that hold what the leaves look for.
func (x *search) matching(ctx context.Context, leaves []query.Leaf, ids []int64, hits []Hit) error {
	var scratch rows
	bodies, err := x.q.Bodies(ctx, numberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	for i := range bodies {
		b, err := unpack(&scratch, &bodies[i])
		if err != nil {
			return err
		}
		hits[at[bodies[i].ID]].Snippets = cutMatches(passages(b), leaves)
	}
	return nil
}

// A matchedLine is a line with the leaves it holds.
type matchedLine struct {
	passage int
	line    int // within the passage, from 0
	leaves  map[int]bool
	spans   [][2]int // of the line
	text    string
}

// cutMatches picks the lines that hold most of what is looked for. It stops when
// it has seen enough: every leaf once, and as many lines as are shown.
func cutMatches(texts []passage, leaves []query.Leaf) []Snippet {
	var found []*matchedLine
	seen, taken := map[int]bool{}, map[int]bool{}
	for i, p := range texts {
		if len(seen) == len(leaves) && len(found) >= maxSnippets {
			break
		}
		lines := map[int]*matchedLine{}
		for l := range leaves {
			if !applies(&leaves[l], p) {
				continue
			}
			for _, span := range leaves[l].Find(p.text) {
				seen[l] = true
				note(lines, i, p.text, span, l)
			}
		}
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			// The line of a field stands in the head too.
			at := 0
			if p.line > 0 {
				at = p.line + n
			}
			if at == 0 || !taken[at] {
				taken[at] = true
				found = append(found, lines[n])
			}
		}
	}
	return best(texts, found)
}

// applies reports whether a leaf may match in the passage.
func applies(l *query.Leaf, p passage) bool {
	switch {
	case l.Section != "":
		return p.slug == l.Section
	case l.Columns != nil:
		return slices.Contains(l.Columns, p.column)
	}
	return true
}

// note adds a span to the line it begins on; what goes on in the next line is
// left out.
func note(lines map[int]*matchedLine, passage int, text string, span [2]int, leaf int) {
	start := strings.LastIndexByte(text[:span[0]], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	n := strings.Count(text[:start], "\n")
	m := lines[n]
	if m == nil {
		m = &matchedLine{passage: passage, line: n, leaves: map[int]bool{}, text: text[start:end]}
		lines[n] = m
	}
	m.leaves[leaf] = true
	m.spans = append(m.spans, [2]int{span[0] - start, min(span[1], end) - start})
}

// best answers the lines with the most leaves, in the order they were found.
func best(texts []passage, found []*matchedLine) []Snippet {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(found[b].leaves), len(found[a].leaves)) })
	picked := order[:min(len(order), maxSnippets)]
	slices.Sort(picked)
	out := make([]Snippet, len(picked))
	for n, i := range picked {
		m, p := found[i], texts[found[i].passage]
		out[n] = cutLine(m.text, m.spans)
		out[n].Section = p.section
		if p.line != 0 {
			out[n].Line = lineOf(p.line, m.line)
		}
	}
	return out
}

// escalations are the lines that ask for a human.
func (x *search) escalations(ctx context.Context, ids []int64, hits []Hit) error {
	attrs, _, err := factsOf(ctx, x.q, ids)
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	for _, e := range attrs {
		h := &hits[at[e.HandoffID]]
		if e.Name != "escalation" || len(h.Snippets) == maxSnippets {
			continue
		}
		var spans [][2]int
		if i := strings.Index(e.Value, parse.EscalationSignal); i >= 0 {
			spans = [][2]int{{i, i + len(parse.EscalationSignal)}}
		}
		s := cutLine(e.Value, spans)
		s.Section, s.Line = "escalation", int(e.Line)
		h.Snippets = append(h.Snippets, s)
	}
	return nil
}
