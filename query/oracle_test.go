package query_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/query"
)

var oracleEnv = query.Env{Now: oracleNow, Zone: berlin, Member: "ann@laptop", Project: func() string { return "/home/ann/shop" }, Formats: []string{"alpha", "beta"}, Saved: savedQueries}

// asked is a query over drawn handoffs, laid before the oracle and the index.
type asked struct {
	rapid.TB
	oracle

	tb    testing.TB
	db    *sql.DB
	knows bool // the Lexicon has all it may have
	text  string
	q     *query.Query
	plan  *query.Plan
}

// parsed reads another query over the same handoffs.
func (a asked) parsed(text string) asked {
	a.Helper()
	q, err := query.Parse(text, oracleEnv)
	if err != nil {
		a.Fatalf("%s: %v", text, err)
	}
	return a.with(text, q)
}

func (a asked) with(text string, q *query.Query) asked {
	a.text, a.q, a.rule = text, q, q.Case
	lexicon := newStems(a.handoffs)
	if a.knows {
		a.plan = q.Compile(knowing{lexicon, a.oracle})
	} else {
		a.plan = q.Compile(lexicon)
	}
	return a
}

// differ fails if two answers do.
func (a asked) differ(what string, want, got any) {
	a.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		a.Fatalf("%s: %s\n%s (-want +got):\n%s\n%s\n%s", what, a.text, a.q.Canonical(), diff, a.handoffs, a.plan.Page.SQL)
	}
}

// String tells what the handoffs hold.
func (c collection) String() string {
	var b strings.Builder
	for _, h := range c {
		fmt.Fprintf(&b, "%s: %s to %s (%s), updated %s, sent %s, in %s (%s)\n\t", h.hid, h.start, h.end, h.sort, h.updated, h.sent, h.path, h.format)
		for _, f := range query.Fields() {
			if f.Kind == query.FieldOpen || f.Kind == query.FieldClosed || f.Kind == query.FieldPath {
				fmt.Fprintf(&b, "%s %q, ", f.Name, h.values(f.Name))
			}
		}
		fmt.Fprintf(&b, "%q, %q, %+v, %+v\n", h.version, h.columns(), h.facts, h.problems)
	}
	return b.String()
}

// draws counts what a property was tried on: one that is tried on nothing, or
// on what is never found, proves nothing.
type draws struct{ all, read, telling int }

func (n draws) check(tb testing.TB) {
	tb.Helper()
	tb.Logf("of %d queries drawn %d were read, %d of them found some handoffs and not others", n.all, n.read, n.telling)
	if !tb.Failed() && (2*n.read < n.all || 5*n.telling < n.all) {
		tb.Errorf("of %d queries drawn just %d were read and %d told handoffs apart", n.all, n.read, n.telling)
	}
}

// queriesDrawn is how many queries are asked of the same handoffs.
const queriesDrawn = 4

// eachQuery draws handoffs and queries with some directives over them.
func eachQuery(t *testing.T, holds func(a asked), directives ...string) {
	t.Helper()
	db := openIndex(t)
	var n draws
	rapid.Check(t, func(rt *rapid.T) {
		a := asked{TB: rt, tb: t, db: db, oracle: oracle{handoffs: drawCollection(rt)}}
		a.lay(chance(rt, 2))
		d := drawer{rt, a.handoffs}
		for range queriesDrawn {
			text := d.query() + d.directives(directives...)
			q, err := query.Parse(text, oracleEnv)
			n.all++
			if err != nil {
				checkErrors(t, text, err)
				continue
			}
			a.knows = chance(rt, 2)
			one := a.with(text, q)
			if found := len(one.find(q.Expr)); found > 0 && found < len(a.handoffs) {
				n.telling++
			}
			n.read++
			holds(one)
		}
	})
	n.check(t)
}

// lay makes the index hold the handoffs.
func (a asked) lay(withSlack bool) {
	a.tb.Helper()
	a.handoffs.store(a.tb, a.db)
	if withSlack {
		a.handoffs.storeSlack(a.tb, a.db)
	}
}

// TestSearchEqualsOracle is the main property: SQL finds what the oracle finds,
// in the order asked for.
func TestSearchEqualsOracle(t *testing.T) {
	t.Parallel()
	eachQuery(t, func(a asked) {
		a.differ("page", a.page(a.q), hids(a.tb, a.db, a.plan))
		a.q.ProjectFirst = true
		a = a.with(a.text, a.q)
		a.differ("page with a project first", a.page(a.q), hids(a.tb, a.db, a.plan))
	}, "sort", "limit", "offset", "latest-per", "group-by")
}

