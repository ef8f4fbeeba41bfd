package cli

import (
	"fmt"
	"slices"

	"handex/query"
)

// overtaken is a note for who asks for open escalations: a newer handoff closes
// an older escalation, but that no human looked must not go unsaid. It is "" if
// there is nothing to say.
func (a *app) overtaken(q *query.Query) (string, error) {
	and, ok := q.Expr.(query.And)
	if !ok || !slices.ContainsFunc(and.List, inState("escalated")) || !slices.ContainsFunc(and.List, inState("open")) {
		return "", nil
	}
	rest := slices.DeleteFunc(slices.Clone(and.List), inState("open"))
	other := *q
	other.Expr = query.And{List: append(rest, query.Is{State: "superseded"}, query.Not{X: query.Is{State: "acked"}})}
	other.LatestPer, other.CountBy, other.GroupBy, other.Facets, other.Select, other.Sort = nil, nil, nil, nil, nil, nil
	n, err := a.count(&other)
	switch {
	case err != nil || n == 0:
		return "", err
	case n == 1:
		return fmt.Sprintf("1 overtaken escalation was never acknowledged (%s)", other.Source()), nil
	}
	return fmt.Sprintf("%d overtaken escalations were never acknowledged (%s)", n, other.Source()), nil
}

// inState reports whether an expression is is:state.
func inState(state string) func(query.Expr) bool {
	return func(e query.Expr) bool {
		is, ok := e.(query.Is)
		return ok && is.State == state
	}
}
