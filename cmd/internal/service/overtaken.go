package service

import (
	"context"
	"fmt"
	"slices"

	"handex/query"
)

// overtaken is a note for who asks for open escalations, or for all that is open and
// waits for a person: a newer handoff closes an older escalation, but that no human
// looked must not go unsaid. It is "" if there is nothing to say.
func (v *View) overtaken(ctx context.Context, q *query.Query) (string, error) {
	and, ok := q.Expr.(query.And)
	asked := func(states ...string) bool { return slices.ContainsFunc(and.List, inState(states...)) }
	if !ok || !asked("open") || !asked("escalated", "waiting") {
		return "", nil
	}
	// What is escalated waits, so is:escalated takes the place of is:waiting.
	list := []query.Expr{}
	for _, e := range and.List {
		switch {
		case inState("open")(e):
		case inState("escalated", "waiting")(e):
			list = slices.DeleteFunc(list, inState("escalated"))
			list = append(list, query.Is{State: "escalated"})
		default:
			list = append(list, e)
		}
	}
	unseen := query.Not{X: query.Is{State: "acked"}}
	list = append(list, query.Is{State: "superseded"})
	other := *q
	other.LatestPer, other.CountBy, other.GroupBy, other.Facets, other.Select, other.Sort = nil, nil, nil, nil, nil, nil
	n, source := -1, ""
	// One that a handoff of another thread superseded is open and listed already.
	for _, list := range [][]query.Expr{list, append(slices.Clip(list), query.Is{State: "closed"})} {
		other.Expr = query.And{List: append(slices.Clip(list), unseen)}
		switch m, err := v.Count(ctx, &other); {
		case err != nil || m == 0:
			return "", err
		case n < 0 || m < n:
			n, source = m, other.Source()
		}
	}
	if n == 1 {
		return fmt.Sprintf("1 overtaken escalation was never acknowledged (%s)", source), nil
	}
	return fmt.Sprintf("%d overtaken escalations were never acknowledged (%s)", n, source), nil
}

// inState reports whether an expression is is: one of the states.
func inState(states ...string) func(query.Expr) bool {
	return func(e query.Expr) bool {
		is, ok := e.(query.Is)
		return ok && slices.Contains(states, is.State)
	}
}
