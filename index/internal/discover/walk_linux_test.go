package discover_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/testkit"
)

func TestWalkUnreadable(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "HANDOFF.md", "locked/HANDOFF.md", "listed/a-handoff.md", "listed/b-handoff.md", "readable/x-handoff.md", "open/handoffs/1.md")
	noErr(t, os.Chmod(root, 0o755))
	noErr(t, os.Chmod(filepath.Dir(root), 0o755))
	noErr(t, os.Chmod(filepath.Join(root, "locked"), 0))
	noErr(t, os.Chmod(filepath.Join(root, "listed"), 0o444)) // names can be read, nothing else
	noErr(t, os.Chmod(filepath.Join(root, "readable/x-handoff.md"), 0))
	t.Cleanup(func() {
		_ = os.Chmod(filepath.Join(root, "locked"), 0o755)
		_ = os.Chmod(filepath.Join(root, "listed"), 0o755)
	})
	var got []string
	var report discover.Report
	testkit.AsNobody(t, func() { got, report = walkRoot(t, discover.Root{Path: root}, discover.Options{}) })
	// A file that cannot be read is found: who reads it says why it is skipped.
	checkFound(t, got, "HANDOFF.md", "open/handoffs/1.md", "readable/x-handoff.md")
	want := []discover.Trouble{
		{Path: "listed", Reason: "permission denied", Shows: true}, {Path: "locked", Reason: "permission denied", Shows: true},
	}
	if diff := cmp.Diff(want, report.Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
}

func TestWalkPipe(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "meta/")
	noErr(t, unix.Mkfifo(filepath.Join(root, "meta/handoff.yaml"), 0o644))
	noErr(t, unix.Mkfifo(filepath.Join(root, "x-handoff.md"), 0o644))
	start := time.Now()
	got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got)
	want := []discover.Skip{{Path: "x-handoff.md", Reason: "it is a named pipe"}, {Path: "meta/handoff.yaml", Reason: "it is a named pipe"}}
	if diff := cmp.Diff(want, report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("the walk took %v", took)
	}
}

// A folder that is too deep, or has a longer path than the system takes, is left out and
// named.
func TestWalkAbyss(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "HANDOFF.md")
	fd, err := unix.Open(root, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	noErr(t, err)
	for range 3000 {
		noErr(t, unix.Mkdirat(fd, "d", 0o755))
		next, err := unix.Openat(fd, "d", unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		noErr(t, err)
		noErr(t, unix.Close(fd))
		fd = next
	}
	noErr(t, unix.Close(fd))
	got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "HANDOFF.md")
	if len(report.Troubles) > 0 || len(report.Skipped) != 1 || report.Skipped[0].Reason != "more than 64 folders deep" {
		t.Errorf("report %v", report)
	}
	got, report = walkRoot(t, discover.Root{Path: root}, discover.Options{MaxDepth: 5000})
	checkFound(t, got, "HANDOFF.md")
	if len(report.Troubles) > 0 || len(report.Skipped) != 1 || report.Skipped[0].Reason != "file name too long" {
		t.Errorf("report %v", report)
	}
}

func TestWalkTooManyOpenFiles(t *testing.T) {
	root := makeTree(t, "a/HANDOFF.md", "HANDOFF.md")
	var old unix.Rlimit
	noErr(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &old))
	low, err := os.Open(root) // the next number there is
	noErr(t, err)
	next := uint64(low.Fd())
	noErr(t, low.Close())
	noErr(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: next, Max: old.Max}))
	_, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	noErr(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &old))
	if diff := cmp.Diff([]discover.Trouble{{Path: ".", Reason: "too many open files"}}, report.Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
}

func TestWalkLeaksNothing(t *testing.T) { // not parallel: it counts the open files of the process
	root := makeTree(t, "HANDOFF.md", "link.md -> HANDOFF.md", "dir/")
	count := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		noErr(t, err)
		return len(names)
	}
	before := count()
	for range 50 {
		for _, name := range []string{"HANDOFF.md", "link.md", "dir", "gone"} {
			_, _, _ = fsx.ReadFile(filepath.Join(root, name), 3)
		}
		_, _ = walkRoot(t, discover.Root{Path: root}, discover.Options{})
	}
	if after := count(); after != before {
		t.Errorf("%d files are open, before it were %d", after, before)
	}
}
