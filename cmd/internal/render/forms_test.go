package render_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// check compares what write writes.
func check(t *testing.T, name, want string, write func(*strings.Builder) error) {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func full() *index.Handoff {
	checked := true
	return &index.Handoff{
		Summary: index.Summary{
			ID: "h_0123456789ab", Project: "webshop", Root: "/w", Format: "claude-suite", Path: "/w/a.md", Session: "b4db9cba",
			Date: time.Date(2026, 2, 9, 0, 0, 0, 0, time.UTC), DatePrecision: "day", DateSource: "heading",
			Updated: time.Date(2026, 2, 9, 17, 4, 5, 0, time.UTC), Title: "Fix token refresh", Goal: "users stay logged in",
			States: []string{"open", "escalated"}, Branch: "fix/\u202etoken",
		},
		Head: "# Handoff — 2026-02-09\n\nsession_id: b4db9cba\n",
		Sections: []parse.Section{
			{Kind: parse.Next, Heading: "Next", Slug: "next", Level: 2, Body: "- [x] deploy\n- HUMAN REVIEW NEEDED: keys\x1b[2J\n", Span: parse.Span{Line: 5}},
			{Kind: parse.Approaches, Heading: "Tried", Slug: "tried", Level: 3, Body: "✅ batching\n❌ polling\n", Parts: []parse.Part{
				{Kind: parse.Worked, Text: "✅ batching\n"}, {Kind: parse.Failed, Text: "❌ polling\n"},
			}},
			{Kind: parse.Other, Heading: "Odds & Ends", Slug: "odds-ends", Body: "mesh\n"},
		},
		Items:       []parse.Item{{Section: parse.Next, Text: "deploy", Checked: &checked, Mark: "-", Line: 6}},
		Files:       []parse.File{{Path: "src/auth.go", Action: "modified"}, {Path: "src/b.go"}},
		WorkItems:   []string{"shop-1"},
		Escalations: []parse.Line{{Number: 7, Text: "HUMAN REVIEW NEEDED: keys"}},
		Approaches:  []parse.Approach{{Text: "batching", Outcome: "worked"}, {Text: "polling", Outcome: "failed"}},
		Meta:        []parse.Field{{Key: "tags", Value: "a"}, {Key: "tags", Value: "b"}},
		Problems:    []parse.Problem{{Severity: parse.Error, Rule: "suite.session", Line: 3, Message: "no session"}, {Severity: parse.Warning, Rule: "suite.date", Message: "odd date"}},
	}
}

func TestHandoff(t *testing.T) {
	want := `Fix token refresh
id       h_0123456789ab
states   open,escalated
project  webshop  (/w)
format   claude-suite
date     2026-02-09  (heading)
session  b4db9cba
branch   fix/<U+202E>token
items    shop-1
goal     users stay logged in
path     /w/a.md
files    src/auth.go modified, src/b.go

# Handoff — 2026-02-09

session_id: b4db9cba

## Next

- [x] deploy
- HUMAN REVIEW NEEDED: keys^[[2J

### Tried

✅ batching
❌ polling

## Odds & Ends

mesh

Problems
  error line 3: no session (suite.session)
  warning: odd date (suite.date)
`
	check(t, "pipe", want, func(b *strings.Builder) error { return render.Handoff(b, full(), pipe) })
	o := terminal(80)
	o.Color = true
	var b strings.Builder
	if err := render.Handoff(&b, full(), o); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"\x1b[1mFix token refresh\x1b[0m\n", "• \x1b[1;31mHUMAN REVIEW NEEDED\x1b[0m: keys^[[2J", "  \x1b[31merror\x1b[0m line 3"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, b.String())
		}
	}
}

func TestSections(t *testing.T) {
	for name, want := range map[string]string{
		"next": "- [x] deploy\n- HUMAN REVIEW NEEDED: keys^[[2J\n", "NEXT": "- [x] deploy\n- HUMAN REVIEW NEEDED: keys^[[2J\n",
		"approaches": "✅ batching\n❌ polling\n", "failed": "❌ polling\n", "odds-ends": "mesh\n", "Odds & Ends": "mesh\n", "other": "mesh\n",
		"done": "", "nonsense": "",
	} {
		check(t, name, want, func(b *strings.Builder) error {
			return render.SectionText(b, render.Sections(full(), name), render.Options{})
		})
	}
	if diff := cmp.Diff([]string{"next", "approaches", "worked", "failed", "odds-ends"}, render.SectionNames(full())); diff != "" {
		t.Error(diff)
	}
}

