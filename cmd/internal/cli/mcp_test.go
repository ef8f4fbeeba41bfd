package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMCPTools(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type hints struct {
		Name                                   string
		Reads, Destroys, Idempotent, OpenWorld bool
	}
	reading := []hints{
		{"brief", true, false, true, false},
		{"escalations", true, false, true, false},
		{"latest", true, false, true, false},
		{"report", true, false, true, false},
		{"search", true, false, true, false},
		{"show", true, false, true, false},
	}
	writing := append(slices.Clone(reading), hints{"ack", false, false, true, false}, hints{"update", false, true, false, false}, hints{"write", false, true, false, false})
	slices.SortFunc(writing, func(a, b hints) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range []struct {
		flags []string
		want  []hints
		most  int // bytes of all descriptions
	}{{nil, reading, 9500}, {[]string{"--write"}, writing, 13_000}} {
		a := o.agent(t, c.flags...)
		list, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []hints
		for _, tool := range list.Tools {
			n := tool.Annotations
			got = append(got, hints{tool.Name, n.ReadOnlyHint, *n.DestructiveHint, n.IdempotentHint, *n.OpenWorldHint})
			if len(tool.Description) > 2048 || tool.Description == "" {
				t.Errorf("%s is described in %d bytes", tool.Name, len(tool.Description))
			}
			if (tool.OutputSchema == nil) != (tool.Name == "show") {
				t.Errorf("%s: a schema of its answers: %v", tool.Name, tool.OutputSchema)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.flags, diff)
		}
		if whole, err := json.Marshal(list.Tools); err != nil || len(whole) > c.most {
			t.Errorf("%v: the tools are described in %d bytes, want at most %d (%v)", c.flags, len(whole), c.most, err)
		}
	}
	if init := o.agent(t).InitializeResult(); init.ServerInfo.Name != "handex" || init.Instructions == "" || len(init.Instructions) > 2048 {
		t.Errorf("the server is %q, with instructions of %d bytes", init.ServerInfo.Name, len(init.Instructions))
	}
}

// listPage is what every list has.
type listPage struct {
	Total  int
	Cut    string
	Next   string `json:"next_cursor"`
	Hits   []struct{ ID string }
	Latest []struct{ ID string }               `json:"handoffs"`
	Open   []struct{ ID, State, Quote string } `json:"escalations"`
	Counts []struct {
		Values []string `json:"quote_values"`
		Count  int
	}
}

// pages reads a list to its end, and answers the ids or values in it and the pages
// it took.
func (a *agent) pages(tool string, args arguments) (all []string, n int) {
	a.t.Helper()
	for n = 1; ; n++ {
		var p listPage
		text := a.answer(small, tool, args, &p)
		for _, list := range [][]struct{ ID string }{p.Hits, p.Latest} {
			for _, h := range list {
				all = append(all, h.ID)
			}
		}
		for _, e := range p.Open {
			all = append(all, e.ID)
		}
		for _, c := range p.Counts {
			all = append(all, strings.Join(c.Values, ","))
		}
		for _, id := range all[max(len(all)-1, 0):] {
			if !strings.Contains(text, id) {
				a.t.Errorf("%s: the text has no %s\n%s", tool, id, text)
			}
		}
		if (p.Next == "") != (p.Cut == "") || !strings.Contains(text, p.Cut) {
			a.t.Errorf("%s: cursor %q, cut %q, text\n%s", tool, p.Next, p.Cut, text)
		}
		if p.Next == "" || n == 100 {
			if p.Total != len(all) {
				a.t.Errorf("%s: %d of %d", tool, len(all), p.Total)
			}
			return all, n
		}
		args = withCursor(args, p.Next)
	}
}

func withCursor(args arguments, next string) arguments {
	with := arguments{"cursor": next}
	for k, v := range args {
		if k != "cursor" {
			with[k] = v
		}
	}
	return with
}

// Pages join to what the command line says at once.
func TestMCPPagesJoin(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t)
	ids := func(query ...string) []string {
		t.Helper()
		out := runHandex(t, o.env(), "", append(append([]string{"search"}, query...), "--ids", "--limit", "0")...)
		list := strings.Fields(out.stdout)
		if len(list) == 0 {
			t.Fatalf("%v finds nothing\n%s", query, out.stderr)
		}
		return list
	}
	for _, c := range []struct {
		tool  string
		args  arguments
		query []string
		least int // pages
	}{
		{"search", nil, nil, 5},
		{"search", arguments{"query": "ledger", "exact": true}, []string{"ledger"}, 5},
		{"search", arguments{"query": "ledger", "exact": true, "sort": "date-asc", "limit": 7}, []string{"ledger", "sort:date-asc"}, 9},
		{"search", arguments{"query": "project:p03", "exact": true, "limit": 1}, []string{"project:p03"}, 6},
		{"latest", nil, []string{"latest-per:project"}, 1},
		{"latest", arguments{"limit": 4}, []string{"latest-per:project"}, 3},
		{"escalations", nil, []string{"is:escalated", "is:open", "sort:date-asc"}, 1},
		{"escalations", arguments{"limit": 2}, []string{"is:escalated", "is:open", "sort:date-asc"}, 3},
	} {
		got, n := a.pages(c.tool, c.args)
		if diff := cmp.Diff(ids(c.query...), got); diff != "" {
			t.Errorf("%s %v (-command line +pages):\n%s", c.tool, c.args, diff)
		}
		if n < c.least {
			t.Errorf("%s %v: %d pages, want at least %d", c.tool, c.args, n, c.least)
		}
	}
	counts, _ := a.pages("search", arguments{"query": "count-by:project", "limit": 3})
	if want := []string{"p00", "p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08", "p09"}; !cmp.Equal(want, counts) {
		t.Errorf("counts of %v", counts)
	}
}

