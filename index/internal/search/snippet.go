package search

import (
	"context"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// snippets adds to each hit the lines that match the query: those that match its words;
// where it has none, those it asks for by state, or what is next.
func (x *search) snippets(ctx context.Context, ids []int64, hits []Hit) error {
	leaves := slices.DeleteFunc(slices.Clone(x.plan.Leaves), func(l query.Leaf) bool { return l.Negated })
	at := map[int64]*Hit{}
	for i, id := range ids {
		at[id] = &hits[i]
	}
	isSignal := len(leaves) == 0 && asks(x.query.Expr, "escalated")
	for part := range slices.Chunk(ids, store.SnippetBatch) {
		var err error
		if isSignal {
			err = x.escalations(ctx, part, at)
		} else {
			err = x.matching(ctx, leaves, part, at)
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

// matching returns the lines that contain what the leaves look for; of a handoff without
// one, which its name was found by, the opening.
func (x *search) matching(ctx context.Context, leaves []query.Leaf, ids []int64, at map[int64]*Hit) error {
	var scratch store.Rows
	bodies, err := x.q.Bodies(ctx, store.NumberList(ids))
	if err != nil {
		return err
	}
	kinds := x.openingKinds()
	for i := range bodies {
		b, err := store.UnpackBody(&scratch, &bodies[i])
		if err != nil {
			return err
		}
		h := at[bodies[i].ID]
		if len(leaves) > 0 {
			h.Snippets = snippet.Best(passages(b), leaves)
		}
		if len(h.Snippets) == 0 {
			h.Snippets = opening(b.Pieces, kinds)
		}
	}
	return nil
}

// escalations returns the lines that ask for a human.
func (x *search) escalations(ctx context.Context, ids []int64, at map[int64]*Hit) error {
	attrs, _, err := store.ReadFacts(ctx, x.q, ids)
	if err != nil {
		return err
	}
	for _, e := range attrs {
		h := at[e.HandoffID]
		if e.Name != "escalation" || len(h.Snippets) == snippet.Most {
			continue
		}
		var spans [][2]int
		if i := strings.Index(e.Value, parse.EscalationSignal); i >= 0 {
			spans = [][2]int{{i, i + len(parse.EscalationSignal)}}
		}
		s := snippet.Cut(e.Value, spans)
		s.Section, s.Line = "escalation", int(e.Line)
		h.Snippets = append(h.Snippets, s)
	}
	return nil
}

// passages lists the text of a handoff in the order in which lines of it are
// best shown.
func passages(b store.Body) []snippet.Passage {
	var fields, sections []snippet.Passage
	slugged := ""
	first := 0
	for _, p := range b.Pieces {
		if p.Level == store.LevelField {
			fields = append(fields, snippet.Passage{
				Column: string(p.Kind), Section: string(p.Kind), Line: p.FirstLine,
				Text: p.Text,
			})
			continue
		}
		if first == 0 {
			first = p.Line
		}
		if p.IsSection() {
			slugged = store.Slug(p.HeadingStr)
			if p.HeadingStr != "" {
				sections = append(sections, snippet.Passage{
					Column: "heading", Section: "heading", Line: p.Line,
					Text: p.HeadingStr,
				})
			}
		}
		sections = append(sections, snippet.Passage{
			Column: string(p.Kind), Slug: slugged, Section: shown(p.Kind, slugged), Line: p.FirstLine, Text: p.Text,
		})
	}
	return append(append(fields, headPassages(b, first)...), sections...)
}

// shown returns what a section is called: its kind, or by its heading if it is of no
// kind.
func shown(kind parse.Kind, slug string) string {
	if kind == parse.Other && slug != "" {
		return slug
	}
	return string(kind)
}

// headPassages returns the title and the lines above the first section, which begins at
// line first. The title is in the head of most formats.
func headPassages(b store.Body, first int) []snippet.Passage {
	line := 1
	if first > 0 {
		line = max(first-strings.Count(b.Head, "\n"), 0)
	}
	head := snippet.Passage{Column: "head", Section: "head", Line: line, Text: b.Head}
	before, _, found := strings.Cut(b.Head, b.Title)
	title := snippet.Passage{Column: "title", Section: "title", Text: b.Title}
	if found && line > 0 {
		title.Line = line + strings.Count(before, "\n")
	}
	return []snippet.Passage{title, head}
}
