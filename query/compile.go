package query

import (
	"slices"
	"strings"
)

// frag is a piece of SQL and its arguments. As a condition it is never NULL,
// so that NOT means what it says.
type frag struct {
	sql  string
	args []any
}

func (f *frag) add(sql string, args ...any) {
	f.sql += sql
	f.args = append(f.args, args...)
}

func (f *frag) statement() Statement { return Statement{f.sql, f.args} }

func (f *frag) addFrag(g frag) { f.add(g.sql, g.args...) }

// compiler turns one query into SQL. Values go into arguments, never into SQL;
// what is pasted into SQL comes from the tables of this package.
type compiler struct {
	lex   Lexicon
	rule  CaseRule
	notes []string
	// wildcards are the expressions found for parts of words, by their source.
	wildcards map[string]string
}

// Compile plans the query for an index whose words lex knows; nil is the
// Lexicon of the query's Env, if it had one.
// The plan finds handoffs that meet the query and every condition in also.
func (q *Query) Compile(lex Lexicon, also ...Condition) *Plan {
	if lex == nil {
		lex = q.lex
	}
	c := &compiler{lex: lex, rule: q.Case}
	p := &Plan{Leaves: c.leaves(q.Expr)}
	base := c.base(q, q.Expr, also)
	p.count = base.ids()
	switch {
	case q.ranked() && c.rank(p, q, also):
		base.ranked = true
	default:
		p.Page, p.Counted = c.page(q, base), base.groups != nil
	}
	if q.CountBy != nil {
		s := c.buckets(base, p.count, q.CountBy)
		p.Buckets = &s
	}
	for _, f := range q.Facets {
		p.Facets = append(p.Facets, FacetPlan{f, c.buckets(base, p.count, []string{f})})
	}
	p.Notes = c.notes
	return p
}

// scan is a SELECT over handoffs: what drives it and what it checks.
type scan struct {
	match  string // FTS5 expression that drives the scan, "" for none
	low    []frag // lower bounds of the id
	high   []frag // upper bounds of the id
	where  []frag // conditions on the row h
	checks []frag // conditions on the row b of body
	row    bool   // a check needs the row h
}

// scan splits the conditions of a query: text that the index can answer alone
// becomes one MATCH, which yields the newest first and stops early.
func (c *compiler) scan(e Expr, also []Condition) *scan {
	s := &scan{}
	var wanted, unwanted, marks []string
	for _, x := range conjuncts(e) {
		if match, ok := c.pure(x, 0); ok {
			wanted = append(wanted, match)
			continue
		}
		if not, ok := x.(Not); ok {
			if match, ok := c.pure(not.X, 0); ok {
				unwanted = append(unwanted, match)
				continue
			}
		}
		marks = appendNew(marks, c.mark(x))
		wanted = append(wanted, c.condition(s, x)...)
	}
	s.match = matchAll(marks, wanted, unwanted)
	if s.match == "" {
		for _, match := range unwanted {
			s.where = append(s.where, frag{"NOT " + inIndex, []any{wholeMatch(match)}})
		}
	}
	for _, a := range also {
		s.where = append(s.where, frag{"(" + a.SQL + ")", a.Args})
	}
	return s
}

// condition adds a conjunct that is not answered by the index alone, and
// returns what the index can answer of it.
func (c *compiler) condition(s *scan, x Expr) (wanted []string) {
	switch x := x.(type) {
	case All:
		return nil
	case Text:
		leaf := c.leaf(x)
		if leaf.Match != "" {
			wanted = []string{leaf.Match}
		}
		s.checks = append(s.checks, leaf.check)
		s.row = s.row || leaf.Section != ""
		return wanted
	case During:
		if x.Field == "date" {
			low, high := idBounds(x)
			s.low, s.high = append(s.low, low...), append(s.high, high...)
		}
	case And, Or, Not, None, Key, Amount, Is, Has, Same:
	}
	s.where = append(s.where, c.where(x))
	return nil
}

func conjuncts(e Expr) []Expr {
	if and, ok := e.(And); ok {
		return and.List
	}
	return []Expr{e}
}

// matchAll joins FTS5 expressions. FTS5 knows NOT only beside something that
// is wanted.
func matchAll(marks, wanted, unwanted []string) string {
	if len(wanted) > 0 {
		marks = append(marks, wholeMatch(strings.Join(wanted, " AND ")))
	}
	match := strings.Join(marks, " AND ")
	if match != "" && len(unwanted) > 0 {
		match = "(" + match + ") NOT (" + wholeMatch(strings.Join(unwanted, " OR ")) + ")"
	}
	return match
}

// wholeMatch keeps an expression off the column of meta tokens, which no word
// of a user may match.
func wholeMatch(match string) string { return "- {meta} : (" + match + ")" }

const inIndex = "h.id IN (SELECT fts.rowid FROM fts WHERE fts MATCH ?)"

// id is the column that holds the handoff's id, and the one to bound and to
// order by.
func (s *scan) id() string {
	if s.match != "" {
		return "fts.rowid"
	}
	return "h.id"
}

