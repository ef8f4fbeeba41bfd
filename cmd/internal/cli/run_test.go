package cli_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"handex/cmd/internal/cli"
)

// machine is the surroundings of runs inside the test's process.
type machine struct {
	home, work string
	width      int // of the terminal, 0 for pipes
	env        map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{home: t.TempDir(), work: t.TempDir(), env: map[string]string{"HANDEX_PAGER": "cat"}}
}

// output is what a run wrote and its exit status.
type output struct {
	status         int
	stdout, stderr string
}

func (m *machine) run(ctx context.Context, args ...string) output {
	var stdout, stderr bytes.Buffer
	status := cli.Main(ctx, args, cli.Env{
		Stdin: strings.NewReader(""), Stdout: cli.Stream{Writer: &stdout, Width: m.width}, Stderr: cli.Stream{Writer: &stderr, Width: m.width},
		Getenv:  func(key string) string { return m.env[key] },
		Now:     func() time.Time { return time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC) },
		Zone:    time.UTC,
		WorkDir: m.work, Home: m.home, ConfigHome: filepath.Join(m.home, ".config"), CacheHome: filepath.Join(m.home, ".cache"),
	})
	return output{status, stdout.String(), stderr.String()}
}

// must is run that has to end with a status.
func (m *machine) must(t *testing.T, status int, args ...string) output {
	t.Helper()
	out := m.run(t.Context(), args...)
	if out.status != status {
		t.Fatalf("handex %s: status %d, want %d\n%s", strings.Join(args, " "), out.status, status, out.stderr)
	}
	return out
}
