package report

import (
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// carriedOver is how many handoffs of a project are looked back.
const carriedOver = 12

// next lists what is to do in each project of the report's time, by the newest of
// its handoffs that says so, and in how many handoffs up to that one it occurs.
func (b *builder) next() error {
	groups, err := b.groups("project")
	if err != nil {
		return err
	}
	s := Section{Name: Next, Title: "What is next"}
	err = b.fill(&s, groups, func(g *group) ([]Item, error) { return b.nextOf(&g.list[0], carriedOver) })
	if err == nil && len(s.Items) > 0 {
		b.add(s)
	}
	return err
}

// nextOf lists what is next in the project of a handoff, by its newest n.
func (b *builder) nextOf(h *index.Summary, n int) ([]Item, error) {
	list, err := b.summaries(n, b.sameProject(h.Root), b.until())
	if err != nil {
		return nil, err
	}
	whole, err := b.load(distinct(list))
	if err != nil {
		return nil, err
	}
	var plans []plan
	for _, h := range whole {
		if p := planOf(h); len(p.texts) > 0 {
			plans = append(plans, p)
		}
	}
	if len(plans) == 0 {
		return nil, nil
	}
	newest := plans[0]
	var items []Item
	for i, text := range newest.texts {
		it := Item{Text: text, Ref: b.ref(&newest.Summary), Who: b.who(&newest.Summary)}
		refs := []Ref{it.Ref} // that say it in a row
		for _, older := range plans[1:] {
			if !slices.ContainsFunc(older.tasks, newest.tasks[i].Same) {
				break
			}
			refs = append(refs, b.ref(&older.Summary))
		}
		if len(refs) > 1 {
			it.All, it.Since = refs, refs[len(refs)-1].When
			b.locate(&it)
		}
		items = append(items, it)
	}
	return items, nil
}

// A plan is what a handoff says is next and not done, each text once, and as tasks.
type plan struct {
	*index.Handoff
	texts []string
	tasks []digest.Task
}

func planOf(h *index.Handoff) plan {
	p := plan{Handoff: h}
	for _, piece := range withContent(digest.Unfinished(digest.Pieces(h, parse.Next))) {
		if !slices.Contains(p.texts, piece.Text) {
			p.texts, p.tasks = append(p.texts, piece.Text), append(p.tasks, digest.TaskOf(piece.Text))
		}
	}
	return p
}

// until returns the condition for the handoffs that are not from after the report's
// time.
func (b *builder) until() query.Expr { return during(time.Time{}, b.o.To) }
