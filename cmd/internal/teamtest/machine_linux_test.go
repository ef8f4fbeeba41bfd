package teamtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
)

// A machine is a computer of a member: a home folder with a clone of the project, in
// which the program runs.
type machine struct {
	t       testing.TB
	member  string // name@machine
	home    string
	clone   string // of the project
	program string
	env     []string // more of the program's environment
	// held has the texts of the handoffs of this machine by their path in the ref.
	held map[string]string
}

// newMachine returns a machine of a member with a clone of a project.
func newMachine(tb testing.TB, member string, r *remote) *machine {
	tb.Helper()
	base := realTemp(tb)
	m := &machine{t: tb, member: member, home: filepath.Join(base, "home"), program: program(tb), held: map[string]string{}}
	m.clone = filepath.Join(m.home, "src", "webshop")
	m.env = r.env
	name, host, _ := strings.Cut(member, "@")
	m.put(".config/handex/config.toml", fmt.Sprintf("default_roots = false\n[[roots]]\npath = %q\n[[roots]]\npath = %q\n[team]\nmember = %q\nmachine = %q\n",
		filepath.Join(m.home, "src"), filepath.Join(m.home, ".claude", "handoffs"), name, host))
	m.put(".gitconfig", "[user]\nname = "+name+"\nemail = "+name+"@example.org\n"+r.gitConfig)
	m.must2(os.MkdirAll(filepath.Join(m.home, ".claude", "handoffs"), 0o755))
	m.git(m.home, "clone", "-q", r.url, m.clone)
	return m
}

// put writes a file below the home folder that is no handoff.
func (m *machine) put(path, text string) {
	m.t.Helper()
	path = filepath.Join(m.home, filepath.FromSlash(path))
	m.must2(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
}

func (m *machine) must2(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// place returns where on the machine the handoff with a path in the ref is.
func (m *machine) place(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(m.home, filepath.FromSlash(rest))
	}
	return filepath.Join(m.clone, filepath.FromSlash(path))
}

// encoded is what Claude Code writes a hyphen for in the names of its folders.
var encoded = regexp.MustCompile(`[^a-zA-Z0-9]`)

// suite returns the path in the ref of a handoff that claude-suite keeps for the clone.
func (m *machine) suite(name string) string {
	return "~/.claude/handoffs/" + encoded.ReplaceAllString(m.clone, "-") + "/" + name
}

// write writes a handoff as agents do: all of it at once, at a path of its ref.
func (m *machine) write(path, text string) error {
	at := m.place(path)
	temporary := filepath.Join(filepath.Dir(at), ".new")
	err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(temporary, []byte(text), 0o644), os.Rename(temporary, at))
	m.held[path] = text
	return err
}

func (m *machine) remove(path string) error {
	delete(m.held, path)
	return os.Remove(m.place(path))
}

// git runs the git of the machine's user.
func (m *machine) git(dir string, args ...string) string {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, m.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// environ returns the environment of the machine's user.
func (m *machine) environ() []string {
	return append([]string{
		"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TMPDIR=" + filepath.Dir(m.home), "GIT_CONFIG_SYSTEM=/dev/null",
	}, m.env...)
}

// A run is what a run of the program came to.
type run struct {
	args           []string
	status         int // -1 if a signal ended it
	stdout, stderr string
	took, cpu      time.Duration // from start to end, and of processors
	memory         int64         // the largest resident size, in bytes
}

func (r run) String() string {
	const most = 12000
	text := fmt.Sprintf("%q: status %d after %v\n%s%s", r.args, r.status, r.took, r.stdout, r.stderr)
	return text[:min(len(text), most)]
}

// command returns the program, in the clone and a process group of its own.
func (m *machine) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, m.program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = m.clone, m.environ(), time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// patience is how long a run of the program may take.
const patience = 15 * time.Minute

// run runs the program to its end; then, if it is not nil, is called while it runs.
func (m *machine) run(then func(pid int), args ...string) (run, error) {
	ctx, cancel := context.WithTimeout(m.t.Context(), patience)
	defer cancel()
	cmd := m.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return run{}, err
	}
	if then != nil {
		then(cmd.Process.Pid)
	}
	err := cmd.Wait()
	r := run{args: args, status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), took: time.Since(began)}
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = usage.Maxrss << 10
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, fmt.Errorf("%s hangs: %v", m.member, r)
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return r, err
	}
	return r, nil
}

// must runs the program, which must succeed.
func (m *machine) must(args ...string) run {
	m.t.Helper()
	r := m.try(args...)
	if r.status != 0 {
		m.t.Fatalf("%s: %v", m.member, r)
	}
	return r
}

// try runs the program to its end, whatever its exit status.
func (m *machine) try(args ...string) run {
	m.t.Helper()
	r, err := m.run(nil, args...)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

// team returns the folder in which the program keeps what belongs to the team.
func (m *machine) team(rest ...string) string {
	return filepath.Join(append([]string{m.home, ".local", "share", "handex", "team"}, rest...)...)
}

// note returns the text of a handoff in Markdown.
func note(day, n int, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Handoff: %s\n\nDate: 2026-03-%02d\nStatus: in_progress\n\n## Goal\n\n%s, step %d.\n\n## Done\n\n", title, day%28+1, title, n)
	for i := range 8 {
		fmt.Fprintf(&b, "- changed the checkout of order %d so that the total of line %d is rounded once\n", n*7+i, n*13+i)
	}
	fmt.Fprintf(&b, "\n## Next\n\n- test the token expiry of case %d\n", n)
	return b.String()
}

func realTemp(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// plainGit runs git in a folder without anybody's configuration, with in as its input.
func plainGit(tb testing.TB, dir string, in []byte, args ...string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env, cmd.Stdin = testkit.GitEnv(), bytes.NewReader(in)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}
