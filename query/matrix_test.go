package query_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/query"
)

// TestEveryFieldPrepares checks the contract between the table of fields and
// the schema: every operator of every field is accepted by SQLite.
func TestEveryFieldPrepares(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	env := testEnv
	env.Formats = nil
	env.Saved = map[string]string{"standup": "is:open since:yesterday"}
	for _, f := range query.Fields() {
		for _, text := range spellings(f) {
			q, err := query.Parse(text, env)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			runAll(t, db, q.Compile(testWords))
			not, err := query.Parse("-("+text+")", env)
			if err != nil {
				t.Errorf("-(%s): %v", text, err)
				continue
			}
			all := len(shelf)
			if yes, no := count(t, db, q.Compile(testWords).Count(0)), count(t, db, not.Compile(testWords).Count(0)); yes+no != all {
				t.Errorf("%s finds %d and its opposite %d of %d", text, yes, no, all)
			}
		}
	}
}

// spellings are queries with the field, one for each thing that may follow it.
func spellings(f query.Field) []string {
	name := f.Name
	if strings.HasSuffix(name, ".") {
		name += "tags"
	}
	list := []string{f.Example}
	for _, alias := range f.Aliases {
		list = append(list, strings.Replace(f.Example, name, alias, 1))
	}
	add := func(behind ...string) {
		for _, s := range behind {
			list = append(list, name+s)
		}
	}
	switch f.Kind {
	case query.FieldOpen, query.FieldPath:
		add(":x", ":ü", ":a*b?", ":ü*", ":/x/", `:"x y"`, "=x", "!=x", ":*", ":x,y", ":(x OR -y*)", ":{is:open}", `:"x"*`)
	case query.FieldClosed:
		values := f.Values
		if values == nil {
			values = testEnv.Formats
		}
		for _, v := range values {
			add(":" + v)
		}
		add("="+values[0], "!="+values[0], ":*", ":"+strings.Join(values, ","), ":{is:open}")
	case query.FieldNumber:
		add(":1", ":<1", "<=1.5", ":>1", ">=1", "=1", "!=1", ":1..2", ":..2", ":1..", ":*", ":-1", ":50%")
	case query.FieldDate:
		add(":today", ":2026-02")
	case query.FieldDuration:
		add(":7d", "<7d", ">7d", "<=7d", ">=7d", ":1d..7d")
	case query.FieldProse:
		add(":x", ":X", `:"x y"`, `:"x"*`, ":xy*", ":*xyz*", ":日本", ":->", ":/x/", ":*", ":(x OR -y)", ":(x NEAR/2 Y NEAR/2 zz*)", ":abcd~")
	case query.FieldWord:
	}
	if f.Kind == query.FieldDate && f.Ordered {
		add("<today", "<=today", ">today", ">=today", "=today", "!=today", ":today..", ":..today", ":*")
	}
	if f.Ordered && f.Kind == query.FieldClosed {
		add(":>"+f.Values[0], "<"+f.Values[1], ":"+f.Values[0]+".."+f.Values[1])
	}
	if f.Name == "has" || f.Name == "no" {
		add(":escalation", ":link", ":sec.x", ":meta.x")
		for _, g := range query.Fields() {
			if g.Kind != query.FieldWord && g.Kind != query.FieldDuration && !strings.HasSuffix(g.Name, ".") && !slices.Contains([]string{"since", "until", "before", "after"}, g.Name) {
				add(":" + g.Name)
			}
		}
	}
	if f.Name == "is" {
		for _, s := range query.States() {
			add(":"+s.Name, ":"+s.Name+" is:"+s.Name)
		}
	}
	return list
}

// TestEveryDirectivePrepares runs each directive with every field it takes.
func TestEveryDirectivePrepares(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	var list []string
	for _, d := range query.Directives() {
		list = append(list, d.Example, "token "+d.Example)
	}
	list = append(list, "latest 3 handoffs per project", "blocked handoffs count by project", "open handoffs oldest first")
	for _, f := range query.Fields() {
		if f.Group && !strings.HasSuffix(f.Name, ".") {
			for _, d := range []string{"latest-per", "count-by", "group-by", "facets"} {
				list = append(list, d+":"+f.Name, "token "+d+":"+f.Name+",meta.tags")
			}
		}
	}
	for _, c := range query.Complete("sort:").Candidates {
		list = append(list, c.Text, c.Text+"-desc")
		if c.Text != "sort:relevance" {
			list = append(list, "token "+c.Text+",date-asc")
		}
	}
	for _, text := range list {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		runAll(t, db, q.Compile(testWords))
		checkRoundTrip(t, q)
	}
}

func TestEveryFieldHasValues(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	ids := "[" + strings.Join(table(t, db, query.Statement{SQL: "SELECT id FROM handoff"}), ",") + "]"
	for _, f := range query.Fields() {
		name := f.Name
		if strings.HasSuffix(name, ".") {
			name += "tags"
		}
		s, ok := query.Values(name, ids)
		if want := f.Kind != query.FieldWord && f.Kind != query.FieldDuration && (f.Kind != query.FieldDate || f.Ordered); ok != want {
			t.Errorf("%s: has values: %v, want %v", name, ok, want)
		}
		if ok {
			table(t, db, s)
		}
	}
}
