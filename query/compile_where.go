package query

import (
	"strings"
)

// where is a condition on the row h.
func (c *compiler) where(e Expr) frag {
	if match, ok := c.pure(e, 0); ok {
		return frag{inIndex, []any{wholeMatch(match)}}
	}
	switch e := e.(type) {
	case All:
		return frag{sql: "1"}
	case None:
		return frag{sql: "0"}
	case And:
		return c.list(e.List, " AND ", func(list []Expr) Expr { return And{list} })
	case Or:
		return c.list(e.List, " OR ", func(list []Expr) Expr { return Or{list} })
	case Not:
		f := frag{sql: "NOT "}
		f.addFrag(c.where(e.X))
		return f
	case Text:
		return c.textWhere(e)
	case Key:
		return c.keyWhere(e)
	case Amount:
		return amountWhere(e)
	case During:
		return duringWhere(e)
	case Is:
		return stateWhere(e)
	case Has:
		return hasWhere(e.Field)
	case Same:
		return c.sameWhere(e)
	}
	return frag{sql: "0"}
}

// list joins conditions by op. What the index can answer of them it is asked
// once, as a list made anew.
func (c *compiler) list(list []Expr, op string, join func([]Expr) Expr) frag {
	var pure, rest []Expr
	for _, x := range list {
		if _, ok := c.pure(x, 1); ok {
			pure = append(pure, x)
		} else {
			rest = append(rest, x)
		}
	}
	if len(pure) > 1 {
		rest = append(rest, join(pure))
	} else {
		rest = append(rest, pure...)
	}
	f := frag{sql: "("}
	for i, x := range rest {
		if i > 0 {
			f.add(op)
		}
		f.addFrag(c.where(x))
	}
	f.add(")")
	return f
}

// textWhere checks a text on its own row, and only on the rows the index
// finds, if it finds any.
func (c *compiler) textWhere(t Text) frag {
	leaf := c.leaf(t)
	f := frag{sql: "("}
	switch {
	case leaf.Match != "":
		f.add(inIndex+" AND ", wholeMatch(leaf.Match))
	case leaf.Marks != "":
		f.add(inIndex+" AND ", leaf.Marks)
	}
	f.add("EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND ")
	f.addFrag(leaf.check)
	f.add("))")
	return f
}

func stateWhere(e Is) frag {
	s := lookupState(e.State)
	f := frag{sql: "(" + s.where + ")"}
	if strings.Contains(s.where, "?") {
		f.args = []any{e.Before.UnixMilli()}
	}
	return f
}

// duringWhere is true where the interval a handoff covers meets the one asked
// for; updated and sent are instants.
func duringWhere(e During) frag {
	f := lookup(e.Field)
	start := f.columns[0]
	var out frag
	out.add("(" + start + " IS NOT NULL")
	if !e.To.IsZero() {
		out.add(" AND "+start+" < ?", e.To.UnixMilli())
	}
	if !e.From.IsZero() {
		if len(f.columns) > 1 {
			out.add(" AND "+f.columns[1]+" > ?", e.From.UnixMilli())
		} else {
			out.add(" AND "+start+" >= ?", e.From.UnixMilli())
		}
	}
	out.add(")")
	return out
}

// idEpoch is where ids are counted from: they are in the order of the sort
// instant, and its seconds since 2000.
const idEpoch = 946684800

// dateSlack is how many seconds the sort instant of a handoff can lie outside
// the interval asked for although its dates meet it: a handoff dated to the
// year may be sorted anywhere in it. The index may know better.
const dateSlack = "coalesce((SELECT CAST(value AS INTEGER) FROM state WHERE key = 'date_slack'), 31795200)"

// idBounds are bounds of the id that no handoff in the interval lies outside:
// redundant, but they let the scan begin and end there.
func idBounds(e During) (low, high []frag) {
	if !e.From.IsZero() {
		low = []frag{{"(? - " + dateSlack + ")", []any{e.From.Unix() - idEpoch}}}
	}
	if !e.To.IsZero() {
		high = []frag{{"(? + " + dateSlack + ")", []any{e.To.Unix() + 1 - idEpoch}}}
	}
	return low, high
}

// A version is the number it begins with; a name has none.
const (
	isNumber      = "ltrim(h.version, 'vV') GLOB '[0-9]*'"
	versionNumber = "CAST(ltrim(h.version, 'vV') AS REAL)"
)

func amountWhere(e Amount) frag {
	f := lookup(e.Field)
	column := f.columns[0]
	if f.Name == "version" {
		return frag{"(" + isNumber + " AND " + versionNumber + " " + e.Op + " ?)", []any{e.Value}}
	}
	return frag{"(" + column + " IS NOT NULL AND " + column + " " + e.Op + " ?)", []any{e.Value}}
}
