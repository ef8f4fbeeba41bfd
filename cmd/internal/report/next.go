package report

import (
	"slices"
	"time"

	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// carriedOver is how many handoffs of a project are looked back.
const carriedOver = 12

// next lists what is to do in each project of the report's time, by the newest of
// its handoffs that says so, and in how many handoffs up to that one it has stood.
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
	var rows [][]digest.Task
	var said []*index.Handoff
	var items []Item
	for _, h := range whole {
		tasks, texts := b.toDo(h)
		if len(tasks) == 0 {
			continue
		}
		if rows == nil {
			for _, text := range texts {
				items = append(items, Item{Text: text, Ref: b.ref(&h.Summary), Who: b.who(&h.Summary)})
			}
		}
		rows, said = append(rows, tasks), append(said, h)
	}
	for i := range items {
		b.carry(&items[i], rows, said, i)
	}
	return items, nil
}

// toDo lists what a handoff says is next and not done, as tasks and texts.
func (b *builder) toDo(h *index.Handoff) (tasks []digest.Task, texts []string) {
	var like digest.Likeness
	for _, p := range digest.Unfinished(digest.Pieces(h, parse.Next)) {
		if says(p.Text) && like.Of(p.Text) == len(texts) {
			tasks, texts = append(tasks, digest.TaskOf(p.Text)), append(texts, p.Text)
		}
	}
	return tasks, texts
}

// carry tells since when something has been said in a row: rows are what the
// handoffs say, newest first, and it is the i-th of the first.
func (b *builder) carry(it *Item, rows [][]digest.Task, said []*index.Handoff, i int) {
	refs := []Ref{it.Ref}
	for at, row := range rows[1:] {
		if !slices.ContainsFunc(row, rows[0][i].Same) {
			break
		}
		refs = append(refs, b.ref(&said[at+1].Summary))
	}
	if len(refs) > 1 {
		it.Count, it.Since, it.Where = b.named(refs), refs[len(refs)-1].When, refs[:min(len(refs), MaxWhere)]
	}
}

// until are the handoffs that are not from after the report's time.
func (b *builder) until() query.Expr { return during(time.Time{}, b.o.To) }
