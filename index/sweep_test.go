package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
)

// sweeping skips where folders are listed each time.
func sweeping(t *testing.T) {
	t.Helper()
	if !index.TellsChanges(t.TempDir()) {
		t.Skip("folders of this file system are not relied on")
	}
}

// looks is how often a refresh read the first bytes of a file to decide.
func (h *house) looks(o index.RefreshOptions) int64 {
	h.t.Helper()
	_, peeked := index.CountLooks(&o)
	h.refreshWith(o)
	return int64(*peeked)
}

// listings is how often a refresh lists a folder.
func (h *house) listings(o index.RefreshOptions) int64 {
	h.t.Helper()
	listed, _ := index.CountLooks(&o)
	h.refreshWith(o)
	return int64(*listed)
}

// A version of the program that may have other rules lists the folders it comes by
// once, whether it looks at all of them or at those of one project.
func TestAnotherVersionListsFoldersOnce(t *testing.T) {
	sweeping(t)
	h := newHouse(t)
	h.write("code/shop/docs/handoffs/2026-02-01-a.md", note("2026-02-01", "aaaa1111", "login form", "test"))
	h.write("code/bank/docs/handoffs/2026-02-02-b.md", note("2026-02-02", "bbbb2222", "login page", "write"))
	shop := index.RefreshOptions{Only: h.path("code/shop")}
	h.refresh()
	for _, s := range []struct {
		name, program string
		o             index.RefreshOptions
		listings      int64
	}{
		{"as it is", "", shop, 0},
		{"one project by another version", "2", shop, 3},
		{"the same again", "2", shop, 0},
		{"all by that version", "2", index.RefreshOptions{}, 5}, // the root is listed each time
		{"all again", "2", index.RefreshOptions{}, 1},
		{"the other project by that version", "2", index.RefreshOptions{Only: h.path("code/bank")}, 0},
		{"all by the first version", "", index.RefreshOptions{}, 8},
		{"a project after that", "", shop, 0},
	} {
		h.program = s.program
		h.reopen()
		if got := h.listings(s.o); got != s.listings {
			t.Errorf("%s: %d folders are listed, want %d", s.name, got, s.listings)
		}
		h.expect("login", "code/shop/docs/handoffs/2026-02-01-a.md", "code/bank/docs/handoffs/2026-02-02-b.md")
	}
	h.whole()
}

// A file with the name of a handoff and another text is looked into when it is
// new, when it changes and when everything is read anew.
func TestStraysAreLookedIntoOnce(t *testing.T) {
	sweeping(t)
	h := twoNotes(t)
	stray, other := "docs/sessions/cookies.md", "docs/sessions/cakes.md"
	h.write(stray, "# Sessions\n\n## Usage\n\nCookies keep the session.\n")
	h.write(other, "# Cakes\n\n## Usage\n\nEat them.\n")
	steps := []struct {
		name   string
		change func()
		full   bool
		looks  int64
		finds  []string
	}{
		{"new", func() {}, false, 2, nil},
		{"nothing", func() {}, false, 0, nil},
		{"a neighbour comes", func() { h.write("docs/sessions/notes.go", "package notes\n") }, false, 0, nil},
		{"it changes", func() { h.write(other, "# Cakes\n\n## Usage\n\nBake them.\n") }, false, 1, nil},
		{"nothing again", func() {}, false, 0, nil},
		{"it becomes a handoff", func() { h.write(stray, noteText) }, false, 1, []string{stray}},
		{"it stays one", func() {}, false, 0, []string{stray}},
		{"it is one no more", func() { h.write(stray, "# Sessions\n\n## Usage\n\nNone.\n") }, false, 1, nil},
		{"all anew", func() {}, true, 2, nil},
		{"nothing after that", func() {}, false, 0, nil},
	}
	for _, s := range steps {
		s.change()
		if got := h.looks(index.RefreshOptions{Full: s.full}); got != s.looks {
			t.Errorf("%s: %d looks, want %d", s.name, got, s.looks)
		}
		h.expect("merge", s.finds...)
		h.whole()
	}
}

