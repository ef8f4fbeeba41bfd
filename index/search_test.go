package index_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

func TestSnippets(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("shop/.bon/handoffs/a.md", `# Handoff — 2026-02-03

session_id: aaaa1111
purpose: move login to tokens

## Done

- Tokens are issued by the gate
- nothing else

## Next

- [ ] test the token expiry, then the Token refresh
- write docs

## Risks

HUMAN REVIEW NEEDED: the token lives too long

## Opportunities

- mesh
`)
	h.refresh()
	for _, c := range []struct {
		query string
		want  []index.Snippet
	}{
		{"token", []index.Snippet{
			{Section: "goal", Line: 4, Text: "move login to tokens", Spans: [][2]int{{14, 20}}},
			{Section: "done", Line: 8, Text: "- Tokens are issued by the gate", Spans: [][2]int{{2, 8}}},
			{Section: "next", Line: 13, Text: "- [ ] test the token expiry, then the Token refresh", Spans: [][2]int{{15, 20}, {38, 43}}},
		}},
		{"token expiry", []index.Snippet{
			{Section: "goal", Line: 4, Text: "move login to tokens", Spans: [][2]int{{14, 20}}},
			{Section: "done", Line: 8, Text: "- Tokens are issued by the gate", Spans: [][2]int{{2, 8}}},
			{Section: "next", Line: 13, Text: "- [ ] test the token expiry, then the Token refresh", Spans: [][2]int{{15, 20}, {21, 27}, {38, 43}}},
		}},
		{`"token expiry"`, []index.Snippet{{Section: "next", Line: 13, Text: "- [ ] test the token expiry, then the Token refresh", Spans: [][2]int{{15, 27}}}}},
		{"risks:token", []index.Snippet{{Section: "risks", Line: 18, Text: "HUMAN REVIEW NEEDED: the token lives too long", Spans: [][2]int{{25, 30}}}}},
		{"sec.opportunities:mesh", []index.Snippet{{Section: "next", Line: 22, Text: "- mesh", Spans: [][2]int{{2, 6}}}}},
		{"aaaa1111", []index.Snippet{{Section: "head", Line: 3, Text: "session_id: aaaa1111", Spans: [][2]int{{12, 20}}}}},
		{"heading:risks", []index.Snippet{{Section: "heading", Line: 16, Text: "Risks", Spans: [][2]int{{0, 5}}}}},
		{"/iss.ed/ -nothingness", []index.Snippet{{Section: "done", Line: 8, Text: "- Tokens are issued by the gate", Spans: [][2]int{{13, 19}}}}},
		{"is:escalated", []index.Snippet{{Section: "escalation", Line: 18, Text: "HUMAN REVIEW NEEDED: the token lives too long", Spans: [][2]int{{0, 19}}}}},
		{"is:open", []index.Snippet{{Section: "next", Line: 13, Text: "[ ] test the token expiry, then the Token refresh"}}},
	} {
		r := h.search(c.query)
		if len(r.Hits) != 1 {
			t.Errorf("%s: %d hits", c.query, len(r.Hits))
			continue
		}
		if diff := cmp.Diff(c.want, r.Hits[0].Snippets); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

// A handoff that only sums up what was done opens with that.
func TestOpenings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, text := range map[string]string{
		"done":  "## Summary\n\nMoved login to tokens.\n",
		"state": "## Current state\n\nLogin still has sessions.\n",
		"next":  "## Summary\n\nMoved login to tokens.\n\n## Next\n\n- test it\n",
	} {
		h.write(name+"/.git/HEAD", "ref: refs/heads/main\n")
		h.write(name+"/HANDOFF.md", "# Handoff\n\n"+text)
	}
	h.refresh()
	for project, want := range map[string]index.Snippet{
		"done":  {Section: "done", Line: 5, Text: "Moved login to tokens."},
		"state": {Section: "state", Line: 5, Text: "Login still has sessions."},
		"next":  {Section: "next", Line: 9, Text: "test it"},
	} {
		r := h.search("project:" + project)
		if len(r.Hits) != 1 {
			t.Errorf("%s: %d hits", project, len(r.Hits))
			continue
		}
		if diff := cmp.Diff([]index.Snippet{want}, r.Hits[0].Snippets); diff != "" {
			t.Errorf("%s (-want +got):\n%s", project, diff)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.now = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	mtime := time.Date(2026, 2, 3, 9, 30, 0, 0, time.UTC)
	h.writeAt(one, note("2026-02-03", "aaaa1111", "login form", "test it"), mtime)
	h.refresh()
	want := index.Summary{
		ID: index.PublicID(h.path(one), "", 0), Project: h.search("*").Hits[0].Project, Root: "-work-shop", Format: "claude-suite",
		Path: h.path(one), Session: "aaaa1111", Date: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC), DateEnd: time.Date(2026, 2, 4, 0, 0, 0, 0, time.UTC),
		DateSource: "heading", DatePrecision: "day", Updated: mtime, Goal: "login form", States: []string{"open", "latest", "stale"},
		Digest: -4585270625199257836, // sha256 of the file, without white space around it
	}
	if diff := cmp.Diff(want, h.search("*").Hits[0].Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestTotals(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
	h.refresh()
	for _, c := range []struct {
		query       string
		hits, total int
	}{
		{"*", 3, 3}, {"login", 2, 2}, {"* limit:1", 1, 3}, {"* limit:2 offset:2", 1, 3}, {"* offset:9", 0, 3}, {"nowhere", 0, 0}, {"* limit:0", 3, 3},
	} {
		r := h.search(c.query)
		if len(r.Hits) != c.hits || r.Total != c.total || r.TotalAtLeast || r.Handoffs != 3 {
			t.Errorf("%s: %d hits of %d (at least: %v) in %d, want %d of %d in 3", c.query, len(r.Hits), r.Total, r.TotalAtLeast, r.Handoffs, c.hits, c.total)
		}
	}
	r := h.search("count-by:session login")
	want := []index.Bucket{{Values: []string{"aaaa1111"}, Count: 1}, {Values: []string{"bbbb2222"}, Count: 1}}
	if diff := cmp.Diff(want, r.Buckets); diff != "" || r.Total != 2 || len(r.Hits) != 0 {
		t.Errorf("count-by: total %d, %d hits (-want +got):\n%s", r.Total, len(r.Hits), diff)
	}
	r = h.search("login facets:session")
	if diff := cmp.Diff([]index.Facet{{Field: "session", Buckets: want}}, r.Facets); diff != "" || len(r.Hits) != 2 {
		t.Errorf("facets: %d hits (-want +got):\n%s", len(r.Hits), diff)
	}
}

func TestRanked(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	q, err := query.Find("token login nowhere", query.Env{Now: h.now})
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.Search(t.Context(), q, index.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hit := range r.Hits {
		got = append(got, hit.Session+" lacks "+strings.Join(hit.Missing, " "))
		if hit.Score <= 0 {
			t.Errorf("%s has score %v", hit.Session, hit.Score)
		}
	}
	if diff := cmp.Diff([]string{"aaaa1111 lacks nowhere", "bbbb2222 lacks token nowhere"}, got); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

// A word is the name of a project only where the roots have a handoff of it.
func TestProjectFirstInRoots(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("here/webshop/.git/HEAD", "ref: refs/heads/main\n")
	h.write("here/webshop/.claude/handoffs/2026-01-01-120000-a.md", "# Shop\n")
	h.write("there/nightly/.git/HEAD", "ref: refs/heads/main\n")
	h.write("there/nightly/.claude/handoffs/2026-01-02-120000-b.md", "# The webshop by night\n")
	here, there := index.Root{Path: h.path("here")}, index.Root{Path: h.path("there")}
	if _, err := h.Refresh(t.Context(), []index.Root{here, there}, index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		roots []index.Root
		notes int
	}{{[]index.Root{here}, 1}, {[]index.Root{there}, 0}, {nil, 1}} {
		q, err := query.Parse("webshop", query.Env{Now: h.now, Zone: h.zone})
		if err != nil {
			t.Fatal(err)
		}
		q.ProjectFirst = true
		r, err := h.Search(t.Context(), q, index.SearchOptions{Roots: index.PathsOf(c.roots)})
		if err != nil || len(r.Hits) == 0 || len(r.Notes) != c.notes {
			t.Errorf("%v: %d hits, notes %q, %v; want %d notes", c.roots, len(r.Hits), r.Notes, err, c.notes)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	a, b := h.ids()[one+"#0"], h.ids()[two+"#0"]
	unique := 3 // so much of an id that only one has it
	for a[:unique] == b[:unique] {
		unique++
	}
	for _, c := range []struct{ ref, want string }{
		{a, a}, {a[2:], a}, {a[:8], a}, {a[:unique], a}, {b[:unique], b}, {"aaaa1111", a}, {"AAAA", a}, {h.path(two), b}, {two, b}, {"./.claude/../" + two, b},
	} {
		list, err := h.Find(t.Context(), c.ref, h.root)
		if err != nil || len(list) != 1 || list[0].ID != c.want {
			t.Errorf("%s: %v %v", c.ref, list, err)
		}
	}
	_, err := h.Find(t.Context(), "h_00000000", h.root)
	var missing *index.NotFoundError
	if !errors.As(err, &missing) || err.Error() != `no handoff has the id, session or path "h_00000000"` {
		t.Errorf("missing: %v", err)
	}
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "aaaa1199", "checkout", "ship it"))
	h.refresh()
	_, err = h.Find(t.Context(), "aaaa11", h.root)
	var several *index.AmbiguousError
	if !errors.As(err, &several) || len(several.Candidates) != 2 || several.Candidates[0].Session != "aaaa1199" {
		t.Errorf("ambiguous: %v", err)
	}
	if _, err := h.Find(t.Context(), "aaaa112", h.root); !errors.As(err, &missing) || len(missing.Near) != 2 {
		t.Errorf("near: %v %v", err, missing)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("shop/.bon/handoffs/a.md", `# Handoff — 2026-02-03

session_id: aaaa1111
purpose: login
thread_url: https://example.org/t/1
items: shop-1, shop-2

## Done

- [x] changed the form

## Gotchas

HUMAN REVIEW NEEDED: look
`)
	h.refresh()
	got, err := h.Load(t.Context(), h.search("*").Hits[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := &index.Handoff{
		Summary: got.Summary,
		Sections: []parse.Section{
			{Kind: parse.Done, Heading: "Done", Slug: "done", Level: 2, Body: "\n- [x] changed the form\n\n", BodyLine: 9, Span: parse.Span{Line: 8, EndLine: 11}},
			{Kind: parse.Gotchas, Heading: "Gotchas", Slug: "gotchas", Level: 2, Body: "\nHUMAN REVIEW NEEDED: look\n", BodyLine: 13, Span: parse.Span{Line: 12, EndLine: 14}},
		},
		Lines:       []parse.Field{{Key: "goal", Value: "login", Span: parse.Span{Line: 4, EndLine: 4}}},
		Items:       []parse.Item{{Section: parse.Done, Text: "changed the form", Checked: &yes, Line: 10}},
		WorkItems:   []string{"shop-1", "shop-2"},
		Escalations: []parse.Line{{Number: 14, Text: "HUMAN REVIEW NEEDED: look"}},
		Meta: []parse.Field{
			{Key: "items", Label: "items", Value: "shop-1, shop-2", Span: parse.Span{Line: 6, EndLine: 6}},
			{Key: "thread_url", Label: "thread_url", Value: "https://example.org/t/1", Span: parse.Span{Line: 5, EndLine: 5}},
		},
		Head: "# Handoff — 2026-02-03\n\nsession_id: aaaa1111\npurpose: login\nthread_url: https://example.org/t/1\nitems: shop-1, shop-2\n\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("handoff (-want +got):\n%s", diff)
	}
	var missing *index.NotFoundError
	if _, err := h.Load(t.Context(), "h_000000000000"); !errors.As(err, &missing) {
		t.Errorf("missing: %v", err)
	}
}

// Matches whose texts have to be read are counted to 500 only.
func TestTotalsOfReadTexts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 501 {
		h.write(fmt.Sprintf(".claude/handoffs/-work-shop/%08x.md", i), note("2026-02-01", fmt.Sprintf("%08x", i), "login", "test it"))
	}
	h.refresh()
	for _, c := range []struct {
		query   string
		total   int
		atLeast bool
	}{
		{"login limit:1", 501, false},
		{`"the login" limit:1`, 500, true},
		{`"the login" limit:1 offset:500`, 501, true},
		{`"the login" limit:0`, 501, false},
		{`"the login" limit:1 latest-per:session`, 501, false},
		{`"the login" limit:1 offset:501 latest-per:session`, 500, true},
		{`"the login" wrote limit:1 sort:relevance`, 501, false},
	} {
		if r := h.search(c.query); r.Total != c.total || r.TotalAtLeast != c.atLeast {
			t.Errorf("%s: %d, at least %t; want %d, %t", c.query, r.Total, r.TotalAtLeast, c.total, c.atLeast)
		}
	}
}

func TestLexicon(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(one, note("2026-02-01", "aaaa1111", "migrate", "the migration of tokens, migrating a token; tokenise, refresh"))
	h.refresh()
	h.write(two, note("2026-02-01", "bbbb2222", "migrates", "Tokenless"))
	h.refresh()
	lex := h.Lexicon(t.Context())
	for _, c := range []struct {
		word        string
		forms, near []string
	}{
		{"migrates", []string{"migrates", "migrate", "migrating", "migration"}, []string{"migrate"}},
		{"token", []string{"token", "tokens"}, []string{"tokens"}},
		{"tokne", []string{"tokne"}, []string{"token"}},
		{"refersh", []string{"refersh"}, []string{"refresh"}},
		{"migartion", []string{"migartion"}, []string{"migration"}},
		{"zzzz", []string{"zzzz"}, []string{}},
		{`q"`, []string{`q"`}, []string{}},
	} {
		if diff := cmp.Diff(c.forms, lex.Forms(c.word)); diff != "" {
			t.Errorf("forms of %s (-want +got):\n%s", c.word, diff)
		}
		if diff := cmp.Diff(c.near, lex.Near(c.word)); diff != "" {
			t.Errorf("near %s (-want +got):\n%s", c.word, diff)
		}
	}
	if err := lex.Err(); err != nil {
		t.Error(err)
	}
	h.expect("migrations", one, two)
}

func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"token", "token", 0},
		{"token", "tokne", 1},
		{"token", "toke", 1},
		{"token", "tokens", 1},
		{"token", "taken", 1},
		{"ab", "ba", 1},
		{"migration", "migratoin", 1},
		{"migration", "mgratoin", 2},
		{"abc", "xyz", 3},
		{"a", "abcd", 3},
		{"", "", 0},
	} {
		if got := min(query.EditDistance(c.a, c.b, 2), 3); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestEmptyIndexAnswers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if r := h.search("login"); len(r.Hits) != 0 || r.Total != 0 {
		t.Errorf("search: %+v", r)
	}
	st, err := h.Status(t.Context())
	if err != nil || st.Path != "" || st.Handoffs != 0 {
		t.Errorf("status: %+v %v", st, err)
	}
	if faults, err := h.Check(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("check: %v %v", faults, err)
	}
	if list, err := h.Latest(t.Context(), h.root); err != nil || len(list) > 0 {
		t.Errorf("latest: %v %v", list, err)
	}
	var missing *index.NotFoundError
	if _, err := h.Find(t.Context(), "abcd", h.root); !errors.As(err, &missing) {
		t.Errorf("find: %v", err)
	}
}
