package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
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

// escalations lists what a human must look at.
func (b *builder) escalations() error {
	return b.calls(Escalations, "Waiting for a human", "open", query.Is{State: "open"})
}

// overtaken lists what nobody acknowledged before there was a newer handoff.
func (b *builder) overtaken() error {
	return b.calls(Overtaken, "Replaced by a newer handoff, never acknowledged", "replaced",
		query.Not{X: query.Is{State: "open"}}, query.Is{State: "superseded"}, query.Not{X: query.Is{State: "acked"}})
}

// acknowledged lists what somebody has seen to.
func (b *builder) acknowledged() error {
	return b.calls(Acked, "Acknowledged", "acknowledged", query.Is{State: "acked"})
}

func (b *builder) calls(name, title, state string, conditions ...query.Expr) error {
	conditions = append([]query.Expr{query.Is{State: "escalated"}}, conditions...)
	return b.oldestFirst(Section{Name: name, Title: title}, state, call, conditions...)
}

// blockers lists what stops work that is open.
func (b *builder) blockers() error {
	s := Section{Name: Blockers, Title: "Blocked"}
	return b.oldestFirst(s, "blocked", blockersOf, query.Is{State: "open"}, query.Is{State: "blocked"})
}

// stale lists what has been open for too long.
func (b *builder) stale() error {
	before := b.o.today()
	if q, err := query.Parse("is:stale", b.o.Env); err == nil {
		if is, ok := q.Expr.(query.Is); ok {
			before = is.Before
		}
	}
	titles := func(h *index.Handoff) []string { return []string{label(h)} }
	s := Section{Name: Stale, Title: "Open for too long"}
	return b.oldestFirst(s, "stale", titles, pinned(query.Is{State: "stale", Before: before}))
}

// oldestFirst adds a section of the newest handoffs that meet the conditions, as many
// as a list has, the oldest of them first, with an item for each text of one.
func (b *builder) oldestFirst(s Section, state string, texts func(*index.Handoff) []string,
	conditions ...query.Expr,
) error {
	list, n, err := b.first(b.most(), state, b.query(append(conditions, b.until())...))
	if err != nil || n.Value == 0 {
		return err
	}
	s.Numbers, s.Omitted = []Number{n}, n.Value-len(list)
	slices.Reverse(list)
	whole, err := b.load(distinct(list))
	if err != nil {
		return err
	}
	for _, h := range whole {
		for _, text := range texts(h) {
			s.Items = append(s.Items, Item{Text: text, Ref: b.ref(&h.Summary), Who: b.who(&h.Summary), State: state})
		}
	}
	slices.Reverse(s.Items) // of copies the newest stays
	s.Items = b.unique(s.Items)
	slices.Reverse(s.Items)
	b.add(s)
	return nil
}

// call returns what a handoff calls a human for, without the call where there is more.
func call(h *index.Handoff) []string {
	text := digest.Signal(h)
	before, after, _ := strings.Cut(text, parse.EscalationSignal)
	rest := strings.TrimLeft(after, "*_:.!—–- ")
	switch {
	case strings.Trim(before, "*_:.!—–-# ") == "" && hasContent(rest):
		return []string{rest}
	case hasContent(text) && text != parse.EscalationSignal:
		return []string{text}
	}
	return []string{label(h)}
}

// maxBlockers bounds the blockers that are listed of one handoff.
const maxBlockers = 3

// blockersOf lists what a handoff is still blocked on; of one that does not say, what
// it asks people for, which may be all that blocks it, or else what it is about.
func blockersOf(h *index.Handoff) []string {
	list := withContent(digest.Pieces(h, parse.Blockers))
	if len(list) == 0 {
		list = withContent(digest.Pieces(h, parse.Human))
	}
	if len(list) == 0 {
		return []string{label(h)}
	}
	var texts []string
	for _, p := range digest.Unfinished(list) {
		texts = append(texts, p.Text)
	}
	if more := len(texts) - maxBlockers; more > 0 {
		texts = append(texts[:maxBlockers-1:maxBlockers-1], texts[maxBlockers-1]+" (and "+strconv.Itoa(more)+" more)")
	}
	return texts
}

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
