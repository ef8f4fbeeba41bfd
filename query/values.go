package query

import (
	"slices"
	"strings"

	"handex/query/internal/match"
)

// Values yields the values a field has in some handoffs, given as a JSON array
// of their ids: rows of id and value, several where there are several values,
// none where there is none. It answers group-by and select. ok is false for a
// name that is no field, and for columns that are not kept as text.
func Values(field, ids string) (s Statement, ok bool) {
	f := lookup(field)
	if f == nil || !f.canLack() {
		return Statement{}, false
	}
	const these = "h.id IN (SELECT value FROM json_each(?))"
	if f.Kind == FieldProse {
		columns := f.columns
		switch {
		case f.section() != "":
			return Statement{"SELECT h.id, handex_section(?, h.sections, " + bodyColumns(match.TextColumns) + ") AS v FROM handoff h JOIN body b ON b.id = h.id WHERE " + these + " AND v <> ''", []any{f.section(), ids}}, true
		case columns == nil:
			columns = match.TextColumns
		}
		text := "trim(b." + strings.Join(columns, " || char(10) || b.") + ", char(10))"
		return Statement{"SELECT h.id, " + text + " AS v FROM handoff h JOIN body b ON b.id = h.id WHERE " + these + " AND v <> ''", []any{ids}}, true
	}
	if f.Name == "agent" {
		f = lookup("to")
	}
	c := &compiler{}
	g := c.group(f.Name, 0)
	out := frag{sql: "SELECT DISTINCT h.id, CAST(" + g.value + " AS TEXT) AS v FROM handoff h"}
	out.addFrag(g.join)
	out.add(" WHERE "+these+" AND v <> ''", ids)
	return out.statement(), true
}

// Counts is a query for how often each value of a field occurs among the
// handoffs that meet q: what completion offers and near values are found in.
func (q *Query) Counts(field string) (counts *Query, ok bool) {
	f := groupField(field)
	if f == nil {
		return nil, false
	}
	counts = q.with(q.Expr)
	counts.CountBy = []string{f.Name}
	return counts, true
}

func keysOf(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
