package search

import (
	"context"
	"slices"
	"strings"

	"handex/index/internal/snippet"
	"handex/index/internal/store"
	"handex/parse"
)

// openings returns what blocks a handoff or what it asks a person for, if that was
// asked, or the first of what is next, its goal, what was done or the state.
func (x *search) openings(ctx context.Context, ids []int64, hits []Hit) error {
	var scratch store.Rows
	list, err := x.q.Bodies(ctx, store.NumberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	kinds := []parse.Kind{parse.Next, parse.Goal, parse.Done, parse.State}
	if asks(x.query.Expr, "blocked") {
		kinds = slices.Insert(kinds, 0, parse.Blockers)
	}
	if asks(x.query.Expr, "waiting") {
		kinds = slices.Insert(kinds, 0, parse.Human)
	}
	for i := range list {
		b, err := store.UnpackBody(&scratch, &list[i])
		if err != nil {
			return err
		}
		if s, ok := opening(b.Pieces, kinds); ok {
			hits[at[list[i].ID]].Snippets = []Snippet{s}
		}
	}
	return nil
}

// opening returns the first line that says something in the first of the kinds that has
// one.
func opening(pieces []store.Piece, kinds []parse.Kind) (Snippet, bool) {
	for _, k := range kinds {
		for _, p := range pieces {
			if p.Kind != k {
				continue
			}
			if s, ok := firstSnippet(p, p.Text); ok {
				return s, true
			}
		}
	}
	return Snippet{}, false
}

func firstSnippet(p store.Piece, text string) (Snippet, bool) {
	n := 0
	for line := range strings.Lines(text) {
		if said := store.FirstText(line); said != "" {
			s := snippet.Cut(strings.TrimRight(said, "\n"), nil)
			s.Section = string(p.Kind)
			if p.FirstLine != 0 {
				s.Line = snippet.LineOf(p.FirstLine, n)
			}
			return s, true
		}
		n++
	}
	return Snippet{}, false
}
