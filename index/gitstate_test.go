package index_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

func (h *house) gitState(rel string) index.GitState {
	h.t.Helper()
	s, ok, err := index.ReadGit(h.t.Context(), h.path(rel), os.Getenv)
	if err != nil || !ok {
		h.t.Fatalf("no state: %v", err)
	}
	return s
}

func TestReadGit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.repository("shop", map[string]string{"a.go": "a", "b.go": "b", "src/c d.go": "c", "src/löwe.go": "d", ".gitignore": "*.log\n"})
	commit := h.gitIn("shop", "", "rev-parse", "HEAD")
	if diff := cmp.Diff(index.GitState{Branch: "main", Commit: commit}, h.gitState("shop")); diff != "" {
		t.Errorf("clean (-want +got):\n%s", diff)
	}
	h.write("shop/a.go", "aa")
	h.remove("shop/b.go")
	h.write("shop/src/c d.go", "cc")
	h.write("shop/src/löwe.go", "dd")
	h.gitIn("shop", "", "add", "src/löwe.go")
	h.write("shop/src/new/x.go", "x")
	h.write("shop/staged.go", "s")
	h.gitIn("shop", "", "add", "staged.go")
	h.write("shop/debug.log", "ignored")
	h.write("shop/line\nbreak.go", "left out")
	want := []parse.File{
		{Path: "a.go", Action: "modified"},
		{Path: "b.go", Action: "deleted"},
		{Path: "src/c d.go", Action: "modified"},
		{Path: "src/löwe.go", Action: "modified"},
		{Path: "staged.go", Action: "created"},
		{Path: "src/new/x.go", Action: "created"},
	}
	if diff := cmp.Diff(index.GitState{Branch: "main", Commit: commit, Changed: want}, h.gitState("shop")); diff != "" {
		t.Errorf("the work tree (-want +got):\n%s", diff)
	}
	want = []parse.File{{Path: "c d.go", Action: "modified"}, {Path: "löwe.go", Action: "modified"}, {Path: "new/x.go", Action: "created"}}
	if diff := cmp.Diff(want, h.gitState("shop/src").Changed); diff != "" {
		t.Errorf("a folder of it (-want +got):\n%s", diff)
	}
	h.gitIn("shop", "", "checkout", "-q", "--detach")
	if s := h.gitState("shop"); s.Branch != "" || s.Commit != commit {
		t.Errorf("detached: %q %q", s.Branch, s.Commit)
	}
}

func TestReadGitBeforeTheFirstCommit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.repository("other", map[string]string{"a.go": "a"}) // skips where there is no git
	h.write("new/x.go", "x")
	h.gitIn("new", "", "init", "-q", "-b", "trunk")
	want := index.GitState{Branch: "trunk", Changed: []parse.File{{Path: "x.go", Action: "created"}}}
	if diff := cmp.Diff(want, h.gitState("new")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadGitOutside(t *testing.T) {
	t.Parallel()
	dir := realTemp(t)
	if _, ok, err := index.ReadGit(t.Context(), dir, os.Getenv); ok || err != nil {
		t.Errorf("no repository: %v %v", ok, err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := index.ReadGit(t.Context(), dir, os.Getenv); ok || err == nil {
		t.Errorf("an empty .git: %v %v", ok, err)
	}
}

func TestReadGitIsBounded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.repository("shop", map[string]string{"a.go": "a"})
	for i := range 501 {
		h.write(fmt.Sprintf("shop/n/%03d", i), "")
	}
	if s := h.gitState("shop"); len(s.Changed) != 500 || !s.More || s.Branch != "main" {
		t.Errorf("%d files, more %v", len(s.Changed), s.More)
	}
}

// To compare a file with its commit git passes it through the filters that the
// repository names; here it must not.
func TestReadGitRunsNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.repository("shop", map[string]string{"a.go": "a", "b.go": "b", ".gitattributes": "a.go filter=x\nb.go filter=y.z\n"})
	trap := h.path("trap")
	run := filepath.Join(realTemp(t), "run")
	if err := os.WriteFile(run, []byte("#!/bin/sh\ntouch "+trap+"\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "filter.x.clean", "filter.x.smudge", "filter.x.process", "filter.y.z.clean", "diff.external", "alias.status"} {
		h.gitIn("shop", "", "config", key, run)
	}
	for _, key := range []string{"filter.x.required", "filter.y.z.required"} {
		h.gitIn("shop", "", "config", key, "true")
	}
	// The same size at another time: only its content tells that it changed.
	h.write("shop/a.go", "A")
	h.write("shop/b.go", "B")
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.Chtimes(h.path("shop/"+name), later, later); err != nil {
			t.Fatal(err)
		}
	}
	s := h.gitState("shop")
	if want := []parse.File{{Path: "a.go", Action: "modified"}, {Path: "b.go", Action: "modified"}}; !cmp.Equal(s.Changed, want) {
		t.Errorf("changed: %v", s.Changed)
	}
	if _, err := os.Lstat(trap); err == nil {
		t.Error("the repository ran a program")
	}
	h.gitIn("shop", "", "config", "filter.p=q.clean", run)
	_, _, err := index.ReadGit(t.Context(), h.path("shop"), os.Getenv)
	if err == nil || err.Error() != `git: the filter "p=q" cannot be disabled` {
		t.Errorf("a filter that cannot be named: %v", err)
	}
	git := exec.CommandContext(t.Context(), "git", "status")
	git.Dir = h.path("shop")
	_ = git.Run() // what the trap answers is no protocol of git's
	if _, err := os.Lstat(trap); err != nil {
		t.Error("git itself ran nothing: the test proves nothing")
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.write("shop/.git/HEAD", "")
	h.write("shop/HANDOFF.md", pear(1))
	o := index.Options{Archive: h.kept, Now: func() time.Time { return h.now }, Zone: time.UTC}
	keep := func(path string) {
		t.Helper()
		if err := index.ArchiveFile(o, h.roots(), index.RefreshOptions{}, path); err != nil {
			t.Error(err)
		}
	}
	h.refresh()
	h.writeAt("shop/HANDOFF.md", pear(2), time.Now().Add(time.Minute))
	keep(h.path("shop/HANDOFF.md"))
	h.writeAt("shop/HANDOFF.md", pear(3), time.Now().Add(2*time.Minute))
	h.refresh()
	h.expectGoals("pear", "pear 3", "pear 2", "pear 1")
	h.whole()

	before := len(h.archived())
	h.write("shop/main.go", "package main")
	for _, path := range []string{h.path("shop/main.go"), h.path("shop/none.md"), filepath.Join(realTemp(t), "HANDOFF.md")} {
		keep(path)
	}
	if got := len(h.archived()); got != before {
		t.Errorf("%d files in the archive, want %d", got, before)
	}
	o.Archive.Dir = ""
	keep(h.path("shop/HANDOFF.md"))
	if err := os.RemoveAll(h.kept.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.kept.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Archive.Dir = h.kept.Dir
	if err := index.ArchiveFile(o, h.roots(), index.RefreshOptions{}, h.path("shop/HANDOFF.md")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("an archive that is none: %v", err)
	}
}
