package query_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

var noon = time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)

var testEnv = query.Env{
	Now: noon, Zone: time.UTC, Project: func() string { return "/home/ann/shop" },
	Formats: []string{"alpha", "beta"},
	Saved:   map[string]string{"mine": "to:claude is:open", "standup": "is:open since:yesterday group-by:project"},
}

var testWords = words{families: [][]string{
	{"refresh", "refreshes", "refreshing"}, {"token", "tokens"}, {"cache", "caches", "cached"}, {"fix", "fixes", "fixed"},
}}

// shelf are the handoffs the tests search, by public id.
var shelf = []row{
	{
		hid: "a1", date: "2026-02-10T09:00:00Z", project: "/home/ann/shop", format: "alpha",
		fields: map[string]any{"session": "b4db9cba-11", "status": "in-progress", "branch": "fix/login", "escalated": 1, "priority": 2, "progress": 60.0, "phase": 4.0, "words": 120, "version": "1.0"},
		body: map[string]string{
			"title": "Login", "goal": "Refreshing tokens without logging people out\n", "next": "Run the staging tests\n", "done": "wrote src/auth.py\n",
			"risks": "HUMAN REVIEW NEEDED: the token_refresh path\n", "head": "session: b4db9cba\n", "meta": "x0p1 x0falpha x0sinprogress",
		},
		attrs: []string{"file=src/auth.py=modified", "file=web/login.ts=created", "item=SHOP-7", "commit=3e1f00aa", "approach=cache the keys=failed", "meta.tags=release"},
	},
	{
		hid: "a2", date: "2026-02-09", project: "/home/ann/shop", format: "alpha",
		fields: map[string]any{"status": "completed", "latest": 0, "standing": 0, "priority": 0, "progress": 100.0},
		body:   map[string]string{"title": "Cart", "done": "token refresh done\n", "other": "日本語のメモ\n", "gotchas": "jwks is cached\n"},
		attrs:  []string{"file=src/cart.go"}, problems: []string{"1 alpha.date"},
	},
	{
		hid: "b1", date: "2026-02-01T08:00:00Z", project: "/home/ann/docs.site", declared: "Handbook", format: "beta",
		fields: map[string]any{"status": "blocked", "blocked": 1, "sender": "codex", "recipient": "claude", "version": "draft-1", "severity": 2, "sent": noon.AddDate(0, 0, -9).UnixMilli(), "source": "discussion/001-a-response.md", "legacy": 1},
		body: map[string]string{
			"blockers": "waiting for the key\n", "human": "approve the key\n", "next": "ask again -> then C++ and 50% §§ more\n", "heading": "Next\nOpportunities\n", "other": "a mesh of caches\n",
		},
		attrs: []string{"item=DOC-1", "item=SHOP-7"}, problems: []string{"2 beta.source", "1 beta.date"},
	},
	{
		hid: "b2", date: "2025-12-24", project: "/home/ann/docs.site", format: "beta", acked: true,
		fields: map[string]any{"status": "pending", "latest": 0, "standing": 0, "escalated": 1, "waiting": 1, "version": "v0.9", "date_source": "git"},
		body:   map[string]string{"title": "Tests", "blockers": "none\n", "failed": "polling was too slow\n", "head": "fix one two three refresh\n"},
	},
}

func openShelf(tb testing.TB) *sql.DB {
	tb.Helper()
	db := openIndex(tb)
	for _, r := range shelf {
		r.insert(tb, db)
	}
	return db
}