func TestHandoffJSON(t *testing.T) {
	want := `{"schema":1,"id":"h_0123456789ab","project":"webshop","root":"/w","format":"claude-suite","path":"/w/a.md","session":"b4db9cba",` +
		`"date":"2026-02-09T00:00:00Z","date_source":"heading","date_precision":"day","updated":"2026-02-09T17:04:05Z",` +
		`"title":"Fix token refresh","goal":"users stay logged in","branch":"fix/\u202etoken","states":["open","escalated"],` +
		`"head":"# Handoff — 2026-02-09\n\nsession_id: b4db9cba\n","escalations":[{"line":7,"text":"HUMAN REVIEW NEEDED: keys"}],` +
		`"sections":[{"kind":"next","heading":"Next","level":2,"line":5,"body":"- [x] deploy\n- HUMAN REVIEW NEEDED: keys\u001b[2J\n"},` +
		`{"kind":"approaches","heading":"Tried","level":3,"body":"✅ batching\n❌ polling\n"},{"kind":"other","heading":"Odds & Ends","body":"mesh\n"}],` +
		`"items":[{"section":"next","text":"deploy","checked":true,"mark":"-","line":6}],` +
		`"files":[{"path":"src/auth.go","action":"modified"},{"path":"src/b.go"}],"work_items":["shop-1"],` +
		`"approaches":[{"text":"batching","outcome":"worked"},{"text":"polling","outcome":"failed"}],"meta":{"tags":["a","b"]},` +
		`"problems":[{"severity":"error","rule":"suite.session","line":3,"message":"no session"},{"severity":"warning","rule":"suite.date","message":"odd date"}]}` + "\n"
	check(t, "json", want, func(b *strings.Builder) error { return render.HandoffJSON(b, full(), render.Extras{}) })
}

func answer() render.Answer {
	r := rows()[:2]
	return render.Answer{
		Text: "open <escalations>", Canonical: "is:open is:escalated", Notes: []string{`read "open escalations" as is:open is:escalated`},
		Rows: r,
		Result: &index.Result{
			Hits: []index.Hit{r[0].Hit, r[1].Hit}, Total: 7, Offset: 1, At: time.Date(2026, 2, 10, 11, 58, 3, 999, time.UTC), Handoffs: 412,
			Stale: []index.Trouble{{Path: "/gone", Reason: "no such folder"}},
		},
		Skipped: 2,
	}
}

const (
	wireHit1 = `"id":"h_0123456789ab","project":"webshop","format":"claude-suite","path":"/w/a.md","date":"2026-02-09T00:00:00Z","date_precision":"day",` +
		`"title":"Fix token refresh","states":["open","escalated","latest","valid"],` +
		`"snippets":[{"section":"next","line":31,"text":"  refresh the token before it\u001b[31m expires","spans":[[2,9],[14,19]]}]}`
	wireHit2 = `"id":"h_ba9876543210","project":"日本語プロジェクト","format":"company","path":"/w/b.yaml","date":"2026-02-10T09:00:00Z","date_precision":"instant",` +
		`"goal":"e` + "\u0301" + `cole 🚀 launch\nsecond line","states":["closed","superseded"],"missing":["refresh"]}`
	wireQuery  = `"query":{"text":"open <escalations>","canonical":"is:open is:escalated","notes":["read \"open escalations\" as is:open is:escalated"]},`
	wireTotals = `"total":7,"shown":2,"truncated":true,"next_offset":3,"index":{"at":"2026-02-10T11:58:03Z","handoffs":412,"stale":[{"path":"/gone","reason":"no such folder"}],"skipped":2},`
)

func TestAnswerJSON(t *testing.T) {
	check(t, "json", `{"schema":1,`+wireQuery+wireTotals+`"hits":[{`+wireHit1+`,{`+wireHit2+`],"suggestions":[]}`+"\n",
		func(b *strings.Builder) error { return render.AnswerJSON(b, answer()) })
	check(t, "jsonl", `{"type":"hit",`+wireHit1+"\n"+`{"type":"hit",`+wireHit2+"\n"+`{"type":"summary","schema":1,`+wireQuery+wireTotals+`"suggestions":[]}`+"\n",
		func(b *strings.Builder) error { return render.AnswerJSONL(b, answer()) })
}