// from writes FROM and WHERE. full joins the row h whether or not a condition
// needs it. CROSS JOIN fixes the order of the loops: MATCH drives.
func (s *scan) from(full bool) frag {
	var f frag
	id := s.id()
	if s.match == "" {
		f.add(" FROM handoff h")
	} else {
		f.add(" FROM fts")
		if full || s.row || len(s.where) > 0 {
			f.add(" CROSS JOIN handoff h ON h.id = fts.rowid")
		}
	}
	if len(s.checks) > 0 {
		f.add(" CROSS JOIN body b ON b.id = " + id)
	}
	s.conditions(&f, id)
	return f
}

func (s *scan) conditions(f *frag, id string) {
	sep := " WHERE "
	next := func(g frag) {
		f.add(sep)
		f.addFrag(g)
		sep = " AND "
	}
	if s.match != "" {
		next(frag{"fts MATCH ?", []any{s.match}})
	}
	for _, low := range s.low {
		next(frag{id + " >= " + low.sql, low.args})
	}
	for _, high := range s.high {
		next(frag{id + " <= " + high.sql, high.args})
	}
	for _, g := range append(slices.Clip(s.where), s.checks...) {
		next(g)
	}
}

// base is the set of matches, after latest-per.
type base struct {
	scan   *scan
	groups []groupKey
	keep   int
	fast   bool // the newest of each project, nothing else asked
	ranked bool // the matches are others than the scan's
}

func (c *compiler) base(q *Query, e Expr, also []Condition) *base {
	b := &base{scan: c.scan(e, also), keep: max(q.Keep, 1)}
	for i, name := range q.LatestPer {
		b.groups = append(b.groups, c.group(name, i))
	}
	_, all := e.(All)
	b.fast = all && len(also) == 0 && b.keep == 1 && len(q.LatestPer) == 1 && q.LatestPer[0] == "project"
	return b
}

// ids yields the ids of the set, in no order.
func (b *base) ids() Statement {
	switch {
	case b.fast:
		// The table of projects and one look each, not a walk over all handoffs.
		return Statement{"SELECT id FROM (SELECT coalesce((SELECT max(x.id) FROM handoff x WHERE x.project_id = p.id AND x.earlier = 0), (SELECT max(x.id) FROM handoff x WHERE x.project_id = p.id)) AS id FROM project p) WHERE id IS NOT NULL", nil}
	case b.groups != nil:
		return b.latest()
	}
	f := frag{sql: "SELECT " + b.scan.id() + " AS id"}
	f.addFrag(b.scan.from(false))
	return f.statement()
}

// latest keeps the newest of each group. A value given twice ranks a handoff
// twice, and alike. What was overwritten comes after what is there, whatever dates
// the two bear.
func (b *base) latest() Statement {
	keys, joins := joinGroups(b.groups)
	if b.keep == 1 {
		// A maximum for each group takes half the time of their ranks. The id is
		// that of its row; it is far below 1 << 50.
		f := frag{sql: "SELECT DISTINCT id FROM (SELECT s.id AS id, max(iif(h.earlier, s.id - (1 << 50), s.id)) FROM (SELECT " + b.scan.id() + " AS id"}
		f.addFrag(b.scan.from(false))
		f.add(") s JOIN handoff h ON h.id = s.id")
		f.addFrag(joins)
		f.add(" GROUP BY " + strings.Join(keys, ", ") + ")")
		return f.statement()
	}
	f := frag{sql: "SELECT DISTINCT id FROM (SELECT s.id AS id, dense_rank() OVER (PARTITION BY " + strings.Join(keys, ", ") + " ORDER BY h.earlier, s.id DESC) AS n FROM (SELECT " + b.scan.id() + " AS id"}
	f.addFrag(b.scan.from(false))
	f.add(") s JOIN handoff h ON h.id = s.id")
	f.addFrag(joins)
	f.add(") WHERE n <= ?", int64(b.keep))
	return f.statement()
}

// page is the ids asked for, in order.
func (c *compiler) page(q *Query, b *base) Statement {
	var f frag
	if b.groups == nil {
		id := b.scan.id()
		order, needsRow := orderBy(q.Sort, id)
		f.add("SELECT " + id + " AS id")
		f.addFrag(b.scan.from(needsRow))
		f.add(" ORDER BY " + order)
	} else {
		ids := b.ids()
		order, needsRow := orderBy(q.Sort, "s.id")
		f.add("SELECT s.id AS id, count(*) OVER () AS total FROM ("+ids.SQL+") s", ids.Args...)
		if needsRow {
			f.add(" JOIN handoff h ON h.id = s.id")
		}
		f.add(" ORDER BY " + order)
	}
	limit(&f, q)
	return f.statement()
}

func limit(f *frag, q *Query) {
	n := int64(q.Limit)
	if q.Limit == 0 {
		n = -1
	}
	f.add(" LIMIT ?", n)
	if q.Offset > 0 {
		f.add(" OFFSET ?", int64(q.Offset))
	}
}
