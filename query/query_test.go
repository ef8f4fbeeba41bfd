package query_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

func TestShield(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		argv []string
		want string
	}{
		{nil, ""},
		{[]string{"token", "refresh"}, "token refresh"},
		{[]string{"token", "-is:stale"}, "token !is:stale"},
		{[]string{"-project=x", "-progress<5", "-meta.a-b:c", `-"a b"`, "-(a"}, `!project=x !progress<5 !meta.a-b:c !"a b" !(a`},
		{[]string{"-x", "--json", "--limit=5", "-", "-5", "-Is:x", "a-is:x"}, "-x --json --limit=5 - -5 -Is:x a-is:x"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(query.Shield(c.argv), " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.argv, diff)
		}
	}
}

// TestReport pins the JSON of a refused query.
func TestReport(t *testing.T) {
	t.Parallel()
	const text = "é projct:alpha"
	_, err := query.Parse(text, testEnv)
	var errs query.Errors
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	got, err := json.Marshal(map[string]any{"error": errs.Report(text)})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"error":{"code":"unknown-field","message":"unknown field \"projct\"","query":"é projct:alpha","errors":[{"code":"unknown-field","start":3,"end":9,"column":3,"message":"unknown field \"projct\"","suggestions":["project"],"help":["to search for the text, quote it: \"projct:alpha\""]}]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if errs.Error() != `query:3: unknown field "projct"` {
		t.Error(errs.Error())
	}
}

// TestZones checks that dates are those of the user's zone, over a change of
// the clock too: 29 March 2026 has 23 hours in Berlin.
func TestZones(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	env := query.Env{Now: time.Date(2026, 3, 29, 23, 30, 0, 0, time.UTC), Zone: berlin}
	for _, c := range []struct{ query, want string }{
		{"date:today", "(date [2026-03-30T00:00+02:00 2026-03-31T00:00+02:00))"},
		{"date:yesterday", "(date [2026-03-29T00:00+01:00 2026-03-30T00:00+02:00))"},
		{"since:2d", "(date [2026-03-28T00:00+01:00 ∞))"},
		{"since:24h", "(date [2026-03-29T00:30+01:00 ∞))"},
		{"date:2026-03-29T12:00Z", "(date [2026-03-29T14:00+02:00 2026-03-29T14:01+02:00))"},
		{"date:2026-03-29T12:00", "(date [2026-03-29T12:00+02:00 2026-03-29T12:01+02:00))"},
		{"date:this-month", "(date [2026-03-01T00:00+01:00 2026-04-01T00:00+02:00))"},
		{"date:1mo", "(date [2026-02-28T00:00+01:00 2026-03-01T00:00+01:00))"},
	} {
		q, err := query.Parse(c.query, env)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if diff := cmp.Diff(c.want, q.Canonical()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
		again, err := query.Parse(q.Source(), env)
		if err != nil || again.Canonical() != q.Canonical() {
			t.Errorf("%s: source %s: %v", c.query, q.Source(), err)
		}
	}
}

// TestMembers checks that names are read as those of people and machines, and that what
// has the name of this machine is what is here.
func TestMembers(t *testing.T) {
	t.Parallel()
	const here = "(member here)"
	for _, c := range []struct{ query, self, want string }{
		{"member:me", "", here},
		{"is:mine", "", here},
		{"member:ME", "ann@laptop", "(or " + here + " (member glob ann@*))"},
		{"is:mine", "ann@laptop", "(or " + here + " (member glob ann@*))"},
		{"-member:me", "ann@laptop", "(not (or " + here + " (member glob ann@*)))"},
		{"member:here", "ann@laptop", here},
		{"member:bob", "ann@laptop", "(member glob bob@*)"},
		{"member:bob@desk", "ann@laptop", "(member bob@desk)"},
		{"member:Ann@laptop", "ann@laptop", "(or " + here + " (member Ann@laptop))"},
		{"member:ann@desk", "ann@laptop", "(member ann@desk)"},
		{`member:"ann@laptop"`, "ann@laptop", "(or " + here + " (member = \"ann@laptop\"))"},
		{"member:*@laptop", "ann@laptop", "(or " + here + " (member glob *@laptop))"},
		{"member:/^b/", "ann@laptop", "(member /^b/)"},
		{"member:*", "ann@laptop", "(has member)"},
	} {
		env := testEnv
		env.Member = c.self
		q, err := query.Parse(c.query, env)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if diff := cmp.Diff(c.want, q.Canonical()); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", c.query, c.self, diff)
		}
		if again, err := query.Parse(q.Source(), env); err != nil || again.Canonical() != q.Canonical() {
			t.Errorf("%s: source %s: %v", c.query, q.Source(), err)
		}
	}
}

func TestStaleAfter(t *testing.T) {
	t.Parallel()
	env := testEnv
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, "2026-02-03 00:00"}, {48 * time.Hour, "2026-02-08 00:00"}, {36 * time.Hour, "2026-02-09 00:00"}, {time.Hour, "2026-02-10 11:00"},
	} {
		env.StaleAfter = c.after
		q, err := query.Parse("is:stale", env)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Expr.(query.Is).Before.Format("2006-01-02 15:04"); got != c.want {
			t.Errorf("%v: %s, want %s", c.after, got, c.want)
		}
	}
}