func TestSelectedJSON(t *testing.T) {
	a := answer()
	a.Notes = nil
	a.Select = []string{"project", "date", "next", "states", "file"}
	a.Rows = a.Rows[:1]
	a.Rows[0].Full = full()
	want := `{"schema":1,"query":{"text":"open <escalations>","canonical":"is:open is:escalated","notes":[]},` +
		wireTotals + `"hits":[{"id":"h_0123456789ab","project":"webshop","date":"2026-02-09T00:00:00Z",` +
		`"next":"- [x] deploy\n- HUMAN REVIEW NEEDED: keys\u001b[2J","states":["open","escalated","latest","valid"],"file":["src/auth.go","src/b.go"]}],"suggestions":[]}` + "\n"
	check(t, "json", want, func(b *strings.Builder) error { return render.AnswerJSON(b, a) })
}

func TestNothingJSON(t *testing.T) {
	a := render.Answer{Text: "x", Canonical: "x", Result: &index.Result{}, Suggestions: []render.Suggestion{{Drop: "project:x", Hits: 41, Text: "without project:x: 41"}, {Replace: "project:xy", Hits: 12, Text: "did you mean\x1b project:xy? (12)"}}}
	want := `{"schema":1,"query":{"text":"x","canonical":"x","notes":[]},"total":0,"shown":0,"truncated":false,"index":{"handoffs":0},"hits":[],` +
		`"suggestions":[{"drop":"project:x","hits":41},{"replace":"project:xy","hits":12}]}` + "\n"
	check(t, "json", want, func(b *strings.Builder) error { return render.AnswerJSON(b, a) })
	a.Reasons = []string{"or is searched as a word; OR is the operator"}
	if got, want := render.Nothing(a), "handex: nothing matches\n  did you mean^[ project:xy? (12)\n  or is searched as a word; OR is the operator\n  without project:x: 41\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJSONIsASCIIWhereItMatters(t *testing.T) {
	value := "a\u009b\u202e\U000E0041\x7f\u200d日本\xff<&>"
	var b strings.Builder
	if err := render.JSON(&b, value); err != nil {
		t.Fatal(err)
	}
	if want := `"a\u009b\u202e\udb40\udc41\u007f\u200d日本\ufffd<&>"` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != strings.ToValidUTF8(value, "\uFFFD") {
		t.Errorf("%q, %v", back, err)
	}
}

func TestCounts(t *testing.T) {
	buckets := []index.Bucket{{Values: []string{"webshop", "open"}, Count: 120}, {Values: []string{"日本", ""}, Count: 3}, {Values: []string{"x\ty", "\x1b[m"}, Count: 1}}
	check(t, "human", "120  webshop  open\n  3  日本     (none)\n  1  x y      ^[[m\n",
		func(b *strings.Builder) error { return render.Buckets(b, nil, buckets, "", pipe) })
	check(t, "plain", "120\twebshop\topen\n3\t日本\t\n1\tx y\t^[[m\n",
		func(b *strings.Builder) error { return render.Buckets(b, nil, buckets, "plain", pipe) })
	check(t, "csv", "\"count\",\"project\",\"status\"\r\n\"120\",\"webshop\",\"open\"\r\n\"3\",\"日本\",\"\"\r\n\"1\",\"x\ty\",\"^[[m\"\r\n",
		func(b *strings.Builder) error {
			return render.Buckets(b, []string{"project", "status"}, buckets, "csv", pipe)
		})
	facets := []index.Facet{{Field: "status", Buckets: []index.Bucket{{Values: []string{"blocked"}, Count: 12}, {Values: []string{""}, Count: 4}}}}
	check(t, "facets", "\nstatus\n  12  blocked\n   4  (none)\n", func(b *strings.Builder) error { return render.Facets(b, facets, pipe) })
}

func TestGroups(t *testing.T) {
	r := rows()
	r[0].Full, r[1].Full, r[2].Full = full(), &index.Handoff{}, full()
	groups, err := render.Groups(r, []string{"file", "project"})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "groups", `src/auth.go / webshop  1
Fix token refresh

src/b.go / webshop  1
Fix token refresh

(none) / 日本語プロジェクト  1
e`+"\u0301"+`cole 🚀 launch second line

src/auth.go / (none)  1
bad^[]0;name^G.md

src/b.go / (none)  1
bad^[]0;name^G.md
`, func(b *strings.Builder) error {
		return render.Grouped(b, groups, pipe, func(rows []render.Row) error {
			return render.Ended(b, rows, "\n", nil, func(r render.Row) string { return render.Title(r.Summary) })
		})
	})
}

