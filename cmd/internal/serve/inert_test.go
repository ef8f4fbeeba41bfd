package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/OWNER/handex/index/testkit"
)

// hostileTree writes a handoff for each payload, with the payload in its title, its
// text, its links, its metadata and the name of its folder. Some escalate, some are
// blocked, so that reports tell of all.
func hostileTree(t *testing.T) (tree string, payloads []string) {
	t.Helper()
	text, err := os.ReadFile("../pages/testdata/payloads.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &payloads); err != nil || len(payloads) < 60 {
		t.Fatalf("%d payloads, %v", len(payloads), err)
	}
	tree = t.TempDir()
	for i, p := range payloads {
		line := strings.Join(strings.Fields(p), " ")
		name := strings.NewReplacer("/", "∕", "\x00", "", "\n", " ").Replace(p)
		dir := filepath.Join(tree, fmt.Sprintf("%02d ", i)+strings.ToValidUTF8(name[:min(len(name), 120)], ""))
		body := fmt.Sprintf("---\ndate: 2026-02-09\ntitle: %s\nbranch: %s\nstatus: %s\nfrom: %s\nto: codex\nsession: %s\n---\n# Handoff: %s\n\n%s\n\n## What was done %s\n\n- %s\n- [%s](%s)\n- ![%s](%s)\n\n## Next\n\n- [ ] %s\n- `%s`\n\n## Gotchas\n\n- the same trap: %s\n\n## Risks\n\nHUMAN REVIEW NEEDED: %s\n\n## Blockers\n\n- %s\n\n| a | b |\n|---|---|\n| %s | %s |\n\n```\n%s\n```\n",
			line, line, line, line, line, line, p, line, p, line, p, line, p, line, line, line, line, line, line, line, p)
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "HANDOFF.md"), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tree, payloads
}

// TestNothingRuns shows handoffs that are made to run scripts, to ask others for
// something or to lead away. Nothing of that happens, and the policy of the pages has
// nothing to stop.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	tree, payloads := hostileTree(t)
	b := open(t, 1280, 900)
	s := startOn(t, tree)
	b.sees()
	b.allowed = append(b.allowed, s.base+"/", "file:")
	b.run(chromedp.Navigate(s.url))
	var all struct {
		Hits []struct{ ID, Title string }
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/search?limit=500")), &all); err != nil || len(all.Hits) < len(payloads) {
		t.Fatalf("%d handoffs of %d, %v", len(all.Hits), len(payloads), err)
	}
	paths := []string{"/?q=", "/?q=&from=25", "/?q=&from=50", "/?q=alert", "/status", "/?q=" + url.QueryEscape("count by branch"), "/?q=" + url.QueryEscape("count by project,from")}
	for _, name := range []string{"digest", "escalations", "health", "standup"} {
		paths = append(paths, "/report/"+name)
	}
	// The pages of a handoff are made in one way, whatever it says, and the tests of
	// package pages hold that against each text without a browser.
	for _, p := range testkit.Some(payloads, 12) {
		paths = append(paths, "/?q="+url.QueryEscape(p))
	}
	for _, h := range testkit.Some(all.Hits, 12) {
		paths = append(paths, "/h/"+h.ID, "/h/"+h.ID+"/raw", "/h/"+h.ID+"/history")
	}
	for _, path := range paths {
		b.run(chromedp.Navigate(s.base + path))
		if got := value[string](b, "location.href"); got != s.base+path {
			t.Errorf("%s leads to %s", path, got)
		}
		b.expected(path)
	}
	b.filesAreInert(s, tree)
}

// sees fails if the browser does not tell of what must not happen.
func (b *tab) sees() {
	b.t.Helper()
	b.run(chromedp.Navigate("data:text/html,<title>x</title><script>alert(1)</script><img src='http://127.0.0.1:1/x.png'>"))
	b.mu.Lock()
	defer b.mu.Unlock()
	told := strings.Join(b.wrong, "\n")
	for _, want := range []string{"opens a dialog: 1", "asks for http://127.0.0.1:1/x.png"} {
		if !strings.Contains(told, want) {
			b.t.Fatalf("the browser tells %q, and not that a page %s", told, want)
		}
	}
	b.wrong = nil
}

// expected forgets the errors the server is to answer with, and fails on all else.
func (b *tab) expected(where string) {
	b.t.Helper()
	b.mu.Lock()
	var rest []string
	for _, what := range b.wrong {
		if !strings.HasPrefix(what, "is told: Failed to load resource: the server responded with a status of 4") {
			rest = append(rest, what)
		}
	}
	b.wrong = rest
	b.mu.Unlock()
	b.harmless(where)
}

// filesAreInert opens the reports as files, and each handoff in them.
func (b *tab) filesAreInert(s *served, tree string) {
	b.t.Helper()
	for _, name := range []string{"digest", "escalations"} {
		out := s.must(b.t, 0, "report", name, "--root", tree, "--html")
		file := filepath.Join(b.t.TempDir(), "report.html")
		if err := os.WriteFile(file, []byte(out.stdout), 0o600); err != nil {
			b.t.Fatal(err)
		}
		b.run(chromedp.Navigate("file://" + file))
		ids := value[[]string](b, "[...document.querySelectorAll('article[id]')].map(a => a.id)")
		if len(ids) < 10 {
			b.t.Errorf("%s holds %d handoffs", name, len(ids))
		}
		for _, id := range testkit.Some(ids, 4) { // all are shown in one way
			if shown := value[bool](b, fmt.Sprintf("location.hash = %q, new Promise(done => requestAnimationFrame(() => done(document.getElementById(%q).checkVisibility())))", id, id)); !shown {
				b.t.Errorf("%s does not show %s", name, id)
			}
		}
		b.harmless("the file of " + name)
		b.shot("file-"+name, true)
	}
}
