package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// escalations tells what a human must look at, oldest first: of too many, the
// newest are told.
func (b *builder) escalations() error {
	return b.calls(Escalations, "Waiting for a human", "open", query.Is{State: "open"})
}

// overtaken tells what nobody acknowledged before there was a newer handoff.
func (b *builder) overtaken() error {
	return b.calls(Overtaken, "Overtaken by a newer handoff, never acknowledged", "overtaken",
		query.Not{X: query.Is{State: "open"}}, query.Is{State: "superseded"}, query.Not{X: query.Is{State: "acked"}})
}

// acknowledged tells what somebody has seen to.
func (b *builder) acknowledged() error {
	return b.calls(Acked, "Acknowledged", "acknowledged", query.Is{State: "acked"})
}

func (b *builder) calls(name, title, state string, conditions ...query.Expr) error {
	conditions = append([]query.Expr{query.Is{State: "escalated"}}, append(conditions, b.until())...)
	n, whole, err := b.oldest(state, conditions...)
	if err != nil || n.Value == 0 {
		return err
	}
	s := Section{Name: name, Title: title, Numbers: []Number{n}, Omitted: n.Value - len(whole)}
	for _, h := range distinctWhole(whole) {
		s.Items = append(s.Items, Item{Text: call(h), Ref: b.ref(&h.Summary), Who: b.who(&h.Summary), State: state})
	}
	s.Items = b.once(s.Items)
	b.add(s)
	return nil
}

// oldest counts the handoffs that meet conditions and reads the newest of them, as
// many as a list has, oldest first.
func (b *builder) oldest(label string, conditions ...query.Expr) (Number, []*index.Handoff, error) {
	list, n, err := b.first(b.most(), label, b.query(conditions...))
	if err != nil {
		return n, nil, err
	}
	slices.Reverse(list)
	whole, err := b.load(list)
	return n, whole, err
}

// call is what a handoff calls a human for, without the call where there is more.
func call(h *index.Handoff) string {
	text := digest.Signal(h)
	before, after, _ := strings.Cut(text, parse.EscalationSignal)
	rest := strings.TrimLeft(after, "*_:.!—–- ")
	if strings.Trim(before, "*_:.!—–-# ") == "" && says(rest) {
		return rest
	}
	if says(text) && text != parse.EscalationSignal {
		return text
	}
	return label(h)
}

// distinctWhole leaves out copies.
func distinctWhole(list []*index.Handoff) []*index.Handoff {
	seen := map[int64]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(h *index.Handoff) bool {
		again := seen[h.Digest]
		seen[h.Digest] = true
		return again
	})
}

// blockers tells what stops work that is open, oldest first.
func (b *builder) blockers() error {
	n, whole, err := b.oldest("blocked", query.Is{State: "open"}, query.Is{State: "blocked"}, b.until())
	if err != nil || n.Value == 0 {
		return err
	}
	s := Section{Name: Blockers, Title: "Blocked", Numbers: []Number{n}, Omitted: n.Value - len(whole)}
	for _, h := range distinctWhole(whole) {
		for _, text := range blockersOf(h) {
			s.Items = append(s.Items, Item{Text: text, Ref: b.ref(&h.Summary), Who: b.who(&h.Summary), State: "blocked"})
		}
	}
	s.Items = b.once(s.Items)
	b.add(s)
	return nil
}

// maxBlockers bounds the blockers that are told of one handoff.
const maxBlockers = 3

// blockersOf lists what a handoff is still blocked on; of one that does not say, what
// it asks people for, which may be all that blocks it, or else what it is about.
func blockersOf(h *index.Handoff) []string {
	texts, found := unsettled(digest.Pieces(h, parse.Blockers))
	if !found {
		texts, found = unsettled(digest.Pieces(h, parse.Human))
	}
	if !found {
		return []string{label(h)}
	}
	if more := len(texts) - maxBlockers; more > 0 {
		texts = append(texts[:maxBlockers-1:maxBlockers-1], texts[maxBlockers-1]+" (and "+strconv.Itoa(more)+" more)")
	}
	return texts
}

// unsettled are the texts that are not done; found says whether there were any.
func unsettled(list []digest.Piece) (texts []string, found bool) {
	for _, p := range list {
		found = found || says(p.Text)
		if !p.Done && says(p.Text) {
			texts = append(texts, p.Text)
		}
	}
	return texts, found
}

// stale tells what has been open for too long, oldest first.
func (b *builder) stale() error {
	state := query.Is{State: "stale", Before: b.staleBefore()}
	n, whole, err := b.oldest("stale", pinned(state), b.until())
	if err != nil || n.Value == 0 {
		return err
	}
	s := Section{Name: Stale, Title: "Open for too long", Numbers: []Number{n}, Omitted: n.Value - len(whole)}
	for _, h := range distinctWhole(whole) {
		s.Items = append(s.Items, Item{Text: label(h), Ref: b.ref(&h.Summary), Who: b.who(&h.Summary), State: "stale"})
	}
	s.Items = b.once(s.Items)
	b.add(s)
	return nil
}

// staleBefore is what is:stale means now.
func (b *builder) staleBefore() time.Time {
	q, err := query.Parse("is:stale", b.o.Env)
	if is, ok := q.Expr.(query.Is); err == nil && ok {
		return is.Before
	}
	return b.o.today()
}