// The quotes of a handoff's pages join to its text.
func TestMCPShowJoins(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var body strings.Builder
	for i := range 200 {
		body.WriteString(strings.Repeat("| cell \"x\" ", i%7) + "größer <b>\\" + strings.Repeat("長", i%11) + "\n")
	}
	body.WriteString(strings.Repeat("endless ", 1000) + "\n")
	o.lay(t, map[string]string{"shop/.git/HEAD": "ref: refs/heads/main\n", "shop/docs/handoffs/2026-02-01-long.md": "# Long\n\n## Done\n\n" + body.String() + "\n## Next\n\n- rest\n"})
	a := o.agent(t)
	var found listPage
	a.answer(small, "search", nil, &found)
	want := "# Long\n\n## Done\n\n" + strings.TrimRight(strings.ReplaceAll(body.String(), "<b>", "‹b>"), "\n") + "\n\n## Next\n\n- rest\n"
	for _, chars := range []int{0, 300, 999, 16_000} {
		args := arguments{"id": found.Hits[0].ID}
		if chars > 0 {
			args["chars"] = chars
		}
		got := a.joined(args)
		if got != want {
			t.Errorf("chars %d: %s", chars, cmp.Diff(want, got))
		}
	}
	if got := a.joined(arguments{"id": found.Hits[0].ID, "section": "next"}); got != "- rest\n" {
		t.Errorf("the section is %q", got)
	}
}

// shown is a page of a handoff.
type shown struct {
	Quote             string
	First, Last, Size int
	Next              string
}

var (
	shownRange = regexp.MustCompile(`(?s)(?:^|\n)characters (\d+) to (\d+) of (\d+):\n(.*)`)
	anotherID  = regexp.MustCompile(`, h_[0-9a-f]{12}`)
	shownNext  = regexp.MustCompile(`(?m)^for the rest: cursor "([^"]+)", or more chars`)
)

// show reads a page of a handoff, which is given as a text and nothing else.
func (a *agent) show(args arguments) (p shown, text string) {
	a.t.Helper()
	res := a.call("show", args)
	if text = textOf(res); res.IsError || res.StructuredContent != nil || len(res.Content) != 1 {
		a.t.Fatalf("show %v: %+v", args, res)
	}
	if next := shownNext.FindStringSubmatch(text); next != nil {
		p.Next = next[1]
	}
	m := shownRange.FindStringSubmatch(text)
	if m == nil {
		return p, text
	}
	for i, to := range []*int{&p.First, &p.Last, &p.Size} {
		*to, _ = strconv.Atoi(m[i+1])
	}
	for line := range strings.Lines(m[4]) {
		if quote, ok := strings.CutPrefix(line, "│"); ok {
			p.Quote += quote
		}
	}
	if n := p.Last - p.First + 1; len([]rune(p.Quote)) == n+1 {
		p.Quote = strings.TrimSuffix(p.Quote, "\n") // the page ends within a line
	}
	return p, text
}

