package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// scheme has the browser ask for light or dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// TestAccessible has axe-core look at pages on a desk and on a phone, light and dark.
// HANDEX_AXE names its axe.min.js.
func TestAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(os.Getenv("HANDEX_AXE"))
	if err != nil {
		t.Skip("HANDEX_AXE names no axe-core: ", err)
	}
	tree := exampleTree(t)
	for name, text := range map[string]string{"long": longHandoff(), "tables": manyTables()} {
		dir := filepath.Join(tree, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "HANDOFF.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := startOn(t, tree)
	b := open(t, 1280, 900, s.base)
	b.run(chromedp.Navigate(s.url))
	file := filepath.Join(t.TempDir(), "weekly.html")
	if err := os.WriteFile(file, []byte(s.must(t, 0, "report", "weekly", "--root", tree, "--html").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	b.allowed = append(b.allowed, "file:")
	pages := []struct{ name, address string }{
		{"hits", s.base + "/?q=" + url.QueryEscape("is:open project:webshop")},
		{"empty", s.base + "/?q=" + url.QueryEscape("zzzz project:webshop")},
		{"error", s.base + "/?q=" + url.QueryEscape("projct:webshop is:opn")},
		{"missing", s.base + "/nothing"},
		{"long", s.base + "/h/" + idOf(t, s, "longwinded")},
		{"tables", s.base + "/h/" + idOf(t, s, "tabulated")},
		{"history", s.base + "/h/" + idOf(t, s, "tabulated") + "/history"},
		{"weekly", s.base + "/report/weekly"},
		{"timeline", s.base + "/report/timeline?q=project%3Awebshop"},
		{"choice", s.base + "/report/timeline"},
		{"status", s.base + "/status"},
		{"file", "file://" + file},
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		for width, height := range map[int64]int64{1280: 900, 390: 844} {
			b.run(chromedp.EmulateViewport(width, height))
			for _, p := range pages {
				where := fmt.Sprintf("%s-%d-%s", p.name, width, scheme)
				b.run(chromedp.Navigate(p.address))
				for _, problem := range b.axe(string(axe)) {
					t.Errorf("%s: %s", where, problem)
				}
				b.fits(where, int(width))
				b.shot(where, true)
			}
		}
	}
}

// axe returns what axe-core finds wrong with the page.
func (b *tab) axe(program string) (problems []string) {
	b.t.Helper()
	value[bool](b, program+"; true")
	found := value[string](b, "axe.run().then(r => JSON.stringify(r.violations))")
	var list []struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range list {
		problems = append(problems, fmt.Sprintf("%s (%s), %d times: %s\n%s", v.ID, v.Help, len(v.Nodes), v.Nodes[0].HTML, v.Nodes[0].FailureSummary))
	}
	return problems
}

func longHandoff() string {
	text := "# Handoff: A longwinded one\n\n**Date**: 2026-02-09\n\nHUMAN REVIEW NEEDED: it is long.\n"
	for i := range 40 {
		text += fmt.Sprintf("\n## Part %d: what was found on the way\n\n%s\n\n- [ ] one\n- [x] two, see `src/auth.py`\n\n> quoted\n\n```\ncode\n```\n", i+1,
			strings.Repeat("The session went on and looked at the next thing. ", 12))
	}
	return text
}

func manyTables() string {
	text := "# Handoff: A tabulated one\n\n**Date**: 2026-02-09\n"
	for i := range 12 {
		text += fmt.Sprintf("\n## Table %d\n\n| file | what changed | why | by | risk | incomprehensibilities |\n|---|---|---|---|---|---|\n", i+1) +
			strings.Repeat("| src/auth/middleware_test.go | the token families | counterrevolutionary | codex | none | b |\n", 4)
	}
	return text
}
