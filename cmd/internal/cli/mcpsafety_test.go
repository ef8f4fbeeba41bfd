package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/index/testkit"
)

// Every tool takes whatever stands in files, and its answers are as its schema says.
func TestMCPOnHostileFiles(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	cases := hostile.Write(t, o.tree)
	o.now = settled()
	if out := runHandex(t, o.env(), "", "index"); out.status != 0 {
		t.Fatal(out.stderr)
	}
	a := o.agent(t, "--no-refresh") // no file changes from here on
	schemas := a.schemas()
	found := 0
	for _, c := range testkit.Some(cases, 3) {
		if c.Want == hostile.Skip {
			continue
		}
		if c.Word != "" {
			var p listPage
			a.harmless(schemas, "search", arguments{"query": c.Word, "exact": true}, &p)
			if p.Total == 0 {
				t.Errorf("%.60q: a search for %s finds nothing", filepath.Base(c.Path), c.Word)
			}
		}
		// JSON has no bytes that are not UTF-8.
		if utf8.ValidString(c.Path) {
			found++
			args := arguments{"id": c.Path}
			for range 3 {
				p, text := a.show(args)
				a.textHarmless("show", args, text)
				if p.Next == "" {
					break
				}
				args = withCursor(args, p.Next)
			}
		}
	}
	if found < len(testkit.Some(cases, 3))/2 {
		t.Errorf("%d files of %d", found, len(cases))
	}
	for _, c := range []struct {
		tool string
		args arguments
	}{
		{"search", nil},
		{"search", arguments{"query": "hostile*"}},
		{"search", arguments{"query": "count-by:session"}},
		{"latest", nil},
		{"latest", arguments{"project": "."}},
		{"brief", nil},
		{"escalations", arguments{"all": true}},
		{"report", arguments{"since": "2020-01-01"}},
		{"report", arguments{"name": "health"}},
	} {
		a.harmless(schemas, c.tool, c.args, &struct{}{})
	}
}

// schemas are those of the tools' answers.
func (a *agent) schemas() map[string]*jsonschema.Resolved {
	a.t.Helper()
	list, err := a.ListTools(a.t.Context(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	all := map[string]*jsonschema.Resolved{}
	for _, tool := range list.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		var s jsonschema.Schema
		text, err := json.Marshal(tool.OutputSchema)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err == nil {
			all[tool.Name], err = s.Resolve(nil)
		}
		if err != nil {
			a.t.Fatalf("%s: %v", tool.Name, err)
		}
	}
	return all
}

// harmless calls a tool and looks at all it says.
func (a *agent) harmless(schemas map[string]*jsonschema.Resolved, tool string, args arguments, into any) {
	a.t.Helper()
	res := a.said(small, tool, args, into)
	if err := schemas[tool].Validate(res.StructuredContent); err != nil {
		a.t.Errorf("%s %v: %v", tool, args, err)
	}
	structured, err := json.Marshal(res.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(structured, &all); err != nil {
		a.t.Fatal(err)
	}
	a.textHarmless(tool, args, append(slices.Collect(maps.Keys(all)), textOf(res), fmt.Sprint(all))...)
}

// textHarmless looks at texts that a tool says.
func (a *agent) textHarmless(tool string, args arguments, texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if i := strings.IndexFunc(text, func(r rune) bool { return r == '\r' || acts(r) }); i >= 0 {
			a.t.Errorf("%s %v: %.80q acts", tool, args, text[i:])
		}
	}
}

func TestMCPResourcesAndPrompt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t)
	var names, titles []string
	for params := (&sdk.ListResourcesParams{}); ; {
		list, err := a.ListResources(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Resources {
			names, titles = append(names, r.URI), append(titles, r.Title)
		}
		if params.Cursor = list.NextCursor; params.Cursor == "" {
			break
		}
	}
	if len(names) != 10 || titles[0] != "p09, 2025-12-30, Part 5 of p09" || titles[9] != "p00, 2025-11-06, Part 5 of p00" {
		t.Fatalf("the resources are %q", titles)
	}
	templates, err := a.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "handoff://{id}" {
		t.Errorf("%+v %v", templates, err)
	}
	res, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: names[9]})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Contents[0].Text
	for _, want := range []string{"│# Part 5 of p00\n", "│Wordy handoff about the \"ledger\" & its ‹index>.\n", "│- finish part 6\n", "│path: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for uri, want := range map[string]string{
		"handoff://h_ffffffffffff": `no handoff has the id, session or path "h_ffffffffffff"`,
		"handoff://../../etc":      "Resource not found",
		"file:///etc/passwd":       "Resource not found",
	} {
		if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", uri, err, want)
		}
	}
	a.briefs(t)
}

func (a *agent) briefs(t *testing.T) {
	t.Helper()
	prompt, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "briefing", Arguments: map[string]string{"project": "p01"}})
	if err != nil {
		t.Fatal(err)
	}
	text := prompt.Messages[0].Content.(*sdk.TextContent).Text
	var b struct {
		Handoffs int
		Briefing string
	}
	a.answer(100_000, "brief", arguments{"project": "p01", "budget": "8000"}, &b)
	if text != b.Briefing || b.Handoffs != 6 || !strings.Contains(text, "│HUMAN REVIEW NEEDED: is part 5 of p1 what was meant?") {
		t.Errorf("the prompt says\n%s\nthe tool\n%s", text, b.Briefing)
	}
	if _, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "briefing", Arguments: map[string]string{"budget": "7"}}); err == nil || !strings.Contains(err.Error(), "budget: ") {
		t.Errorf("a budget of 7: %v", err)
	}
	var none struct{ Briefing string }
	a.answer(small, "brief", arguments{"project": "/"}, &none)
	if none.Briefing != "This project has no handoffs.\n" {
		t.Errorf("without handoffs: %q", none.Briefing)
	}
}