// Links are followed each time, wherever what they lead to is.
func TestLinksAreFollowedAnew(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	link := h.path("shop/HANDOFF.md")
	h.write("plans/today.txt", note("2026-02-07", "dddd4444", "checkout", "ship it"))
	h.write("plans/later.txt", note("2026-02-08", "eeee5555", "checkout", "send it"))
	noErr(t, os.MkdirAll(filepath.Dir(link), 0o755))
	steps := []struct {
		name, to string
		finds    []string
		skipped  []index.Skip
	}{
		{"new", "../plans/today.txt", []string{"plans/today.txt"}, nil},
		{"another target", "../plans/later.txt", []string{"plans/later.txt"}, nil},
		{"no target", "../plans/never.txt", nil, []index.Skip{{Path: link, Reason: "a broken symbolic link: no such file or directory"}}},
		{"to a handoff", "../" + one, nil, nil},
		{"back", "../plans/today.txt", []string{"plans/today.txt"}, nil},
		{"gone", "", nil, nil},
	}
	for _, s := range steps {
		_ = os.Remove(link)
		if s.to != "" {
			noErr(t, os.Symlink(s.to, link))
		}
		for range 2 {
			report := h.refresh()
			if diff := cmp.Diff(s.skipped, report.Skipped); diff != "" {
				t.Errorf("%s: skipped (-want +got):\n%s", s.name, diff)
			}
			h.expect("checkout", s.finds...)
			h.expect("login", one, two)
		}
		h.whole()
	}
	// What a link leads to comes and goes without the link's folder changing.
	noErr(t, os.Symlink("../plans/never.txt", link))
	h.refresh()
	h.write("plans/never.txt", note("2026-02-09", "ffff6666", "checkout", "stop it"))
	h.refresh()
	h.expect("checkout", "plans/never.txt")
	h.remove("plans/never.txt")
	h.refresh()
	h.expect("checkout")
}

// Of a root without handoffs the folders are kept if there are many.
func TestLargeRootWithoutHandoffs(t *testing.T) {
	t.Parallel()
	for folders, want := range map[int]int{50: 0, 150: 151} {
		h := newHouse(t)
		for i := range folders - 1 {
			h.write(fmt.Sprintf("src/p%d/x.go", i), "package x\n")
		}
		for range 2 {
			if report := h.refresh(); report.Files != 0 || len(report.Troubles) > 0 {
				t.Errorf("%d folders: %+v", folders, report)
			}
		}
		if got := len(rawRows(t, statusPath(h), "SELECT id FROM folder")); got != want {
			t.Errorf("%d folders: %d rows, want %d", folders, got, want)
		}
		h.write("src/p7/HANDOFF.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
		if report := h.refresh(); report.Added != 1 {
			t.Errorf("%d folders: %+v", folders, report)
		}
		h.expect("checkout", "src/p7/HANDOFF.md")
		h.whole()
	}
}

// What a root takes can change without its folders changing.
func TestPatternsChange(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.write("notes/a.txt", noteText)
	third := []string{"notes/a.txt"}
	steps := []struct {
		name             string
		include, exclude []string
		finds            []string
	}{
		{"the known ones", nil, nil, []string{one, two}},
		{"some", []string{"**/*.txt"}, nil, third},
		{"all", []string{"**"}, nil, []string{one, two, "notes/a.txt"}},
		{"all but some", []string{"**"}, []string{"**/bbbb*"}, []string{one, "notes/a.txt"}},
		{"all but a folder", []string{"**"}, []string{".claude"}, third},
		{"the known ones again", nil, nil, []string{one, two}},
	}
	for _, s := range steps {
		roots := []index.Root{{Path: h.root, Include: s.include, Exclude: s.exclude}}
		for range 2 {
			if _, err := h.Refresh(t.Context(), roots, index.RefreshOptions{}); err != nil {
				t.Fatal(err)
			}
			h.expect("*", s.finds...)
		}
		h.whole()
	}
}
