package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server outlives what becomes of its index, and keeps nothing open.
func TestMCPOutlivesTheIndex(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t)
	cache := filepath.Join(o.home, "cache", "handex")
	index := func() string {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(cache, "index-*.db"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no index in %s (%v)", cache, err)
		}
		return paths[len(paths)-1]
	}
	total := func() (n int, notes []string) {
		t.Helper()
		var p struct {
			Total int
			Notes []string
		}
		a.answer(small, "search", arguments{"query": "ledger", "exact": true}, &p)
		return p.Total, p.Notes
	}
	if n, notes := total(); n != 60 || len(notes) > 0 {
		t.Fatalf("%d handoffs, notes %q", n, notes)
	}
	for _, c := range []struct {
		name  string
		spoil func() error
		want  int
		note  string
	}{
		{"a new handoff", func() error {
			o.lay(t, map[string]string{"p00/docs/handoffs/2026-02-09-new.md": "# New\n\nledger\n"})
			return nil
		}, 61, ""},
		{"the index is deleted", func() error { return os.RemoveAll(cache) }, 61, ""},
		{"the index is replaced", func() error {
			out := runHandex(t, o.env(), "", "index", "--full")
			return map[bool]error{false: fmt.Errorf("%s", out.stderr)}[out.status == 0]
		}, 61, ""},
		{"the index is damaged", func() error {
			text, err := os.ReadFile(index())
			if err != nil {
				return err
			}
			spoiled := []byte(strings.ReplaceAll(string(text), "Wordy handoff", "Wordy handofF"))
			return os.WriteFile(index(), spoiled, 0o600)
		}, 61, "index is damaged"},
		{"the index is no index", func() error { return os.WriteFile(index(), []byte("not at all"), 0o600) }, 61, "index"},
		{"a handoff is gone", func() error { return os.Remove(filepath.Join(o.tree, "p00/docs/handoffs/2026-02-09-new.md")) }, 60, ""},
	} {
		if err := c.spoil(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		n, notes := total()
		if said := strings.Join(notes, "\n"); n != c.want || (c.note == "") != (said == "") || !strings.Contains(said, c.note) {
			t.Errorf("%s: %d handoffs, want %d; notes %q, want %q", c.name, n, c.want, notes, c.note)
		}
	}
	before := openFiles(t, a.pid)
	for range 30 {
		total()
		a.call("brief", arguments{"dir": "p00"})
		a.call("show", arguments{"id": "nothing"})
	}
	if after := openFiles(t, a.pid); after > before {
		t.Errorf("%d files are open, before %d calls %d", after, 90, before)
	}
}

func openFiles(t *testing.T, pid int) int {
	t.Helper()
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// Two servers answer at once, while handoffs are written.
func TestMCPTwoServers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	var wg sync.WaitGroup
	for server := range 2 {
		a := o.agent(t)
		for range 4 {
			wg.Go(func() {
				for i := range 3 {
					for _, c := range []struct {
						tool string
						args arguments
					}{{"search", arguments{"query": "ledger"}}, {"latest", arguments{"dir": "p01"}}, {"brief", arguments{"dir": "p02"}}, {"escalations", nil}} {
						res, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.args})
						if err != nil || res.IsError {
							t.Errorf("server %d, %s: %v %v", server, c.tool, err, res)
							return
						}
					}
					name := filepath.Join(o.tree, "p03/docs/handoffs", fmt.Sprintf("2026-02-01-%d-%d.md", server, i))
					if err := os.WriteFile(name, []byte("# Ledger\n"), 0o600); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
}

const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A server that lost its input answers what is due and ends.
func TestMCPEndsWithItsInput(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	stream := greeting + "no message\n"
	for i := range 6 {
		stream += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":"ledger"}}}`+"\n", i+1)
	}
	out := runHandex(t, o.env(), stream, "mcp")
	var ids []float64
	refused := 0
	for line := range strings.Lines(out.stdout) {
		var m struct {
			ID     *float64
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case m.ID == nil:
			refused++
		case m.Result != nil:
			ids = append(ids, *m.ID)
		}
	}
	if out.status != 0 || len(ids) != 7 || refused != 1 || out.stderr != "" {
		t.Errorf("status %d, answers to %v, %d refused, stderr %q", out.status, ids, refused, out.stderr)
	}
}

// A server ends without an error when it is interrupted. A signal that comes too early for
// it to be caught ends the process too, so one that dies of it gets another try with more time.
func TestMCPEndsOnASignal(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		err := o.signaled(t, signal, 50*time.Millisecond)
		for wait := 200 * time.Millisecond; killedBy(err, signal) && wait < 15*time.Second; wait *= 4 {
			err = o.signaled(t, signal, wait)
		}
		if err != nil {
			t.Errorf("%v: %v", signal, err)
		}
	}
}

// signaled starts a server, sends it a signal some time after its first answer, and returns
// how it ended.
func (o office) signaled(t *testing.T, signal syscall.Signal, wait time.Duration) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "handex", "mcp")
	cmd.Env = o.env()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(greeting)); err != nil {
		t.Fatal(err)
	}
	if n, err := out.Read(make([]byte, 1)); n != 1 {
		t.Fatal(err)
	}
	time.Sleep(wait)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	return cmd.Wait()
}

// killedBy reports whether a process died of a signal instead of catching it.
func killedBy(err error, signal syscall.Signal) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == signal
}

// Reading writes nothing but the index.
func TestMCPWritesNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	before := snapshot(t, o.tree)
	a := o.agent(t)
	var found listPage
	a.answer(small, "search", nil, &found)
	for _, c := range []struct {
		tool string
		args arguments
	}{
		{"show", arguments{"id": found.Hits[0].ID}},
		{"latest", nil},
		{"latest", arguments{"dir": "p00"}},
		{"brief", arguments{"dir": "p00"}},
		{"escalations", nil},
	} {
		a.answer(small, c.tool, c.args, &struct{}{})
	}
	if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "handoff://" + found.Hits[0].ID}); err != nil {
		t.Error(err)
	}
	for _, tool := range []string{"write", "update", "ack"} {
		if _, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tool}); err == nil {
			t.Errorf("%s is there", tool)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, o.tree)); diff != "" {
		t.Errorf("the tree (-before +after):\n%s", diff)
	}
	for path := range snapshot(t, o.home) {
		if !strings.HasPrefix(path, filepath.Join("cache", "handex")+string(filepath.Separator)) {
			t.Errorf("%s was written", path)
		}
	}
}

// snapshot is what the files of a folder say.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