// joined reads a handoff to its end.
func (a *agent) joined(args arguments) string {
	a.t.Helper()
	var all strings.Builder
	for range 2000 {
		p, text := a.show(args)
		begin := len([]rune(all.String()))
		all.WriteString(p.Quote)
		if end := len([]rune(all.String())); p.First != begin+1 || p.Last != end || (p.Next == "") != (end == p.Size) {
			a.t.Fatalf("a page is %d to %d of %d behind %d characters\n%s", p.First, p.Last, p.Size, begin, text)
		}
		if p.Next == "" {
			return all.String()
		}
		args = withCursor(args, p.Next)
	}
	a.t.Fatal("it does not end")
	return ""
}

// A page is of 8,000 characters, once.
func TestMCPShowPages(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	body := strings.Repeat("One line of a handoff.\n", 600)
	o.lay(t, map[string]string{"shop/.git/HEAD": "ref: refs/heads/main\n", "shop/docs/handoffs/2026-02-01-long.md": "# Long\n\n## Done\n\n" + body})
	a := o.agent(t)
	args := arguments{"id": "shop/docs/handoffs/2026-02-01-long.md"}
	p, text := a.show(args)
	if n := len([]rune(p.Quote)); n > 8000 || n < 7900 || len(text) > 8000*1.2+1000 || strings.Count(text, "# Long") != 1 {
		t.Errorf("the first page has %d characters:\n%s", n, text)
	}
	if p, text = a.show(withCursor(args, p.Next)); p.Next != "" || p.Last != p.Size {
		t.Errorf("the second page of %d characters is not the last:\n%s", p.Size, text)
	}
}

