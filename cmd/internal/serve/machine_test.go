package serve_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/cli"
	"github.com/OWNER/handex/cmd/internal/config"
)

var handexID = regexp.MustCompile(`h_[0-9a-f]{12}`)

// A machine is the surroundings of runs inside the test's process.
type machine struct {
	home, work string
	width      int // of the terminal, 0 for pipes
}

func newMachine(tb testing.TB) *machine {
	tb.Helper()
	return &machine{home: tb.TempDir(), work: tb.TempDir()}
}

// output is what a run wrote and its exit status.
type output struct {
	status         int
	stdout, stderr string
}

func (m *machine) run(ctx context.Context, args ...string) output {
	var stdout, stderr bytes.Buffer
	status := m.main(ctx, &stdout, &stderr, args...)
	return output{status, stdout.String(), stderr.String()}
}

func (m *machine) main(ctx context.Context, stdout, stderr io.Writer, args ...string) (status int) {
	env := map[string]string{"HANDEX_PAGER": "cat"}
	return cli.Main(ctx, args, cli.Env{
		Stdin:  strings.NewReader(""),
		Stdout: cli.Stream{Writer: stdout, Width: m.width}, Stderr: cli.Stream{Writer: stderr, Width: m.width},
		Now:  func() time.Time { return time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC) },
		Zone: time.UTC, CacheHome: filepath.Join(m.home, ".cache"),
		Places: config.Places{
			Getenv: func(key string) string { return env[key] }, WorkDir: m.work, Home: m.home,
			ConfigHome: filepath.Join(m.home, ".config"), StateHome: filepath.Join(m.home, ".state"),
			DataHome: filepath.Join(m.home, ".data"),
		},
	})
}

// must is run that has to end with a status.
func (m *machine) must(tb testing.TB, status int, args ...string) output {
	tb.Helper()
	out := m.run(tb.Context(), args...)
	if out.status != status {
		tb.Fatalf("%v: status %d, want %d\n%s%s", args, out.status, status, out.stdout, out.stderr)
	}
	return out
}

// exampleTree copies the examples. Each file is as old as its name says, or else a week
// older than the clock.
func exampleTree(t *testing.T) string {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "examples")
	if err := os.CopyFS(tree, os.DirFS("../../../examples")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at := time.Date(2026, time.February, 3, 12, 0, 0, 0, time.UTC)
		if day, err := time.Parse(time.DateOnly, d.Name()[:min(len(d.Name()), len(time.DateOnly))]); err == nil {
			at = day.Add(18 * time.Hour)
		}
		return os.Chtimes(path, at, at)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
