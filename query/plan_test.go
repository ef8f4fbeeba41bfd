package query_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

func TestBuckets(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, c := range []struct{ query, want string }{
		{"count-by:project", "docs.site 2|shop 2"},
		{"count-by:status", "blocked 1|completed 1|in-progress 1|pending 1"},
		{"token count-by:project", "shop 2"},
		{"count-by:item", " 2|SHOP-7 2|DOC-1 1"},
		{"count-by:priority", " 2|high 1|low 1"},
		{"count-by:problem", " 2|alpha.date 1|beta.date 1|beta.source 1"},
		{"count-by:project,format", "docs.site beta 2|shop alpha 2"},
		{"latest-per:project count-by:format", "alpha 1|beta 1"},
		{"count-by:approach", " 3|failed 1"},
		{"is:sent count-by:format", ""},
	} {
		if diff := cmp.Diff(c.want, strings.Join(table(t, db, *plan(t, c.query).Buckets), "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

// TestFacets checks that facets count all matches, whatever the limit.
func TestFacets(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	p := plan(t, "facets:format,item limit:1 sort:relevance token mesh")
	var got []string
	for _, f := range p.Facets {
		got = append(got, f.Field+": "+strings.Join(table(t, db, f.Statement), "|"))
	}
	if diff := cmp.Diff([]string{"format: alpha 2|beta 1", "item: SHOP-7 2| 1|DOC-1 1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, c := range []struct {
		query string
		bound int
		want  int
	}{
		{"", 0, 4},
		{"", 2, 3},
		{"", 9, 4},
		{"token", 0, 2},
		{"token limit:1", 0, 2},
		{"token", 1, 2},
		{"nosuch", 5, 0},
		{"latest-per:project", 0, 2},
		{"latest-per:project", 1, 2},
		{"sort:relevance token mesh", 0, 3},
	} {
		if got := count(t, db, plan(t, c.query).Count(c.bound)); got != c.want {
			t.Errorf("%s, bound %d: %d, want %d", c.query, c.bound, got, c.want)
		}
	}
}

// TestPagesJoin checks that pages by limit and offset are the whole. Those of a ranked
// plan are cut by the index, which folds versions.
func TestPagesJoin(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, text := range []string{"", "sort:project", "sort:priority", "-is:sent", "latest-per:project"} {
		want := hids(t, db, plan(t, text+" limit:0"))
		var got []string
		for _, offset := range []string{"0", "1", "2", "3", "4"} {
			got = append(got, hids(t, db, plan(t, text+" limit:1 offset:"+offset))...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-whole +pages):\n%s", text, diff)
		}
	}
}

func TestCompileAlso(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, text := range []string{"", "token", "latest-per:project", "sort:relevance token mesh", "refresh OR is:blocked"} {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		p := q.Compile(testWords, query.Condition{SQL: "h.format = ? OR h.format = ?", Args: []any{"alpha", "gamma"}})
		for _, hid := range hids(t, db, p) {
			if !strings.HasPrefix(hid, "a") {
				t.Errorf("%s: found %s", text, hid)
			}
		}
		if n := count(t, db, p.Count(0)); n == 0 || n > 2 {
			t.Errorf("%s: counts %d", text, n)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	p := plan(t, "sort:relevance token mesh login")
	var got []string
	for _, h := range hits(t, db, p) {
		if h.Score <= 0 {
			t.Errorf("score %v", h.Score)
		}
		got = append(got, h.Missing)
	}
	if diff := cmp.Diff([]string{"mesh", "token,login", "mesh,login"}, got); diff != "" {
		t.Error(diff)
	}
	if p.Cap == 0 || !p.Ranked {
		t.Errorf("cap %d, ranked %v", p.Cap, p.Ranked)
	}
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, text, want string }{
		{"token", "Token and tokens, tokenizer", "[Token] and [tokens], tokenizer"},
		{"cafe", "Café cafe Cafe\u0301", "[Café] [cafe] [Cafe\u0301]"},
		{"src/auth.py", "in src/auth.py, src auth py", "in [src/auth.py], [src auth py]"},
		{`"token  refresh"`, "a Token\n\trefresh, token refreshes", "a [Token\n\trefresh], token refreshes"},
		{`"Token refresh"`, "token refresh Token refresh", "token refresh [Token refresh]"},
		{`"tok"*`, "token tok stok", "[tok]en [tok] stok"},
		{"tok*", "token tok stok", "[token] [tok] stok"},
		{"*oke*", "token OKEs", "t[oke]n [OKE]s"},
		{"日本", "日本語と日本", "[日本]語と[日本]"},
		{"/t.k/", "token tik", "[tok]en [tik]"},
		{"/a*/", "baab", "b[aa]b"},
		{`*oke\ *`, "smoke spoken poke", "sm[oke ]spoken poke"},
		{`*\ oke*`, "smoke  okes", "smoke[  oke]s"},
		{`"token"`, "§\u0301token e\u0301token", "§\u0301[token] e\u0301token"},
		{"\"\u0301token\"", "e\u0301token §\u0301token", "e\u0301token §[\u0301token]"},
		{"x§\u0301*", "xy x§\u0301a", "xy [x§\u0301]a"},
		{"fix NEAR/1 refresh", "fix a refresh, fix a b refreshes", "[fix] a [refresh], [fix] a b refreshes"},
		{"->", "a -> b", "a [->] b"},
	} {
		leaf := plan(t, c.query).Leaves[0]
		var b strings.Builder
		at := 0
		for _, s := range leaf.Find(c.text) {
			b.WriteString(c.text[at:s[0]] + "[" + c.text[s[0]:s[1]] + "]")
			at = s[1]
		}
		b.WriteString(c.text[at:])
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

// TestLeafOfExplain checks what explain prints of each piece of text.
func TestLeafOfExplain(t *testing.T) {
	t.Parallel()
	type shown struct {
		Source, Match string
		Columns       []string
		Checked, Not  bool
	}
	for _, c := range []struct {
		query string
		want  shown
	}{
		{"token", shown{Source: "token", Match: `("token" OR "tokens")`}},
		{"JWT", shown{Source: "JWT", Match: `"JWT"`}},
		{`"a \"b\""`, shown{Source: `"a \"b\""`, Match: `"a ""b"`, Checked: true}},
		{"-next:escal*", shown{Source: "next:escal*", Match: `{next} : ("escal"*)`, Columns: []string{"next"}, Not: true}},
		{"*config*", shown{Source: "*config*", Checked: true}},
		{"*x.config.y*", shown{Source: "*x.config.y*", Match: `"config.y"*`, Checked: true}},
		{"/a+/", shown{Source: "/a+/", Checked: true}},
		{`/x\ foo-bar\ y/`, shown{Source: `/x\ foo-bar\ y/`, Match: `"foo-bar y"*`, Checked: true}},
		{"a NEAR/5 token", shown{Source: "a NEAR/5 token", Match: `(NEAR("a" "token", 5) OR NEAR("a" "tokens", 5))`}},
		{"sec.x:token", shown{Source: "sec.x:token", Match: `("token" OR "tokens")`, Checked: true}},
		{"approaches:jwks", shown{Source: "approaches:jwks", Match: `{approaches worked failed partial} : ("jwks")`, Columns: []string{"approaches", "worked", "failed", "partial"}}},
	} {
		leaves := plan(t, c.query).Leaves
		l := leaves[len(leaves)-1]
		got := shown{Source: l.Source, Match: l.Match, Columns: l.Columns, Checked: l.Check != "", Not: l.Negated}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

// library is a Lexicon with all it may have: it knows the words of the shelf
// and the marks of its fields.
type library struct{ words }

func (library) Beginning(prefix string, most int) ([]string, bool) {
	var found []string
	for _, w := range []string{"refreshing", "refresh", "日本語のメモ", "mesh"} {
		if strings.HasPrefix(w, prefix) {
			found = append(found, w)
		}
	}
	return found, len(found) <= most
}

func (library) Containing(part string, most int) ([]string, bool) {
	var found []string
	for _, w := range []string{"refreshing", "refresh", "日本語のメモ", "mesh"} {
		if strings.Contains(w, part) {
			found = append(found, w)
		}
	}
	return found, len(found) <= most
}

func (library) Marks(field, value string, _ bool) ([]string, bool) {
	if field == "format" {
		return []string{"x0f" + value}, true
	}
	return nil, false
}

// TestLexiconWithMore checks that what a better Lexicon knows is used, and
// changes no answer.
func TestLexiconWithMore(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, c := range []struct{ query, want, match string }{
		{"*fres*", "a1 a2 b2", `(("refreshing" OR "refresh"))`},
		{"日本", "a2", `- {meta} : ("日本語のメモ")`},
		{"*zzz*", "", `("zzz")`},
		{"/freshin./", "a1", `("refreshing")`},
		{"/fres[g-i]+ing/", "a1", `((("refreshing" OR "refresh") AND "refreshing"))`},
		{"/fres[g-i]+in./", "a1", `(("refreshing" OR "refresh"))`},
		{"/me[r-t]h?/", "b1", `("mesh")`},
		{"refr*", "a1 a2 b2", `(("refreshing" OR "refresh"))`},
		{"zzz*", "", `- {meta} : ("zzz"*)`},
		{"日本*", "a2", `- {meta} : ("日本語のメモ")`},
		{"format:alpha,beta token", "a1", `({meta} : ("x0falpha") OR {meta} : ("x0fbeta")) AND (("token" OR "tokens"))`},
		{"(format:alpha OR is:open) mesh", "b1", `("mesh")`},
		{"format:alpha token", "a1", `{meta} : ("x0falpha") AND (("token" OR "tokens"))`},
		{"format:alpha -next:token", "a1", `({meta} : ("x0falpha")) NOT (({next} : (("token" OR "tokens"))))`},
		{"format:alpha", "a1", `{meta} : ("x0falpha")`},
		{"-format:alpha is:open", "b1", ""},
	} {
		q, err := query.Parse(c.query, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		p := q.Compile(library{testWords})
		if diff := cmp.Diff(c.want, strings.Join(hids(t, db, p), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
		if c.match != "" {
			if diff := cmp.Diff(any(c.match), p.Page.Args[0]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.query, diff)
			}
		}
	}
}

func TestNearWithManyForms(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 60 {
		many = append(many, "form"+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	q, err := query.Parse("forma NEAR/2 formb", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	p := q.Compile(words{families: [][]string{append([]string{"forma"}, many...), append([]string{"formb"}, many...)}})
	if diff := cmp.Diff([]string{`"formb" has too many forms for NEAR and is searched as written`}, p.Notes); diff != "" {
		t.Error(diff)
	}
}

// TestGroupsOfManyValues checks that a value given twice is one, and that who
// gives a value is not among those that give none.
func TestGroupsOfManyValues(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	for _, r := range []row{
		{hid: "a", date: "2026-02-03", attrs: []string{"item=X", "item=X", "approach=polling=failed", "approach=asking around"}},
		{hid: "b", date: "2026-02-02", attrs: []string{"item=X", "item="}},
		{hid: "c", date: "2026-02-01"},
	} {
		r.project = "/p"
		r.insert(t, db)
	}
	for _, c := range []struct{ query, page, counts string }{
		{"latest-per:item keep:2 count-by:item", "a b c", "X 2| 1"},
		{"latest-per:item", "a c", ""},
		{"count-by:approach", "a b c", " 2|failed 1"},
	} {
		p := plan(t, c.query)
		if diff := cmp.Diff(c.page, strings.Join(hids(t, db, p), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
		if p.Buckets == nil {
			continue
		}
		if diff := cmp.Diff(c.counts, strings.Join(table(t, db, *p.Buckets), "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}
