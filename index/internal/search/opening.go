package search

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// openingKinds returns the kinds of text whose first line is shown of a handoff: what
// blocks it or what it asks a person for, if that was asked, then what is next, its
// goal, what was done, the state.
func (x *search) openingKinds() []parse.Kind {
	kinds := []parse.Kind{parse.Next, parse.Goal, parse.Done, parse.State}
	if asks(x.query.Expr, "blocked") {
		kinds = slices.Insert(kinds, 0, parse.Blockers)
	}
	if asks(x.query.Expr, "waiting") {
		kinds = slices.Insert(kinds, 0, parse.Human)
	}
	return kinds
}

// opening returns the first line that says something in the first of the kinds that has
// one; none if no kind has.
func opening(pieces []store.Piece, kinds []parse.Kind) []Snippet {
	for _, k := range kinds {
		for _, p := range pieces {
			if p.Kind != k {
				continue
			}
			if s, ok := firstSnippet(p, p.Text); ok {
				return []Snippet{s}
			}
		}
	}
	return nil
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