func TestProjectOutsideOfOne(t *testing.T) {
	t.Parallel()
	for _, project := range []func() string{nil, func() string { return "" }} {
		env := testEnv
		env.Project = project
		_, err := query.Parse("project:.", env)
		var errs query.Errors
		if !errors.As(err, &errs) || errs[0].Code != "unknown-value" || errs[0].Message != "project:. means the current project, and the working folder is in none" {
			t.Error(err)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ words, want string }{
		{"token refresh", "(and (word token) (word refresh)) sort:relevance"},
		{"token sort:date-asc", "(word token) sort:date-asc"},
	} {
		q, err := query.Find(c.words, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, q.Canonical()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	type shown struct{ Source, Word, Field, Value, Alone, Without string }
	q, err := query.Parse("token project:claude-suit (a OR b) -is:open limit:3 sort:date", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	var got []shown
	parts := q.Parts()
	for _, p := range parts {
		got = append(got, shown{p.Source, p.Word, p.Field, p.Value, p.Alone.Canonical(), p.Without.Canonical()})
	}
	want := []shown{
		{"token", "token", "", "", "(word token)", "(and (project claude-suit) (or (word a) (word b)) (not (is open)))"},
		{"project:claude-suit", "", "project", "claude-suit", "(project claude-suit)", "(and (word token) (or (word a) (word b)) (not (is open)))"},
		{"(a OR b)", "", "", "", "(or (word a) (word b))", "(and (word token) (project claude-suit) (not (is open)))"},
		{"-is:open", "", "", "", "(not (is open))", "(and (word token) (project claude-suit) (or (word a) (word b)))"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	with, source := parts[1].Replace("claude-suite")
	if with.Canonical() != "(and (word token) (project claude-suite) (or (word a) (word b)) (not (is open)))" || source != "project:claude-suite" {
		t.Errorf("%s: %s", source, with.Canonical())
	}
}

func TestPartsOfOneOrNone(t *testing.T) {
	t.Parallel()
	one, err := query.Parse("token", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	if parts := one.Parts(); len(parts) != 1 || parts[0].Without != nil {
		t.Errorf("%+v", parts)
	}
	none, err := query.Parse("latest-per:project", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	if parts := none.Parts(); parts != nil {
		t.Errorf("%+v", parts)
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"token or refresh", []string{"or is searched as a word; OR is the operator"}},
		{"a and not b", []string{"and is searched as a word; AND is the operator", "not is searched as a word; NOT is the operator"}},
		{"opne escalations", []string{"did you mean: open escalations"}},
		{"Open escalation", []string{"did you mean: open escalation"}},
		{"stale handofs project:x", []string{"did you mean: stale handoff project:x"}},
		{"open escalations", nil},
		{"token refresh", nil},
	} {
		q, err := query.Parse(c.query, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, q.Hints()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word, want           string
		field, before, typed string
	}{
		{"sta", "status: state:", "", "", ""},
		{"-sta", "-status: -state:", "", "", ""},
		{"group", "group-by:", "", "", ""},
		{"status:b", "status:blocked", "", "status:", "b"},
		{"status:blocked,p", "status:blocked,pending", "", "status:blocked,", "p"},
		{"-is:ac", "-is:acknowledged -is:acked", "", "-is:", "ac"},
		{"project:a", "", "project", "project:", "a"},
		{"project=a,b", "", "project", "project=a,", "b"},
		{"no:br", "no:branch", "", "no:", "br"},
		{"since:this-w", "since:this-week", "", "since:", "this-w"},
		{"sort:rel", "sort:relevance", "", "sort:", "rel"},
		{"case:", "case:yes case:no case:auto", "", "case:", ""},
		{"nosuch:x", "", "", "", ""},
		{`"a b`, "", "", "", ""},
	} {
		got := query.Complete(c.word)
		var list []string
		for _, candidate := range got.Candidates {
			list = append(list, candidate.Text)
		}
		if diff := cmp.Diff(c.want, strings.Join(list, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.word, diff)
		}
		if got.Field != c.field || got.Before != c.before || got.Typed != c.typed {
			t.Errorf("%s: field %q, before %q, typed %q", c.word, got.Field, got.Before, got.Typed)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	q, err := query.Parse("project:shop", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	p := q.Compile(testWords).Page
	ids := "[" + strings.Join(table(t, db, p), ",") + "]"
	for _, c := range []struct{ field, want string }{
		{"project", "shop|shop"},
		{"file", "src/auth.py|src/cart.go|web/login.ts"},
		{"next", "Run the staging tests"},
		{"status", "completed|in-progress"},
		{"priority", "high|low"},
		{"progress", "100.0|60.0"},
		{"branch", "fix/login"},
		{"problem", "alpha.date"},
		{"meta.tags", "release"},
	} {
		s, ok := query.Values(c.field, ids)
		if !ok {
			t.Errorf("%s: no values", c.field)
			continue
		}
		got := table(t, db, query.Statement{SQL: "SELECT v FROM (" + s.SQL + ") ORDER BY v", Args: s.Args})
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.field, diff)
		}
	}
	counts, ok := q.Counts("item")
	if !ok || counts.Canonical() != "(project shop) count-by:item" {
		t.Errorf("%v", counts)
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	names := []string{"project", "proj", "to", "status", "state", "date", "data"}
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"projct", []string{"project"}},
		{"prject", []string{"project"}},
		{"stat", []string{"state"}},
		{"dat", []string{"date", "data"}},
		{"tp", nil},
		{"xyzzy", nil},
		{"STATUS", []string{"status"}},
		{"tsatus", []string{"status"}},
	} {
		if diff := cmp.Diff(c.want, query.Suggest(c.typed, names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.typed, diff)
		}
	}
}

// TestTablesHaveExamples checks that every example of the help is a query.
func TestTablesHaveExamples(t *testing.T) {
	t.Parallel()
	env := testEnv
	env.Formats = nil
	var examples []string
	for _, f := range query.Fields() {
		examples = append(examples, f.Example)
	}
	for _, s := range query.States() {
		examples = append(examples, "is:"+s.Name)
	}
	for _, d := range query.Directives() {
		examples = append(examples, d.Example)
	}
	for _, text := range examples {
		if _, err := query.Parse(text, env); err != nil || text == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestIdiomsSayWhatTheyAre checks that an idiom means what its note says.
func TestIdiomsSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{
			"open", "stale", "latest", "newest", "last", "3", "per", "project", "status", "handoffs", "escalations", "blockers", "since", "before",
			"yesterday", "week", "this", "2", "days", "ago", "count", "by", "first", "oldest", "failed", "approaches", "all", "token", "today", "7d",
		})
		text := strings.Join(rapid.SliceOfN(word, 1, 8).Draw(t, "words"), " ")
		q, err := query.Parse(text, testEnv)
		if err != nil {
			return
		}
		// Notes come in the order of the text, so each is looked for behind the
		// one before; a word may stand there as text too.
		spelled, rest := "", text
		for _, note := range q.Notes {
			was, as, ok := strings.Cut(strings.TrimPrefix(note, `read "`), `" as `)
			if !ok {
				continue
			}
			i := strings.Index(rest, was)
			if i < 0 || strings.Count(text, was) > 1 {
				return
			}
			spelled, rest = spelled+rest[:i]+as, rest[i+len(was):]
		}
		spelled += rest
		again, err := query.Parse(spelled, testEnv)
		if err != nil {
			t.Fatalf("%s, spelled %s: %v", text, spelled, err)
		}
		if len(again.Notes) == 0 && again.Canonical() != q.Canonical() {
			t.Fatalf("%s\nis      %s\nspelled %s\nis      %s", text, q.Canonical(), spelled, again.Canonical())
		}
	})
}
