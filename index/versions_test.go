package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

// logs are contents of a file that keeps some entries from one session to the next.
var logs = []string{logOf(3, 2, 1), logOf(4, 3, 2), logOf(4, 3, 1), logOf(8, 7, 6)}

// logOf is a log with entries of days in February 2026.
func logOf(days ...int) string {
	text := "# Session handoff\n\n"
	for _, day := range days {
		text += fmt.Sprintf("## 2026-02-%02d\n\n### Done\n\n- piece %d of the wall\n\n### Next\n\n- paint\n\n", day, day)
	}
	return text
}

// However the archive and the files changed, and whoever else filled it, a refresh
// finds the versions that a build finds.
func TestVersionsAreThoseOfABuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds some hundred indexes")
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newArchive(t)
		h.inner = []index.Root{{Path: h.path("shop")}}
		h.makeFolders(rt)
		other := h.beside()
		for range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			for range rapid.IntRange(1, 4).Draw(rt, "changes") {
				h.stepArchive(rt, other)
			}
			h.now = h.now.Add(time.Second)
			h.refreshSome(rt)
		}
		h.refreshWith(index.RefreshOptions{Prune: true})
		got := h.dump()
		h.refreshWith(index.RefreshOptions{Full: true, Prune: true})
		built := h.dump()
		if diff := got.Compare(built); diff != "" {
			rt.Fatalf("the refreshed index differs (-built +refreshed):\n%s", diff)
		}
		h.refreshWith(index.RefreshOptions{Prune: true})
		if diff := h.dump().Compare(built); diff != "" {
			rt.Fatalf("the index changes by itself (-built +refreshed):\n%s", diff)
		}
	})
}

// stepArchive changes one thing on the disk or in the archive.
func (h *house) stepArchive(rt *rapid.T, other *house) {
	switch rapid.SampledFrom([]string{"log", "log", "log", "other", "lose", "anything"}).Draw(rt, "kind") {
	case "log":
		day := time.Date(2026, 2, rapid.IntRange(1, 9).Draw(rt, "day"), 12, 0, 0, 0, time.UTC)
		path := rapid.SampledFrom([]string{"bank/HANDOFF.md", "shop/HANDOFF.md"}).Draw(rt, "log")
		if info, err := os.Lstat(h.path(path)); err == nil && !info.Mode().IsRegular() {
			h.remove(path)
		}
		h.writeAt(path, rapid.SampledFrom(logs).Draw(rt, "text"), day)
	case "other":
		other.now = h.now
		other.refresh()
	case "lose":
		if names := h.archived(); len(names) > 0 {
			noErr(h.t, os.Remove(rapid.SampledFrom(names).Draw(rt, "copy")))
		}
	case "anything":
		h.step(rt)
	}
}

// beside is another index of the same house, with the same archive.
func (h *house) beside() *house {
	h.t.Helper()
	other := &house{t: h.t, root: h.root, dir: filepath.Join(realTemp(h.t), "ix"), now: h.now, zone: h.zone, inner: h.inner, kept: h.kept}
	other.reopen()
	return other
}

// entries answers the days of all entries, the newest first, and which are of
// earlier versions.
func (h *house) entries() string {
	h.t.Helper()
	var list []string
	for _, hit := range h.search("* limit:0").Hits {
		of := ""
		if hit.VersionOf != "" {
			of = "*"
		}
		list = append(list, fmt.Sprint(hit.Date.Day(), of))
	}
	return strings.Join(list, " ")
}

