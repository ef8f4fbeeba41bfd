package index_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"handex/index"
	"handex/index/testkit"
)

func TestWorkTreeIsReadFromFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	base := resolved(t, t.TempDir())
	app := filepath.Join(base, "app")
	noErr(t, os.MkdirAll(app, 0o755))
	testkit.Git(t, app, "init", "-q", "-b", "trunk")
	testkit.Git(t, app, "commit", "-q", "--allow-empty", "-m", "one")
	testkit.Git(t, app, "worktree", "add", "-q", "-b", "feature/x", "../tree")
	tree := filepath.Join(base, "tree")
	testkit.Git(t, tree, "commit", "-q", "--allow-empty", "-m", "two")

	if w := index.FindWorkTree(base); w != nil {
		t.Errorf("%s is in %+v", base, w)
	}
	noErr(t, os.MkdirAll(filepath.Join(tree, "docs"), 0o755))
	w := index.FindWorkTree(filepath.Join(tree, "docs"))
	if w == nil || w.Top != tree || w.Branch != "feature/x" || w.InMain(filepath.Join(tree, "docs")) != filepath.Join(app, "docs") {
		t.Fatalf("%+v", w)
	}
	moves, whole := w.Moves(time.Now().Add(-time.Hour))
	if whole || len(moves) != 2 || moves[0].Kind != "commit" {
		t.Errorf("%+v, whole %v", moves, whole)
	}
	// The log of a new work tree begins with it, so git is asked.
	if n, ok := w.CommitsSince(t.Context(), time.Now().Add(-time.Hour), os.Getenv); n != 2 || !ok {
		t.Errorf("%d commits, %v", n, ok)
	}
	if n, ok := w.CommitsSince(t.Context(), time.Now().Add(time.Hour), os.Getenv); n != 0 || !ok {
		t.Errorf("%d commits, %v", n, ok)
	}
	m := index.FindWorkTree(app)
	if m.Branch != "trunk" || m.InMain(app) != app {
		t.Errorf("%+v", m)
	}
}

// Commits are counted without git where the log tells.
func TestCommitsAreCountedFromTheLog(t *testing.T) {
	t.Parallel()
	dir := resolved(t, t.TempDir())
	hash := strings.Repeat("1", 40)
	var log strings.Builder
	for _, at := range []string{"1700000000", "1700000100", "1700000200"} {
		log.WriteString(hash + " " + hash + " A B <a@example.com> " + at + " +0100\tcommit: say\tit\n")
	}
	noErr(t, os.MkdirAll(filepath.Join(dir, ".git", "logs"), 0o755))
	noErr(t, os.WriteFile(filepath.Join(dir, ".git", "logs", "HEAD"), []byte(log.String()), 0o600))
	w := index.FindWorkTree(dir)
	none := func(string) string { return "" }
	for since, want := range map[int64]int{1700000050: 2, 1700000150: 1, 1700000300: 0} {
		if n, ok := w.CommitsSince(context.Background(), time.Unix(since, 0), none); n != want || !ok {
			t.Errorf("since %d: %d, %v", since, n, ok)
		}
	}
	// It does not say what was before.
	if n, ok := w.CommitsSince(context.Background(), time.Unix(1600000000, 0), none); ok {
		t.Errorf("%d commits", n)
	}
}

// What was committed here in one work tree is own in all of them; what came with the
// clone is foreign in all of them.
func TestForeignInWorkTrees(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	base := resolved(t, t.TempDir())
	write := func(path string) {
		noErr(t, os.MkdirAll(filepath.Dir(filepath.Join(base, path)), 0o755))
		noErr(t, os.WriteFile(filepath.Join(base, path), []byte("# Handoff\n\n"+path+"\n"), 0o600))
	}
	commit := func(dir string) {
		testkit.Git(t, filepath.Join(base, dir), "add", "-A")
		testkit.Git(t, filepath.Join(base, dir), "commit", "-q", "-m", "more")
	}
	write("theirs/docs/handoffs/theirs.md")
	testkit.Git(t, filepath.Join(base, "theirs"), "init", "-q")
	commit("theirs")
	testkit.Git(t, base, "clone", "-q", "theirs", "mine")
	write("mine/docs/handoffs/main.md")
	commit("mine")
	testkit.Git(t, filepath.Join(base, "mine"), "worktree", "add", "-q", "-b", "side", "../side")
	write("side/docs/handoffs/side.md")
	commit("side")
	testkit.Git(t, filepath.Join(base, "side"), "worktree", "add", "-q", "-b", "third", "../third")
	for tree, names := range map[string][]string{"mine": {"main"}, "side": {"main", "side"}, "third": {"main", "side"}} {
		var list []index.Summary
		for _, name := range append(names, "theirs") {
			list = append(list, index.Summary{ID: name, Path: filepath.Join(base, tree, "docs/handoffs", name+".md")})
		}
		if diff := cmp.Diff(map[string]bool{"theirs": true}, index.Foreign(t.Context(), list, os.Getenv)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tree, diff)
		}
	}
}
