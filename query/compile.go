package query

import (
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

// compiler turns one query into SQL. Values go into arguments, never into SQL;
// what is pasted into SQL comes from the tables of this package.
type compiler struct {
	lex   Lexicon
	rule  CaseRule
	notes []string
	known map[string]*Leaf // leaves compiled before, by their text
}

// Compile plans the query for an index whose words lex knows; nil knows none.
// The plan finds handoffs that meet the query and every condition in also.
func (q *Query) Compile(lex Lexicon, also ...Condition) *Plan {
	if lex == nil {
		lex = noWords{}
	}
	c := &compiler{lex: lex, rule: q.Case, known: map[string]*Leaf{}}
	p := &Plan{Leaves: c.leaves(q.Expr)}
	base := c.base(q, q.Expr, also)
	p.count = base.ids()
	if q.ranked() && c.rank(p, q, also) {
		base.ranked = true
	} else if names := c.projectNames(q); names != nil {
		p.Page = c.projectFirst(q, names, also)
	} else {
		p.Page, p.Counted = base.page(q), base.groups != nil
	}
	if q.CountBy != nil {
		s := base.buckets(p.count, q.CountBy)
		p.Buckets = &s
	}
	for _, f := range q.Facets {
		p.Facets = append(p.Facets, FacetPlan{f, base.buckets(p.count, []string{f})})
	}
	p.Notes = c.notes
	return p
}

// scan is a SELECT over handoffs: what drives it and what it checks.
type scan struct {
	match  string      // FTS5 expression that drives the scan, "" for none
	bounds []Statement // of the id
	where  []Statement // conditions on the row h
	checks []Statement // conditions on the row b of body
	row    bool        // a check needs the row h
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
		wanted = appendNew(wanted, c.addCondition(s, x))
	}
	s.match = matchAll(marks, wanted, unwanted)
	if s.match == "" {
		for _, match := range unwanted {
			s.where = append(s.where, sql("NOT "+inIndex, wholeMatch(match)))
		}
	}
	for _, a := range also {
		s.where = append(s.where, sql("(?)", a))
	}
	return s
}

// addCondition adds a conjunct that the index cannot answer alone, and returns
// what the index can answer of it.
func (c *compiler) addCondition(s *scan, x Expr) (wanted string) {
	switch x := x.(type) {
	case All:
		return ""
	case Text:
		leaf := c.leaf(x)
		s.checks = append(s.checks, leaf.check)
		s.row = s.row || leaf.Section != ""
		return leaf.Match
	case During:
		if x.Field == "date" {
			s.bounds = append(s.bounds, idBounds(x)...)
		}
	case And, Or, Not, None, Key, Amount, Is, Has, Same:
	}
	s.where = append(s.where, c.where(x))
	return ""
}

func conjuncts(e Expr) []Expr { return partsOf(e, true) }

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

// wholeMatch restricts an expression to the columns other than that of meta tokens,
// which no word of a user may match. Most expressions match none anyway and take less
// time without the restriction.
func wholeMatch(match string) string {
	if mayMatchMeta(match) {
		return "- {meta} : (" + match + ")"
	}
	return "(" + match + ")"
}

// mayMatchMeta reports whether an expression may match a meta token: all of these begin
// with x0. Letters beyond ASCII may be folded to x, and prefixes may be just that.
func mayMatchMeta(match string) bool {
	return !text.IsASCII(match) || strings.Contains(strings.ToLower(match), "x0") || strings.Contains(match, `"*`)
}

const inIndex = "h.id IN (SELECT fts.rowid FROM fts WHERE fts MATCH ?)"

// id returns the column of the handoff's id, and the one to bound and to order
// by.
func (s *scan) id() string {
	if s.match != "" {
		return "fts.rowid"
	}
	return "h.id"
}

// ids yields the ids found, in no order.
func (s *scan) ids() Statement {
	return sql("SELECT "+s.id()+" AS id?", s.from(false))
}

// from writes FROM and WHERE. full joins the row h whether or not a condition
// needs it. CROSS JOIN fixes the order of the loops: MATCH drives.
func (s *scan) from(full bool) Statement {
	f, id := sql(" FROM handoff h"), s.id()
	var all []Statement
	if s.match != "" {
		f.SQL = " FROM fts"
		if full || s.row || len(s.where) > 0 {
			f.add(" CROSS JOIN handoff h ON h.id = fts.rowid")
		}
		all = append(all, sql("fts MATCH ?", s.match))
	}
	if len(s.checks) > 0 {
		f.add(" CROSS JOIN body b ON b.id = " + id)
	}
	for _, bound := range s.bounds {
		all = append(all, sql(id+bound.SQL, bound.Args...))
	}
	all = append(append(all, s.where...), s.checks...)
	if len(all) > 0 {
		f.add(" WHERE ?", joined(all, " AND "))
	}
	return f
}