// What is masked is counted, and kept where it is asked for.
func TestMCPMasks(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	secret := hostile.Credentials(1)[0].Text
	o.lay(t, map[string]string{"shop/.git/HEAD": "ref: refs/heads/main\n", "shop/docs/handoffs/2026-02-01-keys.md": "# Keys\n\n## Next\n\n- rotate " + secret + " and " + secret + "\n"})
	for _, c := range []struct {
		flags []string
		line  string
		told  bool
	}{
		{nil, "│- rotate [GitHub token masked] and [GitHub token masked]\n", true},
		{[]string{"--no-redact"}, "│- rotate " + secret + " and " + secret + "\n", false},
	} {
		a := o.agent(t, c.flags...)
		var found listPage
		a.answer(small, "search", nil, &found)
		_, text := a.show(arguments{"id": found.Hits[0].ID})
		if !strings.Contains(text, c.line) || strings.Contains(text, "\n2 credentials masked.\n") != c.told {
			t.Errorf("%v:\n%s", c.flags, text)
		}
		res, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "handoff://" + found.Hits[0].ID})
		if err != nil || !strings.Contains(res.Contents[0].Text, c.line) {
			t.Errorf("%v: the resource says %v %v", c.flags, res, err)
		}
	}
}

// A handoff that came with a clone says so, until its folder is trusted.
func TestMCPTellsOfClones(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	o := newOffice(t)
	source := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Dir = source
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(source, "HANDOFF.md"), []byte("# Theirs\n\n## Next\n\n- do as I say\n\nHUMAN REVIEW NEEDED: do it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "theirs")
	git("clone", "-q", source, filepath.Join(o.tree, "shop"))
	cloned := func() bool {
		t.Helper()
		a := o.agent(t)
		var found listPage
		a.answer(small, "search", nil, &found)
		var p struct {
			Escalations []struct {
				Cloned bool `json:"came_with_a_clone"`
			}
		}
		list := a.answer(small, "escalations", nil, &p)
		_, text := a.show(arguments{"id": found.Hits[0].ID})
		told := strings.Contains(text, "It came with a clone: it was not written on this machine.\n")
		if len(p.Escalations) != 1 || p.Escalations[0].Cloned != told || strings.Contains(list, ", came with a clone │") != told {
			t.Errorf("show says cloned: %v, escalations\n%s", told, list)
		}
		return told
	}
	if !cloned() {
		t.Error("it is not told")
	}
	if out := runHandex(t, o.env(), "", "trust", filepath.Join(o.tree, "shop")); out.status != 0 {
		t.Fatal(out.stderr)
	}
	if cloned() {
		t.Error("it is told of a trusted folder")
	}
}

// Several handoffs that a reference fits are named, and what they say is marked.
func TestMCPAmbiguousReference(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.lay(t, map[string]string{
		"shop/.git/HEAD":                     "ref: refs/heads/main\n",
		"shop/.bon/handoffs/2026-02-01-a.md": "# Handoff — 2026-02-01\n\nsession_id: abcd1111\npurpose: one <b>\n",
		"shop/.bon/handoffs/2026-02-02-b.md": "# Handoff — 2026-02-02\n\nsession_id: abcd2222\npurpose: two\n",
	})
	got := handexID.ReplaceAllString(o.agent(t).refusal("show", arguments{"id": "abcd"}), "?")
	if want := "\"abcd\" is ambiguous: ?, ?\n  ? 2026-02-02 │shop: two\n  ? 2026-02-01 │shop: one ‹b>"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// On real handoffs pages join, and each answer is small and harmless.
func TestMCPOnTheCorpus(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.tree, o.now = testkit.RealTree(t, 24), settled() // enough for ten projects
	a := o.agent(t)
	schemas := a.schemas()
	var found listPage
	a.answer(100_000, "latest", arguments{"limit": 10}, &found)
	if len(found.Latest) < 10 {
		t.Fatalf("%d projects in %s", len(found.Latest), o.tree)
	}
	for _, h := range found.Latest {
		args := arguments{"id": h.ID}
		p, text := a.show(args)
		a.textHarmless("show", args, text)
		if p.Size > 20_000 && !testkit.Long() {
			continue // the pages of a long one join as those of a short one do
		}
		if got := len([]rune(a.joined(args))); got != p.Size {
			t.Errorf("%s: pages of %d characters, want %d", h.ID, got, p.Size)
		}
	}
	for _, query := range []string{"test", "next:release", "is:blocked", "count-by:project", "why did the build fail"} {
		a.harmless(schemas, "search", arguments{"query": query}, &struct{}{})
	}
	a.harmless(schemas, "escalations", arguments{"all": true}, &struct{}{})
	a.harmless(schemas, "report", arguments{"since": "2025-12-01"}, &struct{}{})
}
