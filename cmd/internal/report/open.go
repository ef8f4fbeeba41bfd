package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

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
