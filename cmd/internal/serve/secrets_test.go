package serve_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoSecretLeaves asks for everything there is of a handoff that holds
// credentials, by its pages, the API and the file of a report. Only --no-redact
// shows them.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	dir := filepath.Join(t.TempDir(), "shop")
	text := "---\ntitle: uses " + token + "\ndate: 2026-02-09\nbranch: " + token + "\nfrom: " + token + "\nto: codex\n---\n# Handoff\n\n## Done " + token +
		"\n\n- pushed with " + token + "\n\n## Next\n\n- rotate `" + token + "`\n\n## Risks\n\nHUMAN REVIEW NEEDED: " + token + "\n"
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name, "HANDOFF.md")
		if err := os.MkdirAll(filepath.Join(filepath.Dir(path), ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, shown := range []bool{false, true} {
		args := []string{"--root", dir}
		if shown {
			args = append(args, "--no-redact")
		}
		s := newMachine(t).startOn(t, args...)
		id := handexID.FindString(s.get("/api/v1/search"))
		told := 0
		for _, path := range []string{
			"/", "/?q=next:rotate", "/?q=" + url.QueryEscape("count by branch"), "/?q=" + url.QueryEscape("branch:ghx"), "/h/" + id, "/h/" + id + "/raw", "/h/" + id + "/history", "/status",
			"/report/digest", "/report/escalations", "/report/health", "/report/timeline?q=project:a", "/complete?q=branch:", "/complete?q=from:",
			"/api/v1/search", "/api/v1/search?q=next:rotate", "/api/v1/show/" + id, "/api/v1/values/branch", "/api/v1/values/from", "/api/v1/report/digest", "/api/v1/status", "/api/v1/latest?dir=" + url.QueryEscape(filepath.Join(dir, "a")),
		} {
			if strings.Contains(s.get(path), token) {
				if told++; !shown {
					t.Errorf("%s tells the token", path)
				}
			}
		}
		if shown && told < 12 {
			t.Errorf("with --no-redact only %d pages tell the token", told)
		}
		out := s.must(t, 0, append([]string{"report", "--html"}, args...)...)
		if got := strings.Contains(out.stdout, token); got != shown {
			t.Errorf("the file tells the token: %v", got)
		}
	}
}

// HTML is not for a terminal.
func TestReportHTMLOnATerminal(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.width = 80
	got := m.run(t.Context(), "report", "--html", "--root", exampleTree(t))
	const want = "handex: HTML is not written to a terminal\n  redirect it: handex report --html >report.html\n"
	if got.status != 2 || !strings.HasSuffix(got.stderr, want) || got.stdout != "" {
		t.Errorf("status %d\n%q\n%q", got.status, got.stdout, got.stderr)
	}
}
