package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

// A desk is a project and a home for processes that write handoffs.
type desk struct {
	project, home string
	env           []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{project: filepath.Join(base, "shop"), home: filepath.Join(base, "home")}
	d.env = []string{
		"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TMPDIR=" + base, "HANDEX_NOW=2026-02-10T12:00:00Z", "HANDEX_ROOTS=" + d.project,
	}
	for _, dir := range []string{d.project, d.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// put writes a file of the project.
func (d *desk) put(t *testing.T, rel, text string) {
	t.Helper()
	path := filepath.Join(d.project, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// command is the program as a process of its own.
func (d *desk) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("handex")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = d.project, d.env
	return cmd
}

// must runs the program and answers what it wrote.
func (d *desk) must(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := d.command(t, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("handex %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(stdout.String())
}

// Updates at the same time lose nothing of each other.
func TestConcurrentUpdates(t *testing.T) {
	t.Parallel()
	const writers = 8
	d := newDesk(t)
	file := filepath.Join(d.project, ".flow-guardian", "handoff.yaml")
	d.put(t, ".git/HEAD", "")
	for round := range testkit.Rounds(t, 3, 200) {
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() { d.must(t, "update", fmt.Sprintf("key%d=round %d", i, round)) })
		}
		all.Wait()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range writers {
			if line := fmt.Sprintf("\nkey%d: \"round %d\"\n", i, round); strings.Count(string(text), line) != 1 {
				t.Fatalf("round %d: %q is lost:\n%s", round, line, text)
			}
		}
		if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
			t.Fatalf("round %d: the folder holds %v", round, entries)
		}
	}
}

var handoffName = regexp.MustCompile(`^2026-02-10-1200(-[0-9]{4})?\.xml$`)

// Saves at the same time lose none, and no reader sees a part of one or a link
// that leads nowhere.
func TestConcurrentSaves(t *testing.T) {
	t.Parallel()
	const writers = 8
	d := newDesk(t)
	each := testkit.Rounds(t, 3, 100)
	d.put(t, ".act/config.yaml", "handoff:\n  maxFiles: 1000\n")
	folder := filepath.Join(d.project, ".act", "handoffs")
	var all sync.WaitGroup
	var done atomic.Bool
	var reads, torn, dangling atomic.Int64
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for !done.Load() {
			watchSaves(folder, &reads, &torn, &dangling)
		}
	}()
	var written sync.Map
	for i := range writers {
		all.Go(func() {
			for j := range each {
				name := filepath.Base(d.must(t, "write", "--as", "act", "--save", "--set", "session=s", "--set", fmt.Sprintf("goal=task %d %d", i, j),
					"--section", "done=- x", "--section", "next=- y", "--section", "state=z"))
				if !handoffName.MatchString(name) {
					t.Errorf("saved as %q", name)
				}
				if _, twice := written.LoadOrStore(name, true); twice {
					t.Errorf("%s was given twice", name)
				}
			}
		})
	}
	all.Wait()
	done.Store(true)
	<-watched
	t.Logf("%d saves, %d reads", writers*each, reads.Load())
	if torn.Load()+dangling.Load() > 0 || reads.Load() < int64(each) {
		t.Errorf("%d reads: %d torn, %d of a link that leads nowhere", reads.Load(), torn.Load(), dangling.Load())
	}
	expectTasks(t, folder, writers, each)

	// Retention: the newest stay, and what the link leads to.
	d.put(t, ".act/config.yaml", "handoff:\n  maxFiles: 3\n")
	last := filepath.Base(d.must(t, "write", "--as", "act", "--save", "--set", "session=s", "--set", "goal=last", "--section", "done=- x", "--section", "next=- y", "--section", "state=z"))
	total := writers * each
	want := []string{fmt.Sprintf("2026-02-10-1200-%04d.xml", total-2), fmt.Sprintf("2026-02-10-1200-%04d.xml", total-1), last, "latest.xml"}
	if got := names(t, folder); !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
}

// watchSaves reads the newest handoff as others do.
func watchSaves(folder string, reads, torn, dangling *atomic.Int64) {
	text, err := os.ReadFile(filepath.Join(folder, "latest.xml"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if reads.Load() > 0 {
			dangling.Add(1)
		}
		return
	case !strings.HasSuffix(string(text), "</context_handoff>\n"):
		torn.Add(1)
	}
	reads.Add(1)
}

// expectTasks finds every task that was saved, once.
func expectTasks(t *testing.T, folder string, writers, each int) {
	t.Helper()
	seen := map[string]int{}
	for _, name := range names(t, folder) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`task \d+ \d+`).Find(text); name != "latest.xml" {
			seen[string(m)]++
		}
	}
	for i := range writers {
		for j := range each {
			if key := fmt.Sprintf("task %d %d", i, j); seen[key] != 1 {
				t.Errorf("%q is there %d times", key, seen[key])
			}
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d handoffs, want %d", len(seen), writers*each)
	}
}

// names lists a folder, hidden files too.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
