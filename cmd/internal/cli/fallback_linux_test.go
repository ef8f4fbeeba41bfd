package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A place is where a machine's index is kept, on a file system of its own.
type place struct {
	*machine
	t     *testing.T
	dir   string // mounted
	index string
}

// newPlace mounts a file system of a size, and has three handoffs to find.
func newPlace(t *testing.T, size string) *place {
	t.Helper()
	p := &place{machine: newMachine(t), t: t, dir: t.TempDir()}
	err := syscall.Mount("none", p.dir, "tmpfs", 0, "size="+size)
	if errors.Is(err, syscall.EPERM) {
		t.Skip("only root may mount file systems")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(p.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	p.index = filepath.Join(p.dir, "index")
	p.env["HANDEX_ROOTS"] = p.work
	for i := range 3 {
		p.write(i)
	}
	return p
}

// write writes handoff i.
func (p *place) write(i int) {
	p.t.Helper()
	dir := filepath.Join(p.work, ".claude", "handoffs", "-work-shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	text := fmt.Sprintf("# Handoff — 2026-02-0%d\n\nsession_id: aaaa000%d\npurpose: token\n", i+1, i)
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("aaaa000%d.md", i)), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// search finds so many handoffs, and says on the standard error what fits want.
func (p *place) search(hits int, want string) {
	p.t.Helper()
	out := p.must(p.t, 0, "search", "--ids", "--index", p.index, "token")
	if got := strings.Count(out.stdout, "h_"); got != hits {
		p.t.Errorf("%d handoffs, want %d:\n%s", got, hits, out.stdout)
	}
	if !regexp.MustCompile("^" + want + "$").MatchString(out.stderr) {
		p.t.Errorf("standard error: %q, want %q", out.stderr, want)
	}
}

// names lists the folder of the index.
func (p *place) names() []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.index)
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (p *place) remount(flags uintptr) {
	p.t.Helper()
	if err := syscall.Mount("none", p.dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
		p.t.Fatal(err)
	}
}

// fill leaves no space.
func (p *place) fill() (undo func()) {
	p.t.Helper()
	path := filepath.Join(p.dir, "full")
	f, err := os.Create(path)
	if err != nil {
		p.t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		p.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		p.t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			p.t.Error(err)
		}
	}
}

const anew = "handex: note: refresh index .*: no space is left for the index .*; for this run, all files are read again\n"

// With no space for an index the answer comes from one for the run, and nothing
// half is left.
func TestNoSpaceForTheFirstIndex(t *testing.T) {
	for _, size := range []string{"16k", "64k", "80k"} {
		t.Run(size, func(t *testing.T) {
			p := newPlace(t, size)
			p.search(3, anew)
			p.search(3, anew)
			for _, name := range p.names() {
				if name != "index.lock" {
					t.Errorf("%s was left behind", name)
				}
			}
		})
	}
}

// With no space for what is new the old index answers, and goes on when there is
// space again.
func TestNoSpaceForANewHandoff(t *testing.T) {
	p := newPlace(t, "1m")
	p.search(3, "")
	undo := p.fill()
	p.search(3, "")
	p.write(3)
	p.search(3, "handex: note: refresh index .*: no space is left for the index .*; the results are from the index as it was .*\n")
	undo()
	p.search(4, "")
	if out := p.must(t, 0, "search", "--ids", "--no-refresh", "--index", p.index, "token"); strings.Count(out.stdout, "h_") != 4 {
		t.Errorf("the index was not written: %q", out.stdout)
	}
}

// A damaged index that cannot be built anew does not stop the answer.
func TestNoSpaceForAnotherIndex(t *testing.T) {
	p := newPlace(t, "1m")
	p.search(3, "")
	paths, err := filepath.Glob(filepath.Join(p.index, "index-*.db"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte(strings.ReplaceAll(string(b), "aaaa0001", "aaaa0009")), 0o600); err != nil {
		t.Fatal(err)
	}
	p.write(3)
	undo := p.fill()
	p.search(4, "(handex: note: .*\n)+")
	undo()
	p.search(4, "")
}

// What cannot be written is read; where there is nothing to read, all is read
// anew.
func TestReadOnlyPlace(t *testing.T) {
	p := newPlace(t, "1m")
	p.remount(syscall.MS_RDONLY)
	p.search(3, "handex: note: .* cannot be written; for this run, all files are read again\n")
	p.remount(0)
	p.search(3, "")
	p.remount(syscall.MS_RDONLY)
	p.write(3)
	p.search(3, "handex: note: .* cannot be written; the results are from the index as it is\n")
	p.remount(0)
	p.search(4, "")
}

// A process that runs out of open files loses no handoff and writes no wrong
// index.
func TestFewOpenFiles(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	p := &place{machine: m, t: t}
	for i := range 3 {
		p.write(i)
	}
	env := append(os.Environ(), "HOME="+m.home, "HANDEX_ROOTS="+m.work, "HANDEX_INDEX="+filepath.Join(m.home, "ix"), "HANDEX_NOW=2026-02-10T12:00:00Z")
	run := func(limit int, args ...string) (string, string, error) {
		var stdout, stderr strings.Builder
		cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d; exec -a handex "$0" "$@"`, limit), self}, args...)...)
		cmd.Path, cmd.Args[0] = "/bin/bash", "bash"
		cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = env, m.work, &stdout, &stderr
		err := cmd.Run()
		return stdout.String(), stderr.String(), err
	}
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("bash gives a process another name")
	}
	if out, stderr, err := run(256, "search", "--ids", "token"); err != nil || strings.Count(out, "h_") != 3 {
		t.Fatalf("%q %q %v", out, stderr, err)
	}
	answered, failed := 0, 0
	for limit := 4; limit <= 40; limit += 2 {
		for _, args := range [][]string{{"search", "--ids", "token"}, {"index", "--full"}} {
			out, stderr, err := run(limit, args...)
			switch {
			case err != nil && stderr == "":
				t.Errorf("%d files, %s: %v and not a word", limit, args, err)
			case err != nil:
				failed++
			case args[0] == "search" && strings.Count(out, "h_") != 3:
				t.Errorf("%d files, %s: %q %q", limit, args, out, stderr)
			default:
				answered++
			}
			if out, stderr, err := run(256, "search", "--no-refresh", "--ids", "token"); err != nil || strings.Count(out, "h_") != 3 {
				t.Fatalf("after %d files, %s: %q %q %v", limit, args, out, stderr, err)
			}
		}
	}
	if answered == 0 || failed == 0 {
		t.Errorf("%d runs answered and %d failed: the limits test nothing", answered, failed)
	}
}

// An index that cannot be written does not make a session wait for what it lacks.
func TestBriefFromAReadOnlyPlace(t *testing.T) {
	p := newPlace(t, "4m")
	p.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	p.search(3, "")
	p.remount(syscall.MS_RDONLY)
	p.save(t, "HANDOFF.md", handoffText)
	out, _ := p.briefed(t, strings.NewReader(""), "--timeout", "20s", "--index", p.index)
	if !strings.Contains(out.stdout, "│- Write the price rules") || out.stderr != "handex: note: refresh index: "+p.index+" cannot be written"+anewForThis {
		t.Errorf("%+v", out)
	}
}
