package cli_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const waiting = `# the shuttle's own
version: 1
source_file: discussion/058-codex-response.md   # the answer
generated_at: "2026-02-09"
from: codex
to: claude
owner: ann
status: pending
sent_at: null
session_key: null
`

// company lays out a project with a manifest.
func (m *machine) company(t *testing.T, manifest string) {
	t.Helper()
	for name, text := range map[string]string{
		"meta/handoff.yaml": manifest, "meta/collaboration.yaml": "participants:\n  - id: codex\n  - id: claude\n",
		"discussion/058-codex-response.md": "# Response\n\n## Proposals\n\n- go on\n",
	} {
		path := filepath.Join(m.work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (m *machine) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(m.work, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What a gateway does, and what the manifest, the log and the status say then.
func TestSend(t *testing.T) {
	t.Parallel()
	answers := func(status int, reply string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, reply)
		}
	}
	resets := func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	hangs := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	sent := func(session string) string {
		return strings.NewReplacer("pending", "sent", "sent_at: null", `sent_at: "2026-02-10T12:00:00Z"`, "session_key: null", "session_key: "+session).Replace(waiting)
	}
	failed := strings.Replace(waiting, "pending", "failed", 1)
	for _, c := range []struct {
		name     string
		gateway  http.HandlerFunc
		args     []string
		status   int
		stderr   string
		manifest string
	}{
		{"success", answers(200, `{"session_key":"k-1"}`), nil, 0, "handex: sent: HOME to claude, session k-1\n", sent("k-1")},
		{"no key", answers(204, ""), nil, 0, "handex: sent: HOME to claude\n", sent("null")},
		{"the key that was given", answers(204, ""), []string{"--session-key", "k-0"}, 0, "handex: sent: HOME to claude, session k-0\n", sent("k-0")},
		{"refusal", answers(403, `{"error":"bad token"}`), nil, 2, "handex: HOME was not sent: the gateway refused the message: 403 Forbidden: bad token\n", failed},
		{"garbage", answers(200, "<html>\x1b[2J"), nil, 2, "handex: HOME was not sent: the gateway's reply is not a JSON object: <html>^[[2J\n", failed},
		{"timeout", hangs, []string{"--timeout", "200ms"}, 2, "handex: HOME was not sent: the gateway did not reply within 200ms; it may still have received the message\n", failed},
		{"reset", resets, nil, 2, "handex: HOME was not sent: the gateway cannot be reached, or closed the connection: ", failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.gateway)
			defer server.Close()
			m := newMachine(t)
			m.company(t, waiting)
			out := m.run(t.Context(), append([]string{"send", "--gateway", server.URL}, c.args...)...)
			got := strings.ReplaceAll(out.stderr, filepath.Join(m.work, "meta", "handoff.yaml"), "HOME")
			if out.status != c.status || out.stdout != "" || !strings.HasPrefix(got, c.stderr) {
				t.Errorf("status %d\n%s\n%s", out.status, out.stdout, got)
			}
			if diff := cmp.Diff(c.manifest, m.read(t, "meta/handoff.yaml")); diff != "" {
				t.Errorf("manifest (-want +got):\n%s", diff)
			}
			word := "sent"
			if c.status != 0 {
				word = "failed"
			}
			want := "version: 1\nmax_entries: 50\nentries:\n  - source_file: discussion/058-codex-response.md\n    from: codex\n    to: claude\n    status: " + word +
				"\n    generated_at: \"2026-02-09\"\n    sent_at: \"2026-02-10T12:00:00Z\"\n    branch: null\n"
			if diff := cmp.Diff(want, m.read(t, "meta/handoff-log.yaml")); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

// A manifest that another has replaced meanwhile is not marked.
func TestSendIsOfOneManifest(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.company(t, waiting)
	other := strings.Replace(waiting, "058", "059", 1)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { m.company(t, other) }))
	defer server.Close()
	out := m.must(t, 2, "send", "--gateway", server.URL)
	if !strings.Contains(out.stderr, "status sent could not be written: "+filepath.Join(m.work, "meta/handoff.yaml")+" is not the manifest that was sent\n") {
		t.Error(out.stderr)
	}
	if diff := cmp.Diff(other, m.read(t, "meta/handoff.yaml")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(m.work, "meta/handoff-log.yaml")); !os.IsNotExist(err) {
		t.Errorf("there is a log: %v", err)
	}
}
