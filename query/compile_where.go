package query

import "strings"

// where returns a condition on the row h.
func (c *compiler) where(e Expr) Statement {
	if match, ok := c.pure(e, 0); ok {
		return sql(inIndex, wholeMatch(match))
	}
	switch e := e.(type) {
	case All:
		return sql("1")
	case None:
		return sql("0")
	case And:
		return c.list(e.List, " AND ")
	case Or:
		return c.list(e.List, " OR ")
	case Not:
		return sql("NOT ?", c.where(e.X))
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
	return sql("0")
}

// list joins conditions by op. Those that the index can evaluate are
// evaluated once, together.
func (c *compiler) list(list []Expr, op string) Statement {
	var pure, rest []Expr
	for _, x := range list {
		if _, ok := c.pure(x, 1); ok {
			pure = append(pure, x)
		} else {
			rest = append(rest, x)
		}
	}
	if len(pure) > 1 {
		pure = []Expr{listOf(pure, op == " AND ")}
	}
	var all []Statement
	for _, x := range append(rest, pure...) {
		all = append(all, c.where(x))
	}
	return sql("(?)", joined(all, op))
}

// textWhere checks a text on its own row, and only on the rows the index
// finds, if it finds any.
func (c *compiler) textWhere(t Text) Statement {
	leaf := c.leaf(t)
	var found Statement
	switch {
	case leaf.Match != "":
		found = sql(inIndex+" AND ", wholeMatch(leaf.Match))
	case leaf.Marks != "":
		found = sql(inIndex+" AND ", leaf.Marks)
	}
	return sql("(?EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND ?))", found, leaf.check)
}

func stateWhere(e Is) Statement {
	s := lookupState(e.State)
	if strings.Contains(s.where, "?") {
		return sql("("+s.where+")", e.Before.UnixMilli())
	}
	return sql("(" + s.where + ")")
}

// duringWhere returns SQL that is true where the interval a handoff covers meets the
// one asked for; updated and sent are instants.
func duringWhere(e During) Statement {
	f := lookup(e.Field)
	start := f.columns[0]
	out := sql("(" + start + " IS NOT NULL")
	if !e.To.IsZero() {
		out.add(" AND "+start+" < ?", e.To.UnixMilli())
	}
	if !e.From.IsZero() {
		end := start + " >= ?"
		if len(f.columns) > 1 {
			end = f.columns[1] + " > ?"
		}
		out.add(" AND "+end, e.From.UnixMilli())
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

// idBounds returns bounds of the id that no handoff in the interval lies outside:
// redundant, but they let the scan begin and end there.
func idBounds(e During) (bounds []Statement) {
	if !e.From.IsZero() {
		bounds = append(bounds, sql(" >= (? - "+dateSlack+")", e.From.Unix()-idEpoch))
	}
	if !e.To.IsZero() {
		bounds = append(bounds, sql(" <= (? + "+dateSlack+")", e.To.Unix()+1-idEpoch))
	}
	return bounds
}

// A version is the number it begins with; a name has none.
const (
	isNumber      = "ltrim(h.version, 'vV') GLOB '[0-9]*'"
	versionNumber = "CAST(ltrim(h.version, 'vV') AS REAL)"
)

func amountWhere(e Amount) Statement {
	f := lookup(e.Field)
	given, value := f.given(f.columns[0]), f.columns[0]
	if f.Name == "version" {
		given, value = isNumber, versionNumber
	}
	return sql("("+given+" AND "+value+" "+e.Op+" ?)", e.Value)
}