func plan(tb testing.TB, text string) *query.Plan {
	tb.Helper()
	q, err := query.Parse(text, testEnv)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return q.Compile(testWords)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	for _, c := range []struct{ query, want string }{
		{"", "a1 a2 b1 b2"},
		{"token", "a1 a2"},
		{"token refresh", "a1 a2"},
		{`"token refresh"`, "a2"},
		{`"token_refresh"`, "a1"},
		{"token_refresh", "a1 a2"},
		{"token -done:token", "a1"},
		{"-token", "b1 b2"},
		{"-token -mesh", "b2"},
		{"token OR mesh", "a1 a2 b1"},
		{"(token OR mesh) -refresh", "b1"},
		{`"HUMAN REVIEW NEEDED"`, "a1"},
		{`"Human Review Needed"`, ""},
		{`"human review needed"`, "a1"},
		{`"Human Review Needed" case:no`, "a1"},
		{"refr*", "a1 a2 b2"},
		{"*fres*", "a1 a2 b2"},
		{"日本", "a2"},
		{"§§", "b1"},
		{"-> C++", "b1"},
		{`"-> then c++"`, "b1"},
		{"/to+ken_?r/", "a1"},
		{"/(?i)REFRESHING/", "a1"},
		{"/wrote.(?i:SRC)/", "a1"},
		{"next:/^ask/", "b1"},
		{`next:"staging tests"`, "a1"},
		{"next:tests", "a1"},
		{"tests", "a1 b2"},
		{"fix NEAR/3 refresh", "b2"},
		{"fix NEAR/2 refresh", ""},
		{"gotchas:(jwks OR nothing)", "a2"},
		{"sec.opportunities:mesh", ""},
		{"x0falpha", ""},
		{"-x0falpha", "a1 a2 b1 b2"},
		{"is:open", "a1 b1"},
		{"is:closed", "a2 b2"},
		{"is:escalated", "a1 b2"},
		{"is:escalated -is:latest", "b2"},
		{"is:stale", "b1"},
		{"is:acked", "b2"},
		{"is:blocked", "b1"},
		{"is:waiting", "b2"},
		{"is:WAITING -is:open", "b2"},
		{"human:approve", "b1"},
		{"has:human", "b1"},
		{"no:human", "a1 a2 b2"},
		{"is:invalid", "b1"},
		{"is:warned", ""},
		{"is:valid", "a1 a2 b2"},
		{"is:legacy", "b1"},
		{"is:delegated", "b1"},
		{"status:none", ""},
		{"status:blocked,pending", "b1 b2"},
		{"project:shop", "a1 a2"},
		{"project:SHOP", "a1 a2"},
		{"project:.", "a1 a2"},
		{"project:/home/ann/shop", "a1 a2"},
		{"project:handbook", "b1"},
		{"project:docs.site", "b1 b2"},
		{"project:-home-ann-docs-site", "b1 b2"},
		{"project:docs*", "b1 b2"},
		{"-project:docs*", "a1 a2"},
		{"project=Shop", ""},
		{"project:/s.te/", "b1 b2"},
		{"format:beta", "b1 b2"},
		{"session:B4DB", "a1"},
		{"session=b4db", ""},
		{"from:codex", "b1"},
		{"agent:claude", "b1"},
		{"branch:fix/*", "a1"},
		{"branch:/Login/", ""},
		{"branch:/Login/ case:no", "a1"},
		{"branch:/login/ case:yes", "a1"},
		{"-branch:/LOGIN/ case:no", "a2 b1 b2"},
		{"file:auth.py", "a1"},
		{"file:src/auth.py", "a1"},
		{"file:uth.py", ""},
		{"file:/home/ann/shop/src/auth.py", "a1"},
		{"file=/home/ann/shop/src/auth.py", "a1"},
		{"file:/home/ann/src/auth.py", ""},
		{"file:src/*.go", "a2"},
		{"file:*.go", "a2"},
		{"file:s*.go", ""},
		{"file:**.ts", "a1"},
		{"path:handoffs/b1.md", "b1"},
		{"path:docs.site/**/b*.md", "b1 b2"},
		{"source:discussion/*.md", "b1"},
		{"item:shop-7", "a1 b1"},
		{"item:shop-7,doc-1", "a1 b1"},
		{"item:(shop-7 -doc-1)", "a1"},
		{"commit:3e1f", "a1"},
		{"meta.tags:release", "a1"},
		{"approach:failed", "a1"},
		{"priority:>=medium", "a1"},
		{"priority:p3", "a2"},
		{"priority:low..medium", "a2"},
		{"priority!=low", "a1 b1 b2"},
		{"progress:<80", "a1"},
		{"-progress:<80", "a2 b1 b2"},
		{"progress:50..100", "a1 a2"},
		{"phase:4", "a1"},
		{"version:1", "a1"},
		{"words:>100", "a1"},
		{"date:2026-02-09", "a2"},
		{"date:2026-02-09T12:00..2026-02-09T13:00", "a2"},
		{"since:yesterday", "a1 a2"},
		{"before:yesterday", "b1 b2"},
		{"until:2026-02-01", "b1 b2"},
		{"after:2026-02-09", "a1"},
		{"age:<7d", "a1 a2"},
		{"age:>7d", "b1 b2"},
		{"-since:yesterday", "b1 b2"},
		{"updated:today", "a1"},
		{"sent:2026-02-01", "b1"},
		{"-sent:2026-02-01", "a1 a2 b2"},
		{"problem:beta.source", "b1"},
		{"problem:*date*", "a2 b1"},
		{"has:blockers", "b1"},
		{"no:branch", "a2 b1 b2"},
		{"has:file", "a1 a2"},
		{"has:date", "a1 a2 b1"},
		{"has:gotchas", "a2"},
		{"has:meta.tags", "a1"},
		{"has:priority", "a1 a2"},
		{"project:{is:blocked}", "b1 b2"},
		{"item:{project:shop}", "a1 b1"},
		{"file:{is:open}", "a1"},
		{"agent:{agent:codex}", "b1"},
		{"agent:{is:completed}", ""},
		{"session:{session:b4}", "a1"},
		{"session:{is:completed}", ""},
		{"path:{is:completed}", "a2"},
		{"problem:{is:completed}", "a2"},
		{"approach:{approach:failed}", "a1"},
		{"priority:{priority:low}", "a2"},
		{"meta.tags:{is:open}", "a1"},
		{"(token OR is:blocked)", "a1 a2 b1"},
		{`("token refresh" OR project:docs.site)`, "a2 b1 b2"},
		{"(日本 OR is:legacy)", "a2 b1"},
		{"sort:date-asc", "b2 b1 a2 a1"},
		{"sort:priority", "a1 a2 b1 b2"},
		{"sort:version-asc", "b2 a1 a2 b1"},
		{"sort:version", "a1 b2 a2 b1"},
		{"sort:project,date-asc", "b2 b1 a2 a1"},
		{"token sort:project,updated", "a1 a2"},
		{"limit:2", "a1 a2"},
		{"limit:2 offset:1", "a2 b1"},
		{"token limit:1 offset:1", "a2"},
		{"latest-per:project", "a1 b1"},
		{"latest-per:project is:closed", "a2 b2"},
		{"latest-per:project keep:2 sort:date-asc", "b2 b1 a2 a1"},
		{"latest-per:item", "a1 a2 b1"},
		{"tokne~", "a1 a2"},
		{"sort:relevance token mesh", "b1 a2 a1"},
		{"sort:relevance token refresh is:open", "a1"},
		{"sort:relevance is:open", "a1 b1"},
		{"sort:relevance token latest-per:project", "a1"},
		{"latest per project", "a1 b1"},
		{"open escalations", "a1"},
		{"-*", ""},
	} {
		if diff := cmp.Diff(c.want, strings.Join(hids(t, db, plan(t, c.query)), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.query, diff, plan(t, c.query).Page.SQL)
		}
	}
}

