package faults_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit/dump"
)

// needStrace skips a test where programs cannot be traced.
func needStrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is needed to inject faults")
	}
	if out, err := exec.CommandContext(t.Context(), "strace", "-f", "-qq", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot trace here: %v\n%s", err, out)
	}
}

// A world is a disk with handoffs, and a program that indexes them.
type world struct {
	t       testing.TB // of what is being tried
	base    string     // holds home, two roots and the index
	dir     string     // of the index
	program string
	env     []string  // more of the program's environment
	now     time.Time // of the program's clock; zero is the clock as it is
}

// try runs f as a test of its own, so that it does not end those after it.
func (w *world) try(name string, f func()) {
	whole, ok := w.t.(*testing.T)
	if !ok {
		w.t.Fatal("only a test has tests")
	}
	defer func() { w.t = whole }()
	whole.Run(name, func(t *testing.T) {
		w.t = t
		f()
	})
}

// fatalf ends a test. What the index holds can be much.
func (w *world) fatalf(format string, args ...any) {
	w.t.Helper()
	const most = 4000
	text := fmt.Sprintf(format, args...)
	w.t.Fatal(text[:min(most, len(text))])
}

// newWorld is an empty one. Its clock is ahead, so that files written now are
// old enough to be told unchanged.
func newWorld(tb testing.TB, env ...string) *world {
	tb.Helper()
	base := realTemp(tb)
	w := &world{t: tb, base: base, dir: filepath.Join(base, "index"), program: program(tb), env: env, now: time.Now().Add(time.Hour).Truncate(time.Second)}
	for _, dir := range []string{w.root("shop"), w.root("notes"), w.archive(), w.dir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	return w
}

func (w *world) root(name string) string { return filepath.Join(w.base, "disk", name) }

// archive is the folder of the program's archive.
func (w *world) archive() string {
	return filepath.Join(w.base, "home", ".local", "share", "handex", "archive")
}

// A run is what a run of the program came to.
type run struct {
	status         int // -1 if a signal ended it
	killed         bool
	stdout, stderr string
	fired          int    // injections
	trace          string // the file of the trace
}

func (r run) String() string {
	return fmt.Sprintf("status %d, killed %v, fired %d\n%s%s", r.status, r.killed, r.fired, r.stdout, r.stderr)
}

// args are the program's arguments to index into dir.
func (w *world) args(dir string, more ...string) []string {
	return append([]string{"index", "--json", "--index", dir, "--root", w.root("shop"), "--root", w.root("notes")}, more...)
}

// command is the program, run by strace if there are options for it.
func (w *world) command(strace []string, args ...string) *exec.Cmd {
	name := w.program
	if strace != nil {
		name, args = "strace", slices.Concat(strace, []string{w.program}, args)
	}
	cmd := exec.CommandContext(w.t.Context(), name, args...)
	cmd.Dir = w.base
	cmd.WaitDelay = time.Second
	cmd.Env = append([]string{
		"HOME=" + filepath.Join(w.base, "home"), "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TMPDIR=" + w.base,
	}, w.env...)
	if !w.now.IsZero() {
		at := w.now.UTC().Format(time.RFC3339)
		cmd.Env = append(cmd.Env, "HANDEX_NOW="+at, clockVariable+"="+at)
	}
	return cmd
}

// tooLong is when a run hangs.
const tooLong = 4 * time.Minute

// start runs a command to its end.
func (w *world) start(cmd *exec.Cmd) run {
	w.t.Helper()
	return w.started(cmd, func(*os.Process) {})
}

// started is start; then is called while the command runs.
func (w *world) started(cmd *exec.Cmd, then func(*os.Process)) run {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	then(cmd.Process)
	hung := time.AfterFunc(tooLong, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	if !hung.Stop() {
		w.fatalf("%s hangs\n%s%s", cmd, stdout.String(), stderr.String())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return run{
		status: cmd.ProcessState.ExitCode(), killed: status.Signaled() && status.Signal() == syscall.SIGKILL,
		stdout: stdout.String(), stderr: stderr.String(),
	}
}

// inject runs the program with a fault: what strace calls an injection.
func (w *world) inject(calls, fault string, args ...string) run {
	w.t.Helper()
	return w.injectOn("", calls, fault, args...)
}

// injectOn is inject for calls on one path only, if it is not empty.
func (w *world) injectOn(path, calls, fault string, args ...string) run {
	w.t.Helper()
	trace := filepath.Join(w.base, "trace")
	options := []string{"-f", "-qq", "-o", trace, "-e", "signal=none", "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + fault}
	if path != "" {
		options = append(options, "-P", path)
	}
	r := w.start(w.command(options, args...))
	text, err := os.ReadFile(trace)
	if err != nil {
		w.t.Fatal(err)
	}
	r.fired, r.trace = bytes.Count(text, []byte("(INJECTED)")), string(text)
	if r.killed {
		r.fired = 1
	}
	return r
}

// must runs the program, which must succeed in silence.
func (w *world) must(args ...string) run {
	w.t.Helper()
	r := w.start(w.command(nil, args...))
	if r.status != 0 || r.stderr != "" {
		w.fatalf("%v: %v", args, r)
	}
	return r
}

// dump dumps the index in dir, which must be sound; ok is false if there is none.
func (w *world) dump(dir string) (d dump.Index, ok bool) {
	w.t.Helper()
	d, ok, err := inspect(w.t.Context(), dir)
	if err != nil {
		w.fatalf("%v", err)
	}
	return d, ok
}

// holds reports where the index is not as another, after something.
func (w *world) holds(want dump.Index, after string) {
	w.t.Helper()
	got, _ := w.dump(w.dir)
	if diff := got.Compare(want); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", after, diff)
	}
}

// inspect dumps the index in dir; ok is false if there is none. The error says
// that it does not open or is damaged.
func inspect(ctx context.Context, dir string) (d dump.Index, ok bool, err error) {
	s, err := index.Open(ctx, index.Options{Dir: dir, Now: time.Now})
	if err != nil {
		return d, false, err
	}
	st, err := s.Status(ctx)
	var faults []string
	if err == nil {
		faults, err = s.Check(ctx)
	}
	if err := errors.Join(err, s.Close()); err != nil || len(faults) > 0 {
		return d, false, fmt.Errorf("the index does not open or is damaged: %w %q", err, faults)
	}
	if st.Path == "" {
		return d, false, nil
	}
	found, err := damage(ctx, st.Path)
	if err != nil || found != "" {
		return d, false, fmt.Errorf("the index is damaged: %w\n%s", err, found)
	}
	d, err = dump.Read(ctx, st.Path)
	return d, err == nil, err
}

// damage is what SQLite finds wrong with an index file.
func damage(ctx context.Context, path string) (string, error) {
	var found strings.Builder
	for _, q := range []string{"PRAGMA integrity_check", "PRAGMA foreign_key_check"} {
		rows, err := dump.Query(ctx, path, q)
		if err != nil {
			return "", err
		}
		for _, r := range rows {
			if r.Text("integrity_check") != "ok" {
				fmt.Fprintln(&found, r)
			}
		}
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_busy_timeout=10000")
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	for _, fts := range []string{"fts", "stem", "part"} {
		if _, err := db.ExecContext(ctx, "INSERT INTO "+fts+" ("+fts+", rank) VALUES ('integrity-check', 1)"); err != nil {
			fmt.Fprintf(&found, "%s: %v\n", fts, err)
		}
	}
	return found.String(), nil
}

// has reports whether a file has handoffs.
func has(d dump.Index, path string) bool {
	return path != "" && slices.ContainsFunc(d.Rows[path], func(l string) bool { return strings.HasPrefix(l, "handoff ") })
}

// note is a handoff of claude-suite.
func note(date, session, goal, next string) string {
	return "# Handoff — " + date + "\n\nsession_id: " + session + "\npurpose: " + goal + "\n\n## Done\n\n- wrote the " + goal + "\n\n## Next\n\n- " + next + "\n"
}

// manifest is a handoff of flow-guardian.
func manifest(day int, goal string) string {
	return fmt.Sprintf("goal: %q\nstatus: in_progress\nnow: \"step %d\"\ntimestamp: \"2026-02-%02dT10:00:00Z\"\n", goal, day, day)
}

func realTemp(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// copyDir makes a folder a copy of another, for the owner alone.
func copyDir(tb testing.TB, from, to string) {
	tb.Helper()
	err := errors.Join(os.RemoveAll(to), filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return os.Mkdir(filepath.Join(to, rel), 0o700)
		}
		data, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(filepath.Join(to, rel), data, 0o600))
	}))
	if err != nil {
		tb.Fatal(err)
	}
}
