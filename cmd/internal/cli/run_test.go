package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/cli"
	"github.com/OWNER/handex/cmd/internal/config"
)

// machine is the surroundings of runs inside the test's process.
type machine struct {
	home, work string
	width      int // of the terminal, 0 for pipes
	env        map[string]string
	zone       *time.Location // nil is UTC
	now        time.Time
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{home: t.TempDir(), work: t.TempDir(), env: map[string]string{"HANDEX_PAGER": "cat"}, now: time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)}
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

// screen is what a run shows that writes everything to one terminal.
func (m *machine) screen(t *testing.T, args ...string) string {
	t.Helper()
	var both bytes.Buffer
	if status := m.main(t.Context(), &both, &both, args...); status != 0 {
		t.Fatalf("status %d\n%s", status, &both)
	}
	return both.String()
}

func (m *machine) main(ctx context.Context, stdout, stderr io.Writer, args ...string) (status int) {
	return cli.Main(ctx, args, cli.Env{
		Stdin: strings.NewReader(""), Stdout: cli.Stream{Writer: stdout, Width: m.width}, Stderr: cli.Stream{Writer: stderr, Width: m.width},
		Now: func() time.Time { return m.now }, Zone: cmp.Or(m.zone, time.UTC),
		Places: m.places(".state"), CacheHome: filepath.Join(m.home, ".cache"),
	})
}

func (m *machine) places(state string) config.Places {
	return config.Places{
		Getenv: func(key string) string { return m.env[key] }, WorkDir: m.work, Home: m.home,
		ConfigHome: filepath.Join(m.home, ".config"), StateHome: filepath.Join(m.home, state),
	}
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