// TestSortByDate checks that a second key does not change what the first means:
// what says only its day stands where it stands without.
func TestSortByDate(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	for _, r := range []struct {
		hid, date string
		hour      int
		words     int
	}{
		{"evening", "2026-02-05", 20, 1},
		{"noon", "2026-02-05T12:00:00Z", 12, 2},
		{"morning", "2026-02-05", 8, 3},
		{"next", "2026-02-06", 0, 4},
	} {
		sort := time.Date(2026, 2, 5, r.hour, 0, 0, 0, time.UTC)
		if r.hour == 0 {
			sort = sort.AddDate(0, 0, 1)
		}
		fields := map[string]any{"sort": sort.UnixMilli(), "words": r.words}
		row{hid: r.hid, date: r.date, project: "/p", id: sort.Unix() - 946684800, fields: fields}.insert(t, db)
	}
	for _, c := range []struct{ query, want string }{
		{"sort:date", "next evening noon morning"},
		{"sort:date,words", "next evening noon morning"},
		{"sort:date-asc", "morning noon evening next"},
		{"sort:date-asc,words", "morning noon evening next"},
		{"sort:project,date", "next evening noon morning"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(hids(t, db, plan(t, c.query)), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

// TestHasText checks that white space is nothing, whatever white space it is.
func TestHasText(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	for hid, next := range map[string]string{"empty": "", "blank": " \t\u00a0\u2028\v\n", "none": "none\u00a0\n", "some": "go on\n"} {
		r := row{hid: hid, date: "2026-02-10", id: int64(len(hid) + len(next)), project: "/p", body: map[string]string{"next": next, "blockers": next}}
		if next != "" {
			r.body["heading"] = "Next\n"
			r.fields = map[string]any{"sections": fmt.Sprintf(`[["next", 2, 0, 0, 4, %d, 0]]`, len(next)-1)}
		}
		r.insert(t, db)
	}
	for _, c := range []struct{ query, want string }{
		{"has:next", "none some"},
		{"no:next", "blank empty"},
		{"has:sec.next", "none some"},
		{"has:blockers", "some"},
		{"has:text", "blank none some"}, // the heading
		{"text:* -has:heading", ""},
		{"no:text", "empty"},
	} {
		got := hids(t, db, plan(t, c.query))
		slices.Sort(got)
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}
