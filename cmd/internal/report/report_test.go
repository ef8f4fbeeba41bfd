package report_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/query"
)

// week is a tree of a week's work in two projects and a clone of one.
func week(tb testing.TB) *world {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{
		"shop/.git/x": "", "blog/.git/x": "", "old/.git/x": "", "clone/.git/x": "",
		"old/.bon/handoffs/2026-01-20-aaaa0000.md": markdown("2026-01-20", "Done", "- Drew the map", "Next", "- [ ] Print the map on cloth"),
		"blog/docs/handoffs/feed.md":               "---\ndate: 2026-02-09T08:30:00Z\nfrom: codex\nto: claude\n---\n# The feed is valid again\n\n## Gotchas\n\n- The cache of prices must be emptied by hand\n\n## Blockers\n\n- keys of the mirror — id: B-1; resolved: true\n- the mirror answers nobody — id: B-2; resolved: false\n\n## Failed approaches\n\n- Asking the mirror every minute\n",
	}
	for i := range 4 {
		day := fmt.Sprintf("2026-02-0%d", 5+i)
		text := markdown(day, "Done", "- Wrote part "+strings.Repeat("a", i+1)+" of the long invoice import\n- N/A\n- ✅ Shared the same thing with everybody\n- [what was done]",
			"Next", fmt.Sprintf("- [ ] Import the invoices of last year (part %s)\n- [x] Tidy up\n- TBD", strings.Repeat("a", i+1)), "Gotchas", "- Empty the price cache by hand, it must be")
		files[fmt.Sprintf("shop/.bon/handoffs/%s-bbbb000%d.md", day, i)] = text
		if i == 3 {
			files["clone/.bon/handoffs/2026-02-08-bbbb0003.md"] = text
		}
	}
	lay(tb, root, files)
	return see(tb, root, testNow, time.UTC)
}

// texts are the items of a section, each with its group, count and state.
func texts(s *report.Section) []string {
	var list []string
	if s == nil {
		return nil
	}
	for _, it := range s.Items {
		text := it.Group + ": " + it.Text
		if it.Count != nil {
			text += fmt.Sprintf(" ×%d", it.Count.Value)
		}
		if !it.Since.IsZero() {
			text += " since " + it.Since.Format(time.DateOnly)
		}
		if it.State != "" {
			text += " [" + it.State + "]"
		}
		list = append(list, text)
	}
	return list
}