// What a version still has of a log depends on what came after it, also if that
// turns up later.
func TestVersionComesBetween(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	const log = "wall/HANDOFF.md"
	h.overwrite(log, logs[0], logs[1])
	hidden := filepath.Join(realTemp(t), "hidden")
	copyDir(t, h.kept.Dir, hidden)
	h.writeAt(log, logs[3], h.now)
	for _, path := range h.archived() {
		if text, err := os.ReadFile(path); err == nil && string(text) == logs[1] {
			noErr(t, os.Remove(path))
		}
	}
	h.refresh()
	if got := h.entries(); got != "8 7 6 3* 2* 1*" {
		t.Errorf("one version: %s", got)
	}
	noErr(t, os.CopyFS(filepath.Join(h.kept.Dir, "more"), os.DirFS(hidden)))
	more, err := filepath.Glob(filepath.Join(h.kept.Dir, "more", "*"))
	noErr(t, err)
	for _, path := range more {
		noErr(t, os.Rename(path, filepath.Join(h.kept.Dir, filepath.Base(path))))
	}
	for range 2 {
		h.refresh()
		if got := h.entries(); got != "8 7 6 4* 3* 2* 1*" {
			t.Errorf("and one that came between: %s", got)
		}
	}
	for _, row := range rawRows(t, statusPath(h), "SELECT deps FROM file WHERE version_of <> ''") {
		if !index.OnlySuccessor(row.Text("deps")) {
			t.Errorf("a version depends on %s", row.Text("deps"))
		}
	}
	versions := rawRows(t, statusPath(h), "SELECT count(*) AS n FROM handoff WHERE earlier = 1")
	if got := fmt.Sprint(versions[0]["n"]); got != "4" {
		t.Errorf("%s entries of versions, want 4", got)
	}
}

// A refresh of one project leaves what the archive has of others to the next of all.
func TestPartLeavesVersionsOfOthers(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite("shop/HANDOFF.md", logs[0])
	other := h.beside()
	other.overwrite("till/HANDOFF.md", logs[0], logs[3])
	h.remove("till/HANDOFF.md")
	h.write("shop/HANDOFF.md", logs[1]) // which is kept
	h.refreshWith(index.RefreshOptions{Only: h.path("shop")})
	if got, want := h.entries(), "4 3 2 1*"; got != want {
		t.Errorf("the part: %s, want %s", got, want)
	}
	h.refresh()
	if got, want := h.entries(), "8* 7* 6* 4 3 3* 2 2* 1* 1*"; got != want {
		t.Errorf("the whole: %s, want %s", got, want)
	}
}

// A refresh of one project that is to know of no archive takes its versions away
// until there is one again.
func TestPartWithoutTheArchive(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite("shop/HANDOFF.md", logs[0], logs[3])
	h.overwrite("till/HANDOFF.md", logs[0], logs[3])
	const all = "8 8 7 7 6 6 3* 3* 2* 2* 1* 1*"
	kept := h.kept
	for _, c := range []struct {
		dir  string
		only string
		want string
	}{{"", "shop", "8 8 7 7 6 6 3* 2* 1*"}, {"", "shop", "8 8 7 7 6 6 3* 2* 1*"}, {kept.Dir, "", all}, {kept.Dir, "", all}, {"", "", "8 8 7 7 6 6"}, {kept.Dir, "", all}} {
		h.kept.Dir = c.dir
		h.reopen()
		o := index.RefreshOptions{}
		if c.only != "" {
			o.Only = h.path(c.only)
		}
		report := h.refreshWith(o)
		if got := h.entries(); got != c.want || report.Versions != strings.Count(c.want, "*") || report.Handoffs != strings.Count(c.want, " ")+1 {
			t.Errorf("%+v: %s, %+v", c, got, report)
		}
	}
}

// Another root may take in what nothing but the archive knows of.
func TestNewRootTakesVersionsOfFilesThatAreGone(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite("till/HANDOFF.md", logs[0], logs[3])
	h.remove("till/HANDOFF.md")
	h.write("shop/HANDOFF.md", logs[1])
	noErr(t, os.RemoveAll(h.dir))
	h.reopen()
	shop := []index.Root{{Path: h.path("shop")}}
	for _, c := range []struct {
		roots []index.Root
		want  string
	}{{shop, "4 3 2"}, {append(shop, index.Root{Path: h.path("till")}), "8* 7* 6* 4 3* 3 2* 2 1*"}, {shop, "8* 7* 6* 4 3* 3 2* 2 1*"}} {
		for range 2 {
			if _, err := h.Refresh(t.Context(), c.roots, index.RefreshOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := h.entries(); got != c.want {
				t.Errorf("%v: %s, want %s", c.roots, got, c.want)
			}
		}
	}
}