// A project is named by its name or by a folder in it, in every tool, and by the
// parameter that was called dir before.
func TestMCPProjects(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	o.lay(t, map[string]string{
		"deep/inner/.git/HEAD": "ref: refs/heads/main\n", "deep/inner/docs/handoffs/2026-02-01-a.md": "# Ledger of inner\n\nHUMAN REVIEW NEEDED: look\n",
		"deep/inner/src/x.go": "", "one/twin/docs/handoffs/2026-02-01-a.md": "# A\n", "two/twin/docs/handoffs/2026-02-02-a.md": "# B\n",
		"one/twin/.git/HEAD": "", "two/twin/.git/HEAD": "",
	})
	a := o.agent(t, "--write")
	for _, name := range []string{"inner", "INNER", "deep/inner", "deep/inner/src", filepath.Join(o.tree, "deep/inner")} {
		for _, param := range []string{"project", "dir"} {
			for _, tool := range []string{"search", "latest", "escalations"} {
				var p listPage
				if text := a.answer(small, tool, arguments{param: name}, &p); p.Total != 1 {
					t.Errorf("%s of %s %s:\n%s", tool, param, name, text)
				}
			}
			var b struct{ Handoffs int }
			if text := a.answer(small, "brief", arguments{param: name}, &b); b.Handoffs != 1 {
				t.Errorf("brief of %s %s:\n%s", param, name, text)
			}
			var c change
			a.answer(small, "update", arguments{param: name, "keys": arguments{"goal": "g"}, "dry_run": true}, &c)
			if !strings.HasSuffix(c.Path, "/deep/inner/.flow-guardian/handoff.yaml") {
				t.Errorf("update of %s %s: %+v", param, name, c)
			}
		}
	}
	var r struct {
		Entries []struct{ Figure *int }
	}
	if a.answer(small, "report", arguments{"project": "inner", "since": "2025-01-01"}, &r); *r.Entries[0].Figure != 1 {
		t.Errorf("the report is on %d handoffs", *r.Entries[0].Figure)
	}
	for name, want := range map[string]string{
		"iner": "project: \"iner\" is neither a folder nor a project of the index\n  project:iner matches no handoff; did you mean \"inner\" (1)?",
		"twin": "project: \"twin\" is ambiguous: ",
	} {
		if got := a.refusal("brief", arguments{"project": name}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Where nothing is found it is told why, or what may be meant.
func TestMCPTellsWhyNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	o.lay(t, map[string]string{"empty/.git/HEAD": "ref: refs/heads/main\n"})
	a := o.agent(t)
	for _, c := range []struct {
		tool string
		args arguments
		want string
	}{
		{"search", arguments{"query": "ledgre", "exact": true}, "nothing matches\n  │ledgre matches no handoff; did you mean \"ledger\" (60)?\n"},
		{"search", arguments{"query": "ledger project:p00 finish is:blocked", "exact": true}, "  │without is:blocked: 6\n"},
		{"escalations", arguments{"project": "p0l"}, "note │project p0l has no handoffs; omit project to list all\nnote │project:p0l matches no handoff; did you mean \"p00\" (6)?\n"},
		{"escalations", arguments{"project": "empty"}, "note │project empty has no handoffs"},
		{"escalations", arguments{"project": "p00"}, "0 escalations\n"},
		{"latest", arguments{"project": "empty"}, "0 handoffs\nnote │project empty has no handoffs"},
		{"brief", arguments{"project": "empty"}, "This project has no handoffs.\n"},
	} {
		if text := a.answer(small, c.tool, c.args, &struct{}{}); !strings.Contains(text, c.want) {
			t.Errorf("%s %v: no %q in\n%s", c.tool, c.args, c.want, text)
		}
	}
}

// The pages of a report join, and its figures are what their queries count.
func TestMCPReport(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t)
	type entry struct {
		Section, Query string
		Quote          string
		Figure         *int
	}
	var all []entry
	for args := (arguments{"since": "2025-12-20"}); ; {
		var p struct {
			Title, From, To string
			Total           int
			Entries         []entry
			Next            string `json:"next_cursor"`
		}
		text := a.answer(small, "report", args, &p)
		if p.Title != "Digest, 2025-12-20 to 2026-02-10" || p.From != "2025-12-20" || !strings.Contains(text, p.Entries[0].Quote) {
			t.Fatalf("%+v\n%s", p, text)
		}
		all = append(all, p.Entries...)
		if p.Next == "" {
			if p.Total != len(all) {
				t.Errorf("%d entries of %d", len(all), p.Total)
			}
			break
		}
		args = withCursor(args, p.Next)
	}
	counted := 0
	for _, e := range all {
		if e.Figure == nil || e.Query == "" {
			continue
		}
		out := runHandex(t, o.env(), "", "search", e.Query, "--count")
		if got := strings.TrimSpace(out.stdout); got != fmt.Sprint(*e.Figure) {
			t.Errorf("%s %s: the figure is %d, the query %s counts %s", e.Section, e.Quote, *e.Figure, e.Query, got)
		}
		if counted++; counted == 12 {
			break
		}
	}
	if counted < 8 || *all[0].Figure != 11 {
		t.Errorf("%d figures, the first of %d handoffs, want 11", counted, *all[0].Figure)
	}
	if !slices.ContainsFunc(all, func(e entry) bool {
		return e.Section == "escalations" && e.Quote == "is part 5 of p9 what was meant?"
	}) {
		t.Errorf("no escalation in %+v", all)
	}
}

func TestMCPRefusals(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t, "--write")
	var found listPage
	a.answer(small, "search", nil, &found)
	id := found.Hits[0].ID
	near := id[:13] + map[bool]string{true: "1", false: "0"}[id[13] == '0']
	for _, c := range []struct {
		tool string
		args arguments
		want string
	}{
		{"search", arguments{"qeury": "x"}, `there is no parameter "qeury"; did you mean query?; parameters: query, project, exact, sort, limit, cursor; example: {"query": "flaky login test"}`},
		{"search", arguments{"query": 7}, `query: 7 is not a string; example: {"query": "flaky login test"}`},
		{"search", arguments{"limit": "ten"}, `limit: "ten" is not a whole number; example: {"limit": 20}`},
		{"search", arguments{"limit": 0}, `limit: 0 is not from 1 to 50; example: {"limit": 20}`},
		{"search", arguments{"exact": "yes"}, `exact: "yes" is neither true nor false; example: {"exact": true}`},
		{"search", arguments{"sort": "date limit:9"}, `sort: "date limit:9" is not a key; example: {"sort": "date-asc"}`},
		{"search", arguments{"cursor": "7"}, "cursor: it is not a next_cursor; omit it to start at the beginning"},
		{"search", arguments{"cursor": "1.2.00000000"}, "cursor: it belongs to another request; repeat the other arguments unchanged, or omit it to start at the beginning"},
		{"search", arguments{"query": "is:opne foo"}, "query:4: unknown value \"opne\" for is:\n    is:opne foo\n       ^^^^\n  did you mean \"open\"?"},
		{"search", arguments{"query": "a limit:3"}, "query:3: limit: is not allowed here: use the parameter limit\n    a limit:3\n      ^^^^^^^\n  leave it out"},
		{"show", nil, `id is missing: id or session, or the beginning of one, or a path; example: {"id": "h_785bd11e7439"}`},
		{"show", arguments{"id": " "}, `id: it is empty; example: {"id": "h_785bd11e7439"}`},
		{"show", arguments{"id": near}, "no handoff has the id, session or path \"" + near + "\"\n  did you mean " + id + "?"},
		{"show", arguments{"id": id, "section": "nxet"}, id + " has no section \"nxet\"\n  its sections: next"},
		{"show", arguments{"id": id, "chars": 5}, `chars: 5 is not from 100 to 16000; example: {"id": "h_785bd11e7439", "chars": 2000}`},
		{"latest", arguments{"project": "/no/such/folder"}, "/no: no such file or folder"},
		{"brief", arguments{"budget": "much"}, `budget: "much" is not a budget: write a number up to 1000000, then c for characters (at least 600), b for bytes (600) or t for tokens (200); example: {"budget": "8000"}`},
		{"escalations", arguments{"all": 1}, `all: 1 is neither true nor false; example: {"all": true}`},
		{"write", arguments{"format": "claude-suite"}, `document is missing: title, sections (by kind, each a string or a list of items: goal, done, next, gotchas, decisions, ...), files, work_items, and any field: status, branch, to, session, ...; example: {"format": "act", "document": {"sections":{"done":"the test passes","next":["release it"]},"title":"Login repaired"}}`},
		{"write", arguments{"format": "claude-siute", "document": arguments{"title": "x"}}, "format: \"claude-siute\" is not one of flow-guardian, company, act-xml, act-md, claude-suite, act\n  did you mean claude-suite?"},
		{"write", arguments{"format": "flow-guardian", "document": arguments{"status": "merry"}}, `not a valid flow-guardian handoff: no goal; status is "merry", not one of in_progress, completed, blocked; no now`},
		{"report", arguments{"name": "wekly"}, "name: \"wekly\" is not one of digest, weekly, standup, escalations, health, todo, timeline\n  did you mean weekly?"},
		{"report", arguments{"since": "whenever"}, "since: not a date: \"whenever\"\n  for example today, last-week, 7d, 2026-02 or 2026-02-10"},
		{"report", arguments{"by": "moon"}, `a report cannot be grouped by "moon"; choose one of project, agent, session, branch, status, format, day, week, month`},
		{"report", arguments{"query": "is:opne"}, "query:4: unknown value \"opne\" for is:\n    is:opne\n       ^^^^\n  did you mean \"open\"?"},
		{"update", arguments{"keys": []string{"x"}}, `keys: ["x"] is not an object; example: {"keys": {"now":"Debugging token expiry","status":"in_progress"}}`},
		{"ack", arguments{"ids": id}, `ids: "` + id + `" is not a list of strings; example: {"ids": ["h_785bd11e7439"]}`},
		{"ack", arguments{"ids": []string{near}}, "no handoff has the id, session or path \"" + near + "\"\n  did you mean " + id + "?"},
	} {
		// By chance the id of another handoff may be alike, too.
		if got := anotherID.ReplaceAllString(a.refusal(c.tool, c.args), ""); got != c.want {
			t.Errorf("%s %v:\n%s\nwant\n%s", c.tool, c.args, got, c.want)
		}
	}
	if _, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete"}); err == nil || !strings.Contains(err.Error(), `unknown tool "delete"`) {
		t.Errorf("an unknown tool: %v", err)
	}
}