func TestDigest(t *testing.T) {
	t.Parallel()
	r := week(t).must(t, report.Options{}, "")
	want := map[string][]string{
		report.Done: {
			"blog: The feed is valid again [worked on]",
			"shop: Wrote part aaaa of the long invoice import ×5",
			"shop: Shared the same thing with everybody ×5",
		},
		report.Next: {
			"shop: Import the invoices of last year (part aaaa) ×4 since 2026-02-05",
		},
		report.Blockers: {": the mirror answers nobody — resolved: false [blocked]"},
		report.Gotchas:  {": Empty the price cache by hand, it must be ×4 since 2026-02-05"},
		report.Failed:   {": Asking the mirror every minute"},
		report.Quiet:    {": Print the map on cloth [next]"},
	}
	got := map[string][]string{}
	for name := range want {
		got[name] = texts(r.Section(name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	flow := r.Section(report.Agents).Flow
	if len(flow) != 1 || flow[0].From != "codex" || flow[0].To != "claude" || flow[0].Value != 1 {
		t.Errorf("%+v", flow)
	}
	if r.Title != "Digest, 2026-02-04 to 2026-02-10" || r.Handoffs.Value != 6 || r.Projects.Value != 3 {
		t.Errorf("%s: %d handoffs of %d projects", r.Title, r.Handoffs.Value, r.Projects.Value)
	}
}

// What stops a handoff is told by its blockers, what it asks of people, its summary or
// its title, whichever it has first.
func TestBlockersOf(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i, text := range []string{
		"## Blockers\n\n- the mirror answers nobody\n\n## Owner actions\n\n- rotate the key\n",
		"## Owner actions\n\n- [ ] rotate the key of the shop\n- [x] order a new one\n",
		"## Summary\n\nTaught the loader to name the line it stops at.\n",
		"",
	} {
		name := fmt.Sprintf("p%d", i)
		files[name+"/.git/x"] = ""
		files[name+"/HANDOFF.md"] = fmt.Sprintf("---\ndate: 2026-02-0%d\nstatus: blocked\n---\n\n# Loader\n\n%s", i+1, text)
	}
	lay(t, root, files)
	r := see(t, root, testNow, time.UTC).must(t, report.Options{}, "")
	want := []string{
		": the mirror answers nobody [blocked]", ": rotate the key of the shop [blocked]",
		": Taught the loader to name the line it stops at. [blocked]", ": Loader [blocked]",
	}
	if diff := cmp.Diff(want, texts(r.Section(report.Blockers))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The same is told of the same, and all of it where nothing is to be left out.
func TestMost(t *testing.T) {
	t.Parallel()
	w := week(t)
	first, again := w.must(t, report.Options{}, ""), w.must(t, report.Options{}, "")
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("a second report differs:\n%s", diff)
	}
	few, all := w.must(t, report.Options{Most: 1}, ""), w.must(t, report.Options{Most: -1}, "")
	if s := few.Section(report.Done); len(s.Groups) != 1 || s.Omitted != 2 {
		t.Errorf("%d groups, %d omitted", len(s.Groups), s.Omitted)
	}
	for _, s := range all.Sections {
		if s.Omitted != 0 {
			t.Errorf("%s: %d omitted", s.Name, s.Omitted)
		}
	}
}

// What is restricted follows no clock, and what numbers could not say is refused.
func TestRestriction(t *testing.T) {
	t.Parallel()
	w := week(t)
	r := w.must(t, report.Options{Name: "health"}, "is:stale -project:blog")
	if want := "is:open date<2026-02-03 -project:blog"; r.Query != want {
		t.Errorf("%s, want %s", r.Query, want)
	}
	many := ""
	for i := range 60 {
		many += fmt.Sprintf("-word%d ", i)
	}
	for text, want := range map[string]string{
		"sort:date":          "the query of a report only selects handoffs: sort:, limit:, latest-per: and count-by: are not allowed",
		"latest-per:project": "the query of a report only selects handoffs: sort:, limit:, latest-per: and count-by: are not allowed",
		many:                 "the query is too long for a report: the query of each number contains it",
	} {
		q, err := query.Parse(text, w.env)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := report.Build(t.Context(), w.Store, report.Options{Env: w.env, Query: q}); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for o, want := range map[string]string{"nonsense": `there is no report "nonsense"`, "timeline": "a timeline shows one project, but these handoffs belong to 4 projects"} {
		if _, err := w.report(t, report.Options{Name: o}, ""); err == nil || err.Error() != want {
			t.Errorf("%s: %v", o, err)
		}
	}
	if _, err := w.report(t, report.Options{By: "color"}, ""); err == nil || !strings.HasPrefix(err.Error(), `a report cannot be grouped by "color"; choose one of project,`) {
		t.Error(err)
	}
	if _, err := w.report(t, report.Options{Name: "health", By: "week"}, ""); err != nil {
		t.Error(err) // health has no groups
	}
	if _, err := w.report(t, report.Options{By: "week", To: testNow}, ""); err == nil {
		t.Error("all time was cut into weeks")
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC) }
	w := week(t)
	for _, tc := range []struct {
		o    report.Options
		want string
	}{
		{report.Options{Name: "standup"}, "Standup, 2026-02-09 to 2026-02-10"},
		{report.Options{Name: "weekly"}, "Week, 2026-02-04 to 2026-02-10"},
		{report.Options{Name: "weekly", From: at(2), To: at(9)}, "Week 6 of 2026, 2026-02-02 to 2026-02-08"},
		{report.Options{From: at(3), To: at(4)}, "Digest, 2026-02-03"},
		{report.Options{From: at(3)}, "Digest since 2026-02-03"},
		{report.Options{To: at(3)}, "Digest until 2026-02-02"},
		{report.Options{Name: "health"}, "Health"},
	} {
		if r := w.must(t, tc.o, ""); r.Title != tc.want {
			t.Errorf("%q, want %q", r.Title, tc.want)
		}
	}
	r := w.must(t, report.Options{By: "day", From: at(7), To: at(10)}, "")
	if diff := cmp.Diff([]string{"2026-02-09", "2026-02-08", "2026-02-07"}, groups(r.Section(report.Done))); diff != "" {
		t.Error(diff)
	}
}

func groups(s *report.Section) []string {
	var names []string
	for _, g := range s.Groups {
		names = append(names, g.Name)
	}
	return names
}

func TestOwn(t *testing.T) {
	t.Parallel()
	w := week(t)
	w.env.Saved = map[string]string{"shops": "project:shop"}
	d := &report.Definition{Name: "mine", Title: "Mine", Query: "-project:clone", Since: "2026-02-06", Sections: []report.SectionDefinition{
		{Title: "The shop", Name: "shop", Query: "query:shops", Columns: []string{"date", "project", "states"}},
		{Kind: "count", Query: "is:open"},
		{Kind: report.Next, Title: "To do"},
		{Query: "is:blocked", Always: true},
	}}
	r := w.must(t, report.Options{Own: d}, "")
	if w.check(t, r) < 6 {
		t.Error("there are too few numbers")
	}
	if r.Title != "Mine, 2026-02-06 to 2026-02-10" || r.Name != "mine" || r.Query != "-project:clone" {
		t.Errorf("%s, %s, %s", r.Title, r.Name, r.Query)
	}
	var names []string
	for _, s := range r.Sections {
		names = append(names, s.Name+" "+s.Title)
	}
	if diff := cmp.Diff([]string{"shop The shop", "count Handoffs", "next To do", "list Handoffs"}, names); diff != "" {
		t.Fatal(diff)
	}
	if rows := r.Sections[0].Table.Rows; len(rows) != 3 || rows[0][1].Text != "shop" || rows[0][2].Text != "open, latest, warned" {
		t.Errorf("%+v", rows)
	}
	if n := r.Sections[1].Numbers[0]; n.Value != 2 || n.Query != "-project:clone is:open date:2026-02-06..2026-02-10" {
		t.Errorf("%+v", n)
	}
}

func TestDefinitionErrors(t *testing.T) {
	t.Parallel()
	section := func(s report.SectionDefinition) *report.Definition {
		return &report.Definition{Sections: []report.SectionDefinition{{}, s}}
	}
	for _, tc := range []struct {
		d    *report.Definition
		at   int
		key  string
		want string
	}{
		{&report.Definition{}, -1, "section", "section: a report needs at least one [[section]]"},
		{&report.Definition{Query: "is:opne"}, -1, "query", `query: query:4: unknown value "opne" for is:`},
		{&report.Definition{Query: "sort:date"}, -1, "query", ""},
		{&report.Definition{Since: "yestreday"}, -1, "since", `since: query:7: not a date: "yestreday"`},
		{&report.Definition{By: "color"}, -1, "by", ""},
		{section(report.SectionDefinition{Query: "("}), 1, "query", ""},
		{section(report.SectionDefinition{Kind: "chart"}), 1, "kind", ""},
		{section(report.SectionDefinition{Columns: []string{"color"}}), 1, "columns", ""},
		{section(report.SectionDefinition{Kind: "next", Columns: []string{"date"}}), 1, "columns", `columns: only a section of kind "table" has columns`},
	} {
		err := tc.d.Check(query.Env{Now: testNow})
		wrong, ok := err.(*report.DefinitionError) //nolint:errorlint // it is the contract
		if !ok || wrong.Section != tc.at || wrong.Key != tc.key || tc.want != "" && err.Error() != tc.want {
			t.Errorf("%+v: %v", tc.d, err)
		}
	}
}
