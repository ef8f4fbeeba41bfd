package cli_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/index/testkit"
)

// leaks are the secrets that gitleaks sees in each text, each once. One run reads them all,
// as most of what a run takes is its start.
func leaks(t *testing.T, texts map[string]string) map[string]map[string]bool {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		put(t, filepath.Join(dir, name+".txt"), text, 0o600)
	}
	cmd := exec.CommandContext(t.Context(), "gitleaks", "dir", dir, "--no-banner", "--log-level", "error", "--report-format", "json", "--report-path", "-", "--exit-code", "0")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var list []struct{ Secret, RuleID, File string }
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err != nil {
		t.Fatalf("gitleaks: %v\n%s%s", err, &said, out)
	}
	found := map[string]map[string]bool{}
	for _, l := range list {
		name := strings.TrimSuffix(filepath.Base(l.File), ".txt")
		if found[name] == nil {
			found[name] = map[string]bool{}
		}
		found[name][l.RuleID+": "+l.Secret] = true
	}
	return found
}

// A referee that is not ours finds no secret in what leaves for others, and finds
// those secrets where they are not masked.
func TestGitleaksFindsNothing(t *testing.T) {
	t.Parallel()
	testkit.NeedsLong(t)
	if _, err := exec.LookPath("gitleaks"); err != nil {
		t.Skip("gitleaks is not installed; .ci/run installs it")
	}
	o := newOffice(t)
	all := hostile.Credentials(3)
	files := map[string]string{"shop/.git/HEAD": "ref: refs/heads/main\n"}
	const each = 5
	for i := 0; i < len(all); i += each {
		text := "# Handoff\n\n"
		for n, c := range all[i:min(i+each, len(all))] {
			text += fmt.Sprintf("## %s\n\n- it runs with %s since Monday\n\n", []string{"Next", "Gotchas", "Decisions", "Blockers", "Done"}[n], c.Text)
		}
		files[fmt.Sprintf("shop/docs/handoffs/2026-01-%02d-part.md", i/each+1)] = text
	}
	o.lay(t, files)
	list := []struct {
		what  string
		least int // secrets that are there
		text  func(flags ...string) string
	}{
		{"briefing", 10, func(flags ...string) string {
			return runHandex(t, o.env(), "", append([]string{"brief", o.tree + "/shop", "--budget", "100000"}, flags...)...).stdout
		}},
		{"report", 15, func(flags ...string) string {
			var all strings.Builder
			for _, form := range []string{"--markdown", "--json", "--csv"} {
				all.WriteString(runHandex(t, o.env(), "", append([]string{"report", "--since", "2025-12-01", "--limit", "0", form}, flags...)...).stdout)
			}
			return all.String()
		}},
		{"MCP", 90, func(flags ...string) string { return everything(o.agent(t, flags...)) }},
	}
	texts := map[string]string{}
	for _, c := range list {
		texts[c.what+", masked"], texts[c.what] = c.text(), c.text("--no-redact")
	}
	found := leaks(t, texts)
	for _, c := range list {
		if masked := found[c.what+", masked"]; len(masked) > 0 {
			t.Errorf("%s: gitleaks finds %d secrets: %v", c.what, len(masked), masked)
		}
		t.Logf("%s: gitleaks finds %d secrets of %d where none is masked", c.what, len(found[c.what]), len(all))
		if len(found[c.what]) < c.least {
			t.Errorf("%s: want %d", c.what, c.least)
		}
	}
}

// everything is all that a server says of the handoffs it has.
func everything(a *agent) string {
	a.t.Helper()
	var b strings.Builder
	add := func(tool string, args arguments) {
		var quotes any
		b.WriteString(a.answer(100_000, tool, args, &quotes) + "\n")
		for _, text := range stringsIn(quotes) {
			b.WriteString(text + "\n")
		}
	}
	ids, _ := a.pages("search", nil)
	for _, id := range ids {
		add("show", arguments{"id": id, "chars": 16_000})
		add("show", arguments{"id": id, "section": "next"})
		res, err := a.ReadResource(a.t.Context(), &sdk.ReadResourceParams{URI: "handoff://" + id})
		if err != nil {
			a.t.Fatal(err)
		}
		b.WriteString(res.Contents[0].Text)
	}
	add("search", arguments{"query": "runs with", "limit": 50})
	add("latest", nil)
	add("report", arguments{"since": "2025-12-01", "limit": 50})
	add("brief", arguments{"project": "shop", "budget": "16000"})
	return b.String()
}

// stringsIn are all strings in a value.
func stringsIn(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, x := range v {
			all = append(all, stringsIn(x)...)
		}
	case map[string]any:
		for _, x := range v {
			all = append(all, stringsIn(x)...)
		}
	}
	return all
}
