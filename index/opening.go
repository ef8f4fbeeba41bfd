package index

import (
	"context"
	"slices"
	"strings"

	"handex/parse"
)

// openings are what blocks a handoff, if that was asked, or the first of what
// is next, or its goal.
func (x *search) openings(ctx context.Context, ids []int64, hits []Hit) error {
	rows, err := x.q.Openings(ctx, numberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	blocked := asks(x.query.Expr, "blocked")
	for _, row := range rows {
		columns := []column{{parse.Next, row.Next}, {parse.Goal, row.Goal}}
		if blocked {
			columns = slices.Insert(columns, 0, column{parse.Blockers, row.Blockers})
		}
		if s, ok := opening(row.Sections, columns); ok {
			hits[at[row.ID]].Snippets = []Snippet{s}
		}
	}
	return nil
}

type column struct {
	kind parse.Kind
	text string
}

// opening is the first line that says something in the first of the columns
// that has one.
func opening(sections string, columns []column) (Snippet, bool) {
	pieces, err := readPieces(sections)
	if err != nil {
		return Snippet{}, false
	}
	for _, c := range columns {
		for _, p := range pieces {
			if p.kind != c.kind {
				continue
			}
			text, rest, err := cut(c.text, p.body)
			if err != nil {
				break
			}
			c.text = rest
			if s, ok := firstSnippet(p, text); ok {
				return s, true
			}
		}
	}
	return Snippet{}, false
}

func firstSnippet(p piece, text string) (Snippet, bool) {
	n := 0
	for line := range strings.Lines(text) {
		if said := firstText(line); said != "" {
			s := cutLine(strings.TrimRight(said, "\n"), nil)
			s.Section = string(p.kind)
			if p.firstLine != 0 {
				s.Line = lineOf(p.firstLine, n)
			}
			return s, true
		}
		n++
	}
	return Snippet{}, false
}
