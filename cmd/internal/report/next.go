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

// carriedOver is how many of the newest handoffs of a project are read for its next steps.
const carriedOver = 12

// next adds the section with the next steps of each project, from its newest handoff that
// has any, and in how many handoffs in a row up to that one each step occurs.
func (b *builder) next() {
	s := Section{Name: Next, Title: "What is next"}
	b.fill(&s, b.groups("project"), func(g *group) []Item { return b.nextOf(&g.list[0], carriedOver) })
	if len(s.Items) > 0 {
		b.add(s)
	}
}

// nextOf returns the next steps of the project of a handoff. It reads the n newest handoffs
// of the project up to the end of the report's time.
func (b *builder) nextOf(h *index.Summary, n int) []Item {
	var plans []plan
	for _, h := range b.load(distinct(b.summaries(n, b.sameProject(h.Root), b.until()))) {
		if p := planOf(h); len(p.texts) > 0 {
			plans = append(plans, p)
		}
	}
	if len(plans) == 0 {
		return nil
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
	return items
}

// A plan is the unfinished next steps of a handoff, each once, as texts and as tasks.
type plan struct {
	*index.Handoff
	texts []string
	tasks []digest.Task
}

// planOf returns the unfinished next steps of a handoff.
func planOf(h *index.Handoff) plan {
	p := plan{Handoff: h}
	for _, piece := range withContent(digest.Unfinished(digest.Pieces(h, parse.Next))) {
		if !slices.Contains(p.texts, piece.Text) {
			p.texts, p.tasks = append(p.texts, piece.Text), append(p.tasks, digest.TaskOf(piece.Text))
		}
	}
	return p
}

// until returns the condition for handoffs that are dated before the end of the report's
// time.
func (b *builder) until() query.Expr { return during(time.Time{}, b.o.To) }

// stale adds the section with handoffs that have been open for too long.
func (b *builder) stale() {
	before := b.o.today()
	if q, err := query.Parse("is:stale", b.o.Env); err == nil {
		if is, ok := q.Expr.(query.Is); ok {
			before = is.Before
		}
	}
	titles := func(h *index.Handoff) []string { return []string{label(h)} }
	b.oldestFirst(Stale, "Open for too long", "stale", titles, pinned(query.Is{State: "stale", Before: before}))
}

// oldestFirst adds a section with the newest handoffs that meet the conditions, as many as
// the options allow. The oldest of them comes first, and each text that texts returns for a
// handoff is an item with the given state.
func (b *builder) oldestFirst(name, title, state string, texts func(*index.Handoff) []string,
	conditions ...query.Expr,
) {
	list, n := b.first(b.o.Most, state, b.query(append(conditions, b.until())...))
	if n.Value == 0 {
		return
	}
	s := Section{Name: name, Title: title, Numbers: []Number{n}, Omitted: n.Value - len(list)}
	slices.Reverse(list)
	for _, h := range b.load(distinct(list)) {
		for _, text := range texts(h) {
			s.Items = append(s.Items, Item{Text: text, Ref: b.ref(&h.Summary), Who: b.who(&h.Summary), State: state})
		}
	}
	slices.Reverse(s.Items) // of copies the newest stays
	s.Items = b.unique(s.Items)
	slices.Reverse(s.Items)
	b.add(s)
}

// call returns the text with which a handoff calls for a human, without the signal itself.
// If there is no other text, it returns the label of the handoff.
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

// maxBlockers is the maximum number of blockers that are listed for one handoff.
const maxBlockers = 3

// blockersOf returns the unfinished blockers of a handoff. Without any, it returns what the
// handoff asks people for, which may block it, or else what it is about.
func blockersOf(h *index.Handoff) []string {
	list := withContent(digest.Pieces(h, parse.Blockers))
	if len(list) == 0 {
		list = withContent(digest.Pieces(h, parse.Human))
	}
	if len(list) == 0 {
		return []string{label(h)}
	}
	texts := render.Each(digest.Unfinished(list), func(p digest.Piece) string { return p.Text })
	if more := len(texts) - maxBlockers; more > 0 {
		texts = append(texts[:maxBlockers-1:maxBlockers-1], texts[maxBlockers-1]+" (and "+strconv.Itoa(more)+" more)")
	}
	return texts
}

// quietFor says how far before the report's time projects are looked for that have gone
// quiet, in multiples of that time.
const quietFor = 4

// lookedBack is how many of the newest handoffs of a quiet project are read for a next
// step.
const lookedBack = 4

// quiet adds the section with projects that have handoffs shortly before the report's time
// but none in it, each with its next step.
func (b *builder) quiet() {
	from, to := b.o.From, b.o.To
	if from.IsZero() || to.IsZero() {
		return
	}
	before := query.During{
		Field: "date", From: startOfDay(from.Add(-quietFor*to.Sub(from)+12*time.Hour), b.o.Env.Zone),
		To: from,
	}
	since := query.Not{X: query.Same{Field: "project", X: b.query(b.time).Expr}}
	b.projects(Section{Name: Quiet, Title: "Gone quiet"}, b.query(before, since), func(h *index.Summary) Item {
		b.meet(h)
		if items := b.nextOf(h, lookedBack); len(items) > 0 {
			return Item{Text: items[0].Text, State: "next"}
		}
		return Item{Text: render.Title(*h), State: "no next step"}
	})
}

// aimless adds the section with projects whose latest handoffs state no next step.
func (b *builder) aimless() {
	aim := query.And{List: []query.Expr{query.Is{State: "latest"}, query.Has{Field: "next"}}}
	q := b.query(b.until(), query.Not{X: query.Same{Field: "project", X: aim}})
	b.projects(Section{Name: Aimless, Title: "Projects without a next step"}, q, func(h *index.Summary) Item {
		return Item{Text: b.ref(h).Title}
	})
}

// projects adds a section with the projects that a query finds. item returns the item for a
// project, given its newest handoff.
func (b *builder) projects(s Section, q *query.Query, item func(*index.Summary) Item) {
	q.LatestPer = []string{"project"}
	list, n := b.first(b.o.Most, "projects", q)
	if n.Value == 0 {
		return
	}
	s.Numbers, s.Omitted = []Number{n}, n.Value-len(list)
	for i := 0; i < len(list) && b.err == nil; i++ {
		it := item(&list[i])
		it.Ref, it.Who = b.ref(&list[i]), b.who(&list[i])
		s.Items = append(s.Items, it)
	}
	s.Items = b.unique(s.Items)
	b.add(s)
}
