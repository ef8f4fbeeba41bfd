package report

import (
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// quietFor is how many times as long as the report's time is looked back for
// projects that were worked on.
const quietFor = 4

// lookedBack is in how many handoffs of a quiet project a next step is looked for.
const lookedBack = 4

// quiet lists projects that were worked on before the report's time and not in
// it, with what is next in them.
func (b *builder) quiet() error {
	from, to := b.o.From, b.o.To
	if from.IsZero() || to.IsZero() {
		return nil
	}
	before := query.During{
		Field: "date", From: startOfDay(from.Add(-quietFor*to.Sub(from)+12*time.Hour), b.o.Env.Zone),
		To: from,
	}
	since := query.Not{X: query.Same{Field: "project", X: b.query(b.time).Expr}}
	return b.projects(Section{Name: Quiet, Title: "Gone quiet"}, b.query(before, since),
		func(h *index.Summary) (Item, error) {
			b.meet(h)
			items, err := b.nextOf(h, lookedBack)
			if len(items) > 0 {
				return Item{Text: items[0].Text, State: "next"}, err
			}
			return Item{Text: render.Title(*h), State: "no next step"}, err
		})
}

// aimless lists projects of which no latest handoff says what is next.
func (b *builder) aimless() error {
	aim := query.And{List: []query.Expr{query.Is{State: "latest"}, query.Has{Field: "next"}}}
	q := b.query(b.until(), query.Not{X: query.Same{Field: "project", X: aim}})
	return b.projects(Section{Name: Aimless, Title: "Projects without a next step"}, q,
		func(h *index.Summary) (Item, error) {
			return Item{Text: b.ref(h).Title}, nil
		})
}

// projects adds a section of the projects that a query finds, an item for the newest
// handoff of each.
func (b *builder) projects(s Section, q *query.Query, item func(*index.Summary) (Item, error)) error {
	q.LatestPer = []string{"project"}
	list, n, err := b.first(b.most(), "projects", q)
	if err != nil || n.Value == 0 {
		return err
	}
	s.Numbers, s.Omitted = []Number{n}, n.Value-len(list)
	for i := range list {
		it, err := item(&list[i])
		if err != nil {
			return err
		}
		it.Ref, it.Who = b.ref(&list[i]), b.who(&list[i])
		s.Items = append(s.Items, it)
	}
	s.Items = b.unique(s.Items)
	b.add(s)
	return nil
}
