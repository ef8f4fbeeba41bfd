package index_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
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

// What several work trees of a repository have counts once, wherever the roots begin,
// and never goes missing: whatever was searched before, an index holds what one built
// from nothing holds.
func TestCopiesInWorkTrees(t *testing.T) {
	t.Parallel()
	const mine, copied = "app/docs/handoffs/a.md", "tree/docs/handoffs/a.md"
	root := func(h *house, rel string, exclude ...string) index.Root {
		return index.Root{Path: h.path(rel), Exclude: exclude}
	}
	cases := []struct {
		name  string
		roots func(*house) []index.Root
		want  string
	}{
		{"one root", func(h *house) []index.Root { return []index.Root{root(h, ".")} }, mine},
		{"main excluded", func(h *house) []index.Root { return []index.Root{root(h, ".", "app")} }, copied},
		{"file excluded", func(h *house) []index.Root { return []index.Root{root(h, "app", "docs/**"), root(h, "tree")} }, copied},
		{"file not included", func(h *house) []index.Root {
			return []index.Root{{Path: h.path("app"), Include: []string{"notes/**"}}, root(h, "tree")}
		}, copied},
		{"same root again", func(h *house) []index.Root {
			return []index.Root{root(h, "app", "docs/**"), root(h, "app"), root(h, "tree")}
		}, copied},
		{"two roots", func(h *house) []index.Root { return []index.Root{root(h, "app"), root(h, "tree")} }, mine},
		{"root in the tree", func(h *house) []index.Root { return []index.Root{root(h, "app"), root(h, "tree/docs")} }, mine},
		{"root in root", func(h *house) []index.Root { return []index.Root{root(h, ".", "tree/**"), root(h, "tree")} }, mine},
		{"root in main", func(h *house) []index.Root { return []index.Root{root(h, "app/docs"), root(h, ".", "app")} }, mine},
		{"tree alone", func(h *house) []index.Root { return []index.Root{root(h, "tree")} }, copied},
	}
	h := newHouse(t)
	refresh := func(roots []index.Root) (index.Report, []string) {
		h.now = h.now.Add(time.Minute)
		report, err := h.Refresh(h.t.Context(), roots, index.RefreshOptions{Prune: true})
		noErr(h.t, err)
		h.whole()
		list := []string{}
		for _, hit := range h.searchIn("*", roots).Hits {
			list = append(list, h.relative(hit.Path))
		}
		return report, list
	}
	h.write(mine, note("2026-02-01", "aaaa1111", "login", "go on"))
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(0), "app", "worktree", "add", "-q", "-b", "side", "../tree")
	var pairs [][2]int // of cases: a third of them has each three times as the first and as the second
	for from := range cases {
		for to := range cases {
			pairs = append(pairs, [2]int{from, to})
		}
	}
	for _, pair := range testkit.Some(pairs, 3) {
		from, to := cases[pair[0]], cases[pair[1]]
		t.Run(from.name+"/"+to.name, func(t *testing.T) {
			h.t, h.dir = t, filepath.Join(realTemp(t), "ix")
			h.reopen()
			if _, got := refresh(from.roots(h)); !slices.Equal(got, []string{from.want}) {
				t.Errorf("built: %v", got)
			}
			// What roots found that are searched no more is kept.
			_, got := refresh(to.roots(h))
			isKept := slices.ContainsFunc(index.PathsOf(from.roots(h)), func(path string) bool {
				return !slices.Contains(index.PathsOf(to.roots(h)), path)
			})
			if !slices.Contains(got, to.want) || !isKept && len(got) != 1 {
				t.Errorf("refreshed: %v, want %s", got, to.want)
			}
			if again, _ := refresh(to.roots(h)); again.Added+again.Updated+again.Removed != 0 {
				t.Errorf("refreshed again: %+v", again)
			}
		})
	}
}

// Large handoffs have copies, too.
func TestLargeCopyInWorkTree(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("app/HANDOFF.md", undated+strings.Repeat("word ", 60<<10))
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(0), "app", "worktree", "add", "-q", "-b", "side", "../tree")
	for range 3 {
		h.refresh()
		h.expect("*", "app/HANDOFF.md")
		h.now = h.now.Add(time.Minute)
	}
	h.write("app/HANDOFF.md", undated)
	h.refresh()
	h.expect("*", "app/HANDOFF.md", "tree/HANDOFF.md")
}

// A refresh that may leave files to the next one leaves none that are copies no more.
func TestCopiesAreNotLeftToTheNextRefresh(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("app/HANDOFF.md", undated)
	h.write("app/docs/handoffs/a.md", note("2026-02-01", "aaaa1111", "login", "go on"))
	h.write("app/docs/handoffs/b.md", note("2026-02-02", "bbbb2222", "logout", "go on"))
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(0), "app", "worktree", "add", "-q", "-b", "side", "../tree")
	tree := index.Root{Path: h.path("tree")}
	_, err := h.Refresh(t.Context(), []index.Root{{Path: h.path("app")}, tree}, index.RefreshOptions{})
	noErr(t, err)
	for range 2 {
		h.now = h.now.Add(time.Minute)
		report, err := h.Refresh(t.Context(), []index.Root{tree}, index.RefreshOptions{Only: tree.Path, Most: 1})
		noErr(t, err)
		if found := h.searchIn("*", []index.Root{tree}).Total; report.Left != 0 || found != 3 {
			t.Errorf("%d found, %d left", found, report.Left)
		}
	}
}

// A mark beside the handoff of the main work tree takes it out of the search; the copy
// is the handoff then.
func TestCopyOfAHandoffThatIsPassedOver(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("app/docs/handoffs/a.md", note("2026-02-01", "aaaa1111", "login", "go on"))
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(0), "app", "worktree", "add", "-q", "-b", "side", "../tree")
	h.refresh()
	h.expect("*", "app/docs/handoffs/a.md")
	for _, mark := range []string{"app/docs/handoffs/CACHEDIR.TAG", "app/docs/CACHEDIR.TAG", "app/SKILL.md"} {
		h.write(mark, "x")
		h.now = h.now.Add(time.Minute)
		h.refreshWith(index.RefreshOptions{Full: true})
		want := h.found("*")
		h.remove(mark)
		h.refreshWith(index.RefreshOptions{Full: true})
		h.expect("*", "app/docs/handoffs/a.md")
		h.write(mark, "x")
		h.now = h.now.Add(time.Minute)
		h.refresh()
		h.expect("*", want...)
		h.remove(mark)
	}
}