func TestRecords(t *testing.T) {
	r := rows()
	r[0].Title, r[0].Branch = "=cmd()|'x'!A1", `quoted "b"`
	check(t, "tsv", "h_0123456789ab\t2026-02-09\twebshop\tclaude-suite\t\topen, escalated, latest, valid\t/w/a.md\t=cmd()|'x'!A1\n"+
		"h_ba9876543210\t2026-02-10T09:00:00Z\t日本語プロジェクト\tcompany\t\tclosed, superseded\t/w/b.yaml\te\u0301cole 🚀 launch second line\n"+
		"h_cccccccccccc\t\t\t\t\t\t/w/bad^[]0;name^G.md\tbad^[]0;name^G.md\n",
		func(b *strings.Builder) error { return render.Rows(b, r, nil, "plain", pipe) })
	check(t, "csv", "\"id\",\"title\",\"branch\"\r\n\"h_0123456789ab\",\"'=cmd()|'x'!A1\",\"quoted \"\"b\"\"\"\r\n",
		func(b *strings.Builder) error {
			return render.Rows(b, r[:1], []string{"id", "title", "branch"}, "csv", pipe)
		})
	check(t, "md", "| title | path |\n| --- | --- |\n| =cmd()\\|'x'!A1 | /w/a.md |\n",
		func(b *strings.Builder) error { return render.Rows(b, r[:1], []string{"title", "path"}, "md", pipe) })
	check(t, "table", "id        project\nh_012345  webshop\nh_ba9876  日本語プロジェクト\nh_cccccc\n",
		func(b *strings.Builder) error {
			return render.Rows(b, r, []string{"id", "project"}, "table", terminal(80))
		})
}

func TestColumnsThatAreNotKnown(t *testing.T) {
	r := rows()[:1]
	r[0].Full = full()
	err := render.Rows(&strings.Builder{}, r, []string{"id", "nonsense"}, "plain", pipe)
	if want := `column "nonsense" cannot be shown`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestTemplate(t *testing.T) {
	r := rows()[0]
	r.Full = full()
	for text, want := range map[string]string{
		`{{.project}} {{ago .date}}\n`:                       "webshop yesterday\n",
		`{{.project}}\t{{.date}}`:                            "webshop\t2026-02-09\n",
		`{{date "%d.%m.%Y" .date}} {{date "unix" .date}}`:    "09.02.2026 1770595200\n",
		`{{join "+" .states}} {{json .states}}`:              "open+escalated+latest+valid [\"open\",\"escalated\",\"latest\",\"valid\"]\n",
		`{{range .states}}<{{.}}>{{end}}`:                    "<open><escalated><latest><valid>\n",
		`{{.next}}`:                                          "- [x] deploy\n- HUMAN REVIEW NEEDED: keys^[[2J\n",
		`\x {{"\\n"}} {{if .goal}}goal{{else}}none{{end}}\\`: "\\x \\n none\\\n",
		`{{json .date}} {{.score}}`:                          "\"2026-02-09T00:00:00Z\" 0\n",
	} {
		tmpl, err := render.NewTemplate(text, pipe)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, text, want, func(b *strings.Builder) error { return tmpl.Write(t.Context(), b, r) })
	}
}

func TestTemplatesThatAreWrong(t *testing.T) {
	const known = "agent, branch, date, date_precision, date_source, entry, format, from, goal, id, label, lines, member, missing, path, project, root, score, session, states, status, title, to, updated, versions"
	for text, want := range map[string]string{
		`{{.projct}}`:            `unknown column "projct" in the template; columns: ` + known,
		`{{.project`:             `bad template: --format:1: unclosed action`,
		`{{ago2 .date}}`:         `bad template: --format:1: function "ago2" not defined`,
		`{{if .Project}}{{end}}`: `unknown column "Project" in the template; columns: ` + known,
	} {
		if _, err := render.NewTemplate(text, pipe); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

func TestHead(t *testing.T) {
	for _, c := range []struct{ path, head, want string }{
		{"a.yaml", "goal:\nbranch: main\nrefs:\n- a\nowner:\n", "branch: main\nrefs:\n- a\n"},
		{"a.json", "meta:\n  by: ann\nnow:\n", "meta:\n  by: ann\n"},
		{"a.md", "Before the release:\n\n", "Before the release:\n\n"},
	} {
		h := index.Handoff{Head: c.head}
		h.Path = c.path
		if got := render.Head(&h); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}
