package report

import (
	"time"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/query"
)

// quietFor is how many times as long as the report's time is looked back for
// projects that were worked on.
const quietFor = 4

// lookedBack is in how many handoffs of a quiet project a next step is looked for.
const lookedBack = 4

// quiet tells of projects that were worked on before the report's time and not in
// it, with what is next in them.
func (b *builder) quiet() error {
	from, to := b.o.From, b.o.To
	if from.IsZero() || to.IsZero() {
		return nil
	}
	before := query.During{Field: "date", From: startOfDay(from.Add(-quietFor*to.Sub(from)+12*time.Hour), b.o.Env.Zone), To: from}
	since := query.Not{X: query.Same{Field: "project", X: b.query(b.time).Expr}}
	q := b.query(before, since)
	q.LatestPer = []string{"project"}
	list, n, err := b.first(b.most(), "projects", q)
	if err != nil || n.Value == 0 {
		return err
	}
	s := Section{Name: Quiet, Title: "Gone quiet", Numbers: []Number{n}, Omitted: n.Value - len(list)}
	for i := range list {
		it, err := b.stoppedAt(&list[i])
		if err != nil {
			return err
		}
		s.Items = append(s.Items, it)
	}
	t := told{}
	s.Items = b.fresh(t, s.Items)
	b.also(t, s.Items)
	b.add(s)
	return nil
}

// stoppedAt is what is next in a project, or else what it was about.
func (b *builder) stoppedAt(h *index.Summary) (Item, error) {
	b.meet(h)
	items, err := b.nextOf(h, lookedBack)
	if err != nil {
		return Item{}, err
	}
	it := Item{Text: render.Title(*h), State: "no next step"}
	if len(items) > 0 {
		it = Item{Text: items[0].Text, State: "next"}
	}
	it.Ref, it.Who = b.ref(h), b.who(h)
	return it, nil
}