func joined(list []Statement, op string) Statement {
	var all Statement
	for i, s := range list {
		if i > 0 {
			all.add(op)
		}
		all.add("?", s)
	}
	return all
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
		b.groups = append(b.groups, groupOf(name, i))
	}
	b.fast = isAll(e) && len(also) == 0 && b.keep == 1 && len(q.LatestPer) == 1 && q.LatestPer[0] == "project"
	return b
}

// newestOfProjects reads the table of projects and looks once for each, instead
// of walking over all handoffs.
const newestOfProjects = "SELECT id FROM (SELECT coalesce(" +
	"(SELECT max(x.id) FROM handoff x WHERE x.project_id = p.id AND x.earlier = 0), " +
	"(SELECT max(x.id) FROM handoff x WHERE x.project_id = p.id)) AS id FROM project p) WHERE id IS NOT NULL"

// ids yields the ids of the set, in no order. A value given twice ranks a
// handoff twice, and alike. What was overwritten comes after what is there,
// whatever dates the two bear.
func (b *base) ids() Statement {
	switch {
	case b.fast:
		return sql(newestOfProjects)
	case b.groups == nil:
		return b.scan.ids()
	}
	keys, joins := joinGroups(b.groups)
	rank := "dense_rank() OVER (PARTITION BY " + keys + " ORDER BY h.earlier, s.id DESC) AS n"
	last := sql(") WHERE n <= ?", int64(b.keep))
	if b.keep == 1 {
		// A maximum for each group takes half the time of their ranks. The id is
		// that of its row; it is far below 1 << 50.
		rank, last = "max(iif(h.earlier, s.id - (1 << 50), s.id))", sql(" GROUP BY "+keys+")")
	}
	return sql("SELECT DISTINCT id FROM (SELECT s.id AS id, "+rank+" FROM (?) s JOIN handoff h ON h.id = s.id??",
		b.scan.ids(), joins, last)
}

// page returns the ids asked for, in order.
func (b *base) page(q *Query) Statement {
	var f Statement
	if b.groups == nil {
		id := b.scan.id()
		order, needsRow := orderBy(q.Sort, id)
		f.add("SELECT "+id+" AS id?"+order, b.scan.from(needsRow))
	} else {
		order, needsRow := orderBy(q.Sort, "s.id")
		f.add("SELECT s.id AS id, count(*) OVER () AS total FROM (?) s", b.ids())
		if needsRow {
			f.add(" JOIN handoff h ON h.id = s.id")
		}
		f.add(order)
	}
	f.addLimit(q)
	return f
}

// projectNames returns a condition that is true of the projects which words of the query
// are the names of; nil if there are none, or if they change nothing.
func (c *compiler) projectNames(q *Query) Expr {
	if !q.ProjectFirst || q.Sort != nil || q.LatestPer != nil || q.CountBy != nil {
		return nil
	}
	var names []Expr
	for _, x := range conjuncts(q.Expr) {
		if t, ok := x.(Text); ok && t.isOptionalTerm() && c.lex.HasProject(t.Text) {
			names = append(names, Key{Field: "project", Value: t.Text})
			c.notes = appendNew(c.notes, `"`+t.Text+`" is a project; its handoffs come first; to list the newest first, add `+
				`sort:date`)
		}
	}
	if names == nil {
		return nil
	}
	return Or{names}
}

// projectFirst returns the ids asked for, in order: those that meet first, the newest of
// them first, and then the others. Each half ends where the page does.
func (c *compiler) projectFirst(q *Query, first Expr, also []Condition) Statement {
	most := int64(-1)
	if q.Limit > 0 {
		most = int64(q.Offset) + int64(q.Limit)
	}
	half := func(x Expr) Statement { return newest(c.scan(Simplify(And{[]Expr{q.Expr, x}}), also).ids(), most) }
	f := sql("SELECT id FROM (SELECT 0 AS half, id FROM (?) UNION ALL SELECT 1, id FROM (?)) ORDER BY half, id DESC",
		half(first), half(Not{first}))
	f.addLimit(q)
	return f
}

func (s *Statement) addLimit(q *Query) {
	n := int64(q.Limit)
	if q.Limit == 0 {
		n = -1
	}
	s.add(" LIMIT ?", n)
	if q.Offset > 0 {
		s.add(" OFFSET ?", int64(q.Offset))
	}
}
