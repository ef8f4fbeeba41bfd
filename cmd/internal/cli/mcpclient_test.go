package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent is a client of a server that runs as a process of its own.
type agent struct {
	*sdk.ClientSession
	t      *testing.T
	pid    int
	errors *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// office is where an agent works: an environment with a home of its own, and a tree
// of handoffs, which is what is searched and where the server runs.
type office struct{ home, tree, now string }

func newOffice(t *testing.T) office {
	t.Helper()
	return office{t.TempDir(), t.TempDir(), "2026-02-10T12:00:00Z"}
}

func (o office) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + o.home, "TZ=UTC", "HANDEX_NOW=" + o.now, "HANDEX_ROOTS=" + o.tree, "TMPDIR=" + os.Getenv("TMPDIR"),
		"XDG_CONFIG_HOME=" + o.home, "XDG_CACHE_HOME=" + filepath.Join(o.home, "cache"), "XDG_STATE_HOME=" + filepath.Join(o.home, "state"), "XDG_DATA_HOME=" + filepath.Join(o.home, "data"),
	}
}

// settled is a time behind all changes: files that are younger than the clock are
// read anew each time.
func settled() string { return time.Now().Add(time.Hour).Format(time.RFC3339) }

// lay writes files into the tree, as old as their names say.
func (o office) lay(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(o.tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := age(o.tree); err != nil {
		t.Fatal(err)
	}
}

// agent starts a server and connects to it.
func (o office) agent(t *testing.T, flags ...string) *agent {
	t.Helper()
	cmd := exec.Command("handex", append([]string{"mcp"}, flags...)...)
	said := &syncBuffer{}
	cmd.Env, cmd.Dir, cmd.Stderr = o.env(), o.tree, said
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended with %v\n%s", err, said)
		}
	})
	return &agent{session, t, cmd.Process.Pid, said}
}

// arguments of a call.
type arguments map[string]any

// call calls a tool, which must answer.
func (a *agent) call(tool string, args arguments) *sdk.CallToolResult {
	a.t.Helper()
	res, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s %v: %v\n%s", tool, args, err, a.errors)
	}
	return res
}

// answer is said, as text.
func (a *agent) answer(most int, tool string, args arguments, into any) (text string) {
	a.t.Helper()
	return textOf(a.said(most, tool, args, into))
}

// said calls a tool that must succeed, in most bytes or less, and reads what it
// says.
func (a *agent) said(most int, tool string, args arguments, into any) *sdk.CallToolResult {
	a.t.Helper()
	res := a.call(tool, args)
	if res.IsError {
		a.t.Fatalf("%s %v: %s", tool, args, textOf(res))
	}
	whole, err := json.Marshal(res)
	if err != nil {
		a.t.Fatal(err)
	}
	if len(whole) > most {
		a.t.Errorf("%s %v: %d bytes, want at most %d", tool, args, len(whole), most)
	}
	structured, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(structured, into)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return res
}

// refusal calls a tool that must refuse.
func (a *agent) refusal(tool string, args arguments) string {
	a.t.Helper()
	res := a.call(tool, args)
	if !res.IsError {
		a.t.Fatalf("%s %v answers %s", tool, args, textOf(res))
	}
	return textOf(res)
}

func textOf(res *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// small is what an answer may take where nobody asked for more, in bytes.
const small = 4096

// many lays ten projects with six handoffs each, every second of which escalates,
// the oldest first.
func (o office) many(t *testing.T) {
	t.Helper()
	files := map[string]string{}
	day := time.Date(2025, time.November, 1, 0, 0, 0, 0, time.UTC)
	for project := range 10 {
		for n := range 6 {
			name := fmt.Sprintf("p%02d/docs/handoffs/%s-part-%d.md", project, day.Format(time.DateOnly), n)
			text := fmt.Sprintf("# Part %d of p%02d\n\nWordy handoff about the \"ledger\" & its <index>.\n\n## Next\n\n- finish part %d\n", n, project, n+1)
			if n == 5 && project%2 == 1 {
				text += "\nHUMAN REVIEW NEEDED: is part " + fmt.Sprint(n) + " of p" + fmt.Sprint(project) + " what was meant?\n"
			}
			files[name] = text
			day = day.AddDate(0, 0, 1)
		}
		files[fmt.Sprintf("p%02d/.git/HEAD", project)] = "ref: refs/heads/main\n"
	}
	o.lay(t, files)
}