// TestEveryFormEqualsOracle asks each form of each field, state and thing, and
// each piece of text in each way, which a short run of draws does not.
func TestEveryFormEqualsOracle(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	forms := everyForm()
	for i := range testkit.Rounds(t, 2, 6) {
		a := asked{TB: t, tb: t, db: db, knows: i%2 == 0, oracle: oracle{handoffs: rapid.Custom(drawCollection).Example(i)}}
		a.lay(i%4 < 2)
		for _, text := range slices.Concat(forms, nearForms(a.handoffs[0])) {
			one := a.parsed(text)
			one.differ("page", one.page(one.q), hids(t, db, one.plan))
			one.q.ProjectFirst = true
			one = one.with(text, one.q)
			one.differ("page with a project first", one.page(one.q), hids(t, db, one.plan))
		}
	}
}

func everyForm() []string {
	var list []string
	for _, f := range query.Fields() {
		if f.Name != "query" {
			list = append(list, spellings(f)...)
		}
	}
	list = slices.DeleteFunc(list, func(text string) bool { return text == "format:company" }) // no format of the oracle's
	for _, piece := range textPieces {
		list = append(list, piece, `"`+piece+`"`, `"`+piece+`"*`, "title:"+piece, "-"+escaped(piece))
		if len([]rune(piece)) > 2 {
			list = append(list, "*"+escaped(piece)+"*", escaped(piece)+"*")
		}
	}
	for _, root := range projects {
		list = append(list, root.name, root.name+" token limit:2", root.name+" offset:1 limit:1")
		for _, file := range pools["file"] {
			list = append(list, `file="`+root.root+"/"+file+`"`)
		}
	}
	return list
}

// TestPrintedQueryIsTheSame checks that a query written out is read as itself.
func TestPrintedQueryIsTheSame(t *testing.T) {
	t.Parallel()
	eachQuery(t, func(a asked) {
		source := a.q.Source()
		if len(source) > 4096 {
			return // escaped signs made it longer than a query may be
		}
		again := a.parsed(source)
		a.differ("canonical form", a.q.Canonical(), again.q.Canonical())
		a.differ("source", source, again.q.Source())
		a.differ("tree", a.q.Expr, query.Simplify(again.q.Expr))
		a.differ("page of the source", hids(a.tb, a.db, a.plan), hids(a.tb, a.db, again.plan))
	}, "sort", "limit", "offset", "latest-per", "group-by", "facets")
}

// TestOppositesPartition checks that a handoff is found by a query or by its
// opposite, and by one of them only.
func TestOppositesPartition(t *testing.T) {
	t.Parallel()
	eachQuery(t, func(a asked) {
		not := *a.q
		not.Expr = query.Simplify(query.Not{X: a.q.Expr})
		found := append(hids(a.tb, a.db, a.plan), hids(a.tb, a.db, a.with("NOT "+a.text, &not).plan)...)
		all := a.handoffs.hids()
		slices.Sort(found)
		slices.Sort(all)
		a.differ("with its opposite", all, found)
	})
}

// TestPagesJoinToTheWhole checks that pages follow each other without a gap.
func TestPagesJoinToTheWhole(t *testing.T) {
	t.Parallel()
	eachQuery(t, func(a asked) {
		whole := *a.q
		whole.Limit, whole.Offset = 0, 0
		size := 1 + len(a.text)%3
		var joined []string
		for from := 0; from < len(a.handoffs); from += size {
			page := whole
			page.Limit, page.Offset = size, from
			joined = append(joined, hids(a.tb, a.db, a.with(a.text, &page).plan)...)
		}
		a.differ("pages", hids(a.tb, a.db, a.with(a.text, &whole).plan), joined)
	}, "sort", "latest-per")
}

// TestCountsEqualOracle checks the counts: of all matches whatever the limit,
// of the values of count-by: and of facets:.
func TestCountsEqualOracle(t *testing.T) {
	t.Parallel()
	eachQuery(t, func(a asked) {
		found := a.matches(a.q)
		a.differ("count", len(found), count(a.tb, a.db, a.plan.Count(0)))
		a.differ("bounded count", min(len(found), 3), count(a.tb, a.db, a.plan.Count(2)))
		if a.q.CountBy != nil {
			a.differ("count-by", found.buckets(a.q.CountBy), table(a.tb, a.db, *a.plan.Buckets))
		}
		for i, name := range a.q.Facets {
			a.differ("facet "+name, found.buckets([]string{name}), table(a.tb, a.db, a.plan.Facets[i].Statement))
		}
	}, "latest-per", "count-by", "facets", "limit")
}
