package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

const (
	one = ".claude/handoffs/-work-shop/aaaa1111.md"
	two = ".claude/handoffs/-work-shop/bbbb2222.md"
)

func twoNotes(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "test the token expiry"))
	h.write(two, note("2026-02-03", "bbbb2222", "login page", "write the migration"))
	want := index.Report{Files: 2, Added: 2, Handoffs: 2}
	if diff := cmp.Diff(want, h.refresh(), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
		t.Fatalf("first refresh (-want +got):\n%s", diff)
	}
	return h
}

// Each case changes a house of two handoffs and says what the next refresh
// reports and what is found afterwards; then nothing may be left to do.
func TestRefresh(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(*house)
		want   index.Report
		finds  map[string][]string
	}{
		{
			"nothing", func(*house) {},
			index.Report{Files: 2, Unchanged: 2, Handoffs: 2},
			map[string][]string{"login": {one, two}, "token": {one}},
		},
		{
			"add", func(h *house) {
				h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
			},
			index.Report{Files: 3, Added: 1, Unchanged: 2, Handoffs: 3},
			map[string][]string{"checkout": {".claude/handoffs/-work-shop/cccc3333.md"}, "login": {one, two}},
		},
		{
			"edit", func(h *house) {
				h.write(one, note("2026-02-01", "aaaa1111", "login form", "rotate the keys"))
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": nil, "rotate": {one}, "login": {one, two}},
		},
		{
			"edit of equal size and mtime", func(h *house) {
				info, err := os.Stat(h.path(one))
				if err != nil {
					h.t.Fatal(err)
				}
				h.writeAt(one, note("2026-02-01", "aaaa1111", "login form", "test the badge expiry"), info.ModTime())
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": nil, "badge": {one}},
		},
		{
			"touch", func(h *house) {
				at := time.Date(2026, 2, 9, 12, 0, 0, 0, time.UTC)
				if err := os.Chtimes(h.path(one), at, at); err != nil {
					h.t.Fatal(err)
				}
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"updated:2026-02-09": {one}, "token": {one}},
		},
		{
			"delete", func(h *house) { h.remove(one) },
			index.Report{Files: 1, Removed: 1, Unchanged: 1, Handoffs: 1},
			map[string][]string{"login": {two}, "token": nil, "is:latest": {two}},
		},
		{
			"move", func(h *house) { h.move(one, ".claude/handoffs/-work-other/aaaa1111.md") },
			index.Report{Files: 2, Added: 1, Removed: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": {".claude/handoffs/-work-other/aaaa1111.md"}},
		},
		{
			"replace by rename", func(h *house) {
				h.write(one+".new", note("2026-02-01", "aaaa1111", "login form", "call the bank"))
				h.move(one+".new", one)
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": nil, "bank": {one}},
		},
		{
			"rename", func(h *house) { h.move(one, ".claude/handoffs/-work-shop/renamed.md") },
			index.Report{Files: 2, Added: 1, Removed: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": {".claude/handoffs/-work-shop/renamed.md"}},
		},
		{
			"rename in case only", func(h *house) { h.move(one, ".claude/handoffs/-work-shop/AAAA1111.md") },
			index.Report{Files: 2, Added: 1, Removed: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": {".claude/handoffs/-work-shop/AAAA1111.md"}},
		},
		{
			"rename folder", func(h *house) { h.move(".claude/handoffs/-work-shop", ".claude/handoffs/-work-bank") },
			index.Report{Files: 2, Added: 2, Removed: 2, Handoffs: 2},
			map[string][]string{"login": {".claude/handoffs/-work-bank/aaaa1111.md", ".claude/handoffs/-work-bank/bbbb2222.md"}},
		},
		{
			"remove folder", func(h *house) {
				h.write("app/HANDOFF.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
				h.remove(".claude")
			},
			index.Report{Files: 1, Added: 1, Removed: 2, Handoffs: 1},
			map[string][]string{"login": nil, "checkout": {"app/HANDOFF.md"}},
		},
		{
			"folder in the place of another", func(h *house) {
				h.move(".claude/handoffs/-work-shop", ".claude/handoffs/-work-bank")
				h.write(one, note("2026-02-01", "aaaa1111", "login form", "call the bank"))
			},
			index.Report{Files: 3, Added: 2, Updated: 1, Removed: 1, Handoffs: 3},
			map[string][]string{"text:bank": {one}, "work-bank": {".claude/handoffs/-work-bank/aaaa1111.md", ".claude/handoffs/-work-bank/bbbb2222.md"}, "token": {".claude/handoffs/-work-bank/aaaa1111.md"}},
		},
		{
			"add in a new folder", func(h *house) {
				h.write("app/docs/handoffs/deep/down/1.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
			},
			index.Report{Files: 3, Added: 1, Unchanged: 2, Handoffs: 3},
			map[string][]string{"checkout": {"app/docs/handoffs/deep/down/1.md"}},
		},
		{
			"rewrite in place, of equal size", func(h *house) {
				f, err := os.OpenFile(h.path(one), os.O_WRONLY, 0)
				if err != nil {
					h.t.Fatal(err)
				}
				_, err = f.WriteString(note("2026-02-01", "aaaa1111", "login form", "test the badge expiry"))
				if err = errors.Join(err, f.Close()); err != nil {
					h.t.Fatal(err)
				}
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": nil, "badge": {one}},
		},
		{
			"replace by rename, of equal size and mtime", func(h *house) {
				info, err := os.Stat(h.path(one))
				if err != nil {
					h.t.Fatal(err)
				}
				h.writeAt("new.txt", note("2026-02-01", "aaaa1111", "login form", "test the badge expiry"), info.ModTime())
				h.move("new.txt", one)
			},
			index.Report{Files: 2, Updated: 1, Unchanged: 1, Handoffs: 2},
			map[string][]string{"token": nil, "badge": {one}},
		},
		{
			"rights", func(h *house) {
				if err := os.Chmod(h.path(one), 0o600); err != nil {
					h.t.Fatal(err)
				}
			},
			index.Report{Files: 2, Unchanged: 2, Handoffs: 2},
			map[string][]string{"token": {one}},
		},
		{
			"folder is a skill's now", func(h *house) {
				h.write("app/HANDOFF.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
				h.write(".claude/handoffs/-work-shop/SKILL.md", "a skill")
			},
			index.Report{Files: 1, Added: 1, Removed: 2, Handoffs: 1},
			map[string][]string{"login": nil, "checkout": {"app/HANDOFF.md"}},
		},
		{
			"hard link", func(h *house) {
				if err := os.Link(h.path(one), h.path(".claude/handoffs/-work-shop/zzzz.md")); err != nil {
					h.t.Fatal(err)
				}
			},
			index.Report{Files: 2, Unchanged: 2, Handoffs: 2},
			map[string][]string{"token": {one}},
		},
		{
			"file becomes folder", func(h *house) {
				h.remove(one)
				h.write(one+"/x.go", "package x\n")
			},
			index.Report{Files: 1, Removed: 1, Unchanged: 1, Handoffs: 1},
			map[string][]string{"token": nil},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			c.change(h)
			h.reopen()
			if diff := cmp.Diff(c.want, h.refresh(), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			for text, want := range c.finds {
				h.expect(text, want...)
			}
			h.whole()
			again := h.refresh()
			if again.Added+again.Updated+again.Removed > 0 {
				t.Errorf("the second refresh still found something: %+v", again)
			}
		})
	}
}

func TestMoveKeepsPublicID(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	before := h.ids()
	moved := ".claude/handoffs/-work-other/renamed.md"
	h.move(one, moved)
	h.refresh()
	h.write(one, note("2026-02-04", "dddd4444", "another one in its place", "go on"))
	h.refresh()
	after := h.ids()
	if after[moved+"#0"] != before[one+"#0"] {
		t.Errorf("the moved handoff was %s and is %s", before[one+"#0"], after[moved+"#0"])
	}
	if after[one+"#0"] == before[one+"#0"] || after[one+"#0"] == "" {
		t.Errorf("the file in the old place has the id %q of the moved one", after[one+"#0"])
	}
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := cmp.Diff(after, h.ids()); diff != "" {
		t.Errorf("ids after a full build (-before +after):\n%s", diff)
	}
	h.whole()
}

func TestVanishedRootIsKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, reason  string
		vanish, reset func(*house)
	}{
		{
			"gone", "no longer exists; its files (2) are kept",
			func(h *house) { h.move(".", "../away") },
			func(h *house) {
				if err := os.Rename(filepath.Join(filepath.Dir(h.root), "away"), h.root); err != nil {
					h.t.Fatal(err)
				}
			},
		},
		{
			"empty", "no longer contains handoffs; its files (2) are kept",
			func(h *house) { h.move(".claude", "../away") },
			func(h *house) {
				if err := os.Rename(filepath.Join(filepath.Dir(h.root), "away"), h.path(".claude")); err != nil {
					h.t.Fatal(err)
				}
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			c.vanish(h)
			want := []index.Trouble{{Path: h.root, Reason: c.reason}}
			for _, full := range []bool{false, false, true} {
				report := h.refreshWith(index.RefreshOptions{Full: full})
				if diff := cmp.Diff(want, report.Troubles); diff != "" {
					t.Errorf("troubles (-want +got):\n%s", diff)
				}
				if report.Removed != 0 {
					t.Errorf("%d removed", report.Removed)
				}
				r := h.search("login")
				if diff := cmp.Diff(want, r.Stale); diff != "" || len(r.Hits) != 2 {
					t.Errorf("%d hits, stale (-want +got):\n%s", len(r.Hits), diff)
				}
			}
			c.reset(h)
			if report := h.refresh(); len(report.Troubles) > 0 || len(h.search("login").Stale) > 0 {
				t.Errorf("still in trouble: %+v", report)
			}
			c.vanish(h)
			if report := h.refreshWith(index.RefreshOptions{Prune: true}); report.Removed != 2 || len(report.Troubles) > 0 {
				t.Errorf("pruned: %+v", report)
			}
			h.expect("*")
			h.whole()
		})
	}
}

// Root is let in everywhere, so these run only for others.
func asUser(tb testing.TB) {
	tb.Helper()
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		tb.Skip("rights do not bind this user")
	}
}

func TestUnreadableFolderIsKept(t *testing.T) {
	t.Parallel()
	asUser(t)
	h := twoNotes(t)
	dir := h.path(".claude/handoffs/-work-shop")
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	report := h.refresh()
	if report.Removed != 0 || len(report.Troubles) == 0 {
		t.Errorf("report: %+v", report)
	}
	h.expect("login", one, two)
}

func TestUnreadableFileIsKept(t *testing.T) {
	t.Parallel()
	asUser(t)
	h := twoNotes(t)
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "something else"))
	if err := os.Chmod(h.path(one), 0); err != nil {
		t.Fatal(err)
	}
	want := []index.Trouble{{Path: h.path(one), Reason: "permission denied", Shows: true}}
	if diff := cmp.Diff(want, h.refresh().Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
	h.expect("token", one)
}

func TestTooLargeIsSkipped(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.write(one, note("2026-02-01", "aaaa1111", "login form", strings.Repeat("word ", 1<<20)))
	want := []index.Skip{{Path: h.path(one), Reason: "too large: 5242993 bytes, the limit is 4194304"}}
	for range 2 {
		report := h.refresh()
		if diff := cmp.Diff(want, report.Skipped); diff != "" {
			t.Errorf("skipped (-want +got):\n%s", diff)
		}
	}
	h.expect("login", two)
	h.whole()
}

func TestParserPanicIsAProblem(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.Settings.Parse = func(src parse.Source) []*parse.Document {
		if strings.Contains(string(src.Bytes), "explode") {
			panic("at the disco")
		}
		return parse.Parse(src)
	}
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "explode"))
	h.write(two, note("2026-02-03", "bbbb2222", "login page", "write"))
	if report := h.refresh(); report.Files != 2 || report.Handoffs != 2 {
		t.Errorf("report: %+v", report)
	}
	h.expect("problem:parser-panic", one)
	h.expect("explode", one)
	h.expect("is:invalid", one)
}

func TestNeighbourIsWatched(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.expect("is:acked")
	ledger := ".claude/handoffs/-work-shop/LEDGER.md"
	h.write(ledger, "- [x] 2026-02-01 [aaaa1111.md](aaaa1111.md) — login (processed 2026-02-02)\n")
	if report := h.refresh(); report.Updated != 2 {
		t.Errorf("a new ledger: %+v", report)
	}
	if report := h.refresh(); report.Updated != 0 {
		t.Errorf("the same ledger: %+v", report)
	}
	h.remove(ledger)
	if report := h.refresh(); report.Updated != 2 {
		t.Errorf("no ledger: %+v", report)
	}
}

// What a manifest is held against stands in other files; what was found is as
// true as they are.
func TestContextIsWatched(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	manifest, people, queue := "meta/handoff.yaml", "meta/collaboration.yaml", "meta/work-queue.yaml"
	h.write(manifest, "version: 1\nsource_file: discussion/058-codex-response.md\ngenerated_at: 2026-02-09\nfrom: codex\nto: claude\nstatus: pending\nwork_queue_items: [gates]\n")
	h.write("discussion/058-codex-response.md", "## Done\n\n- Gates.\n")
	h.refresh()
	h.expect("problem:company.collaboration-missing", manifest)
	h.expect("problem:company.work-queue-missing", manifest)

	h.write(people, "participants:\n  - id: codex\n")
	h.write(queue, "items:\n  - id: budget\n")
	h.refresh()
	h.expect("problem:company.collaboration-missing")
	h.expect("problem:company.participant-unknown", manifest)
	h.expect("problem:company.work-item-unknown", manifest)

	h.write(people, "participants:\n  - id: codex\n  - id: claude\n")
	h.write(queue, "items:\n  - id: budget\n  - id: gates\n")
	h.refresh()
	h.expect("is:warned")

	h.remove(people)
	h.refresh()
	h.expect("problem:company.collaboration-missing", manifest)
	h.whole()
}

func TestRootsAreApart(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	other := newHouse(t)
	third := ".bon/handoffs/cccc3333.md"
	other.write(third, note("2026-02-05", "cccc3333", "login elsewhere", "ship"))
	if _, err := h.Refresh(t.Context(), other.roots(), index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	paths := func(roots []index.Root) (list []string) {
		for _, hit := range h.searchIn("login", roots).Hits {
			list = append(list, filepath.Base(hit.Path))
		}
		return list
	}
	check := func(when string) {
		t.Helper()
		for _, c := range []struct {
			roots []index.Root
			want  []string
		}{
			{nil, []string{"cccc3333.md", "bbbb2222.md", "aaaa1111.md"}},
			{h.roots(), []string{"bbbb2222.md", "aaaa1111.md"}},
			{other.roots(), []string{"cccc3333.md"}},
			{append(h.roots(), other.roots()...), []string{"cccc3333.md", "bbbb2222.md", "aaaa1111.md"}},
			{[]index.Root{{Path: "/nowhere"}}, nil},
		} {
			if diff := cmp.Diff(c.want, paths(c.roots)); diff != "" {
				t.Errorf("%s, %v (-want +got):\n%s", when, c.roots, diff)
			}
		}
	}
	check("refreshed apart")
	h.refreshWith(index.RefreshOptions{Full: true})
	check("after a full build of one")
	h.whole()
}

func TestRootInsideRoot(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	inner := []index.Root{{Path: h.path(".claude/handoffs/-work-shop")}}
	for _, roots := range [][]index.Root{inner, h.roots(), append(h.roots(), inner...)} {
		report, err := h.Refresh(t.Context(), roots, index.RefreshOptions{})
		if err != nil || report.Files != 2 || report.Added+report.Updated+report.Removed != 0 {
			t.Errorf("%v: %+v %v", roots, report, err)
		}
		if n := len(h.searchIn("login", roots).Hits); n != 2 {
			t.Errorf("%v: %d hits", roots, n)
		}
	}
}

func TestOnlyOneProject(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	shop, bank := h.path("code/shop"), h.path("code/bank")
	encoded := ".claude/handoffs/" + index.EncodeV2(shop) + "/aaaa1111.md"
	h.write(encoded, note("2026-02-01", "aaaa1111", "login", "test"))
	h.write("code/shop/.bon/handoffs/x.md", note("2026-02-02", "bbbb1111", "login", "test"))
	h.write("code/bank/.bon/handoffs/y.md", note("2026-02-02", "cccc1111", "login", "test"))
	report := h.refreshWith(index.RefreshOptions{Only: shop, Known: []string{shop, bank}})
	if report.Added != 2 {
		t.Errorf("report: %+v", report)
	}
	h.expect("login", encoded, "code/shop/.bon/handoffs/x.md")
	h.refreshWith(index.RefreshOptions{Known: []string{shop, bank}})
	h.remove("code/bank/.bon/handoffs/y.md")
	h.remove(encoded)
	if report := h.refreshWith(index.RefreshOptions{Only: shop, Known: []string{shop, bank}}); report.Removed != 0 {
		// The encoded folder is empty now and still there: its file is gone.
		if report.Removed != 1 {
			t.Errorf("report: %+v", report)
		}
	}
	h.expect("login", "code/shop/.bon/handoffs/x.md", "code/bank/.bon/handoffs/y.md")
}

func TestKnownFolderNamesProject(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	shop := h.path("code/my-shop")
	if err := os.MkdirAll(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	rel := ".claude/handoffs/" + index.EncodeV2(shop) + "/aaaa1111.md"
	h.write(rel, note("2026-02-01", "aaaa1111", "login", "test"))
	h.refresh()
	if got := h.search("login").Hits[0].Root; got != index.EncodeV2(shop) {
		t.Errorf("root without known folders: %s", got)
	}
	h.refreshWith(index.RefreshOptions{Known: []string{shop}})
	if got := h.search("login").Hits[0]; got.Root != shop || got.Project != "my-shop" {
		t.Errorf("root with known folders: %s, %s", got.Root, got.Project)
	}
	list, err := h.Latest(t.Context(), filepath.Join(shop, "src"))
	if err != nil || len(list) != 1 || list[0].Session != "aaaa1111" {
		t.Errorf("latest: %v %v", list, err)
	}
}

// A search from another folder knows another one. Files in folders without an encoded
// name, whose project cannot change by that, are not looked up for it.
func TestKnownFolderConcernsEncodedNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if !index.TellsChanges(h.path(".")) {
		t.Skip("all folders are looked at anew on this file system")
	}
	shop := h.path("code/shop")
	encoded, plain := ".claude/handoffs/"+index.EncodeV2(shop)+"/aaaa1111.md", "code/shop/.bon/handoffs/x.md"
	h.write(encoded, note("2026-02-01", "aaaa1111", "login", "test"))
	h.write(plain, note("2026-02-02", "bbbb1111", "login", "test"))
	h.refresh()
	const trace = 987654
	rawChange(t, statusPath(h), fmt.Sprintf("UPDATE file SET seen_ns = %d", trace))
	h.refreshWith(index.RefreshOptions{Known: []string{shop}})
	left := rawRows(t, statusPath(h), fmt.Sprintf("SELECT path FROM file WHERE seen_ns = %d", trace))
	if len(left) != 1 || left[0].Text("path") != h.path(plain) {
		t.Errorf("not looked up: %v, want only %s", left, plain)
	}
	for _, hit := range h.search("login").Hits {
		if hit.Root != shop {
			t.Errorf("%s is of %s", hit.Path, hit.Root)
		}
	}
}

// Handoffs of a project can lie where no rule looks for them; once the index
// knows the folder, it is looked at with the project.
func TestOnlyOneProjectElsewhere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	shop := h.path("code/shop")
	known := []string{shop}
	copied := "old/handoffs/" + index.EncodeV2(shop)
	h.write(copied+"/a.md", note("2026-02-01", "aaaa1111", "login", "test"))
	h.write("code/shop/.bon/handoffs/x.md", note("2026-02-02", "bbbb1111", "login", "test"))
	h.refreshWith(index.RefreshOptions{Known: known})
	h.write(copied+"/b.md", note("2026-02-03", "cccc1111", "login", "test"))
	for _, c := range []struct {
		elsewhere bool
		added     int
	}{{false, 0}, {true, 1}} {
		report := h.refreshWith(index.RefreshOptions{Only: shop, Known: known, Elsewhere: c.elsewhere})
		if report.Added != c.added {
			t.Errorf("elsewhere %v: %+v", c.elsewhere, report)
		}
	}
	list, err := h.Latest(t.Context(), shop)
	if err != nil || len(list) != 1 || list[0].Session != "cccc1111" {
		t.Errorf("latest: %v %v", list, err)
	}
}

func TestZoneRebuilds(t *testing.T) {
	h := newHouse(t)
	h.write("app/.flow-guardian/handoff.yaml", "goal: login\nstatus: in_progress\nnow: testing\ntimestamp: 2026-02-01T10:00:00\n")
	h.refresh()
	before := h.search("login").Hits[0].Date
	h.zone = index.Zone(5)
	h.reopen()
	h.refresh()
	after := h.search("login").Hits[0].Date
	if d := before.Sub(after); d != 5*time.Hour {
		t.Errorf("the date moved by %v: %v, %v", d, before, after)
	}
}

// What a build in another zone takes over is read again when its root is back.
func TestZoneOfARootThatWasAway(t *testing.T) {
	h := newHouse(t)
	h.write("shop/.flow-guardian/handoff.yaml", manifestAt("login", 10))
	h.write("bank/.flow-guardian/handoff.yaml", manifestAt("ledger", 10))
	h.refresh()
	h.zone = index.Zone(5)
	h.reopen()
	if _, err := h.Refresh(t.Context(), []index.Root{{Path: h.path("shop")}}, index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		h.refresh()
		if diff := cmp.Diff(map[string]int{"login": 5, "ledger": 5}, h.hours()); diff != "" {
			t.Errorf("hours (-want +got):\n%s", diff)
		}
	}
}

func TestRacyFileIsReadAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.now = time.Now()
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "test the token expiry"))
	h.refresh()
	info, err := os.Stat(h.path(one))
	if err != nil {
		t.Fatal(err)
	}
	h.writeAt(one, note("2026-02-01", "aaaa1111", "login form", "test the badge expiry"), info.ModTime())
	h.now = time.Now()
	h.refresh()
	h.expect("badge", one)
	h.now = time.Now().Add(time.Hour)
	if report := h.refresh(); report.Unchanged != 1 {
		t.Errorf("report: %+v", report)
	}
}

func TestRefreshErrors(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	ro, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: func() time.Time { return h.now }, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ro.Close() }()
	_, err = ro.Refresh(t.Context(), h.roots(), index.RefreshOptions{})
	if want := "refresh index " + h.dir + ": the index cannot be written"; !errors.Is(err, index.ErrReadOnly) || err.Error() != want {
		t.Errorf("read only: %v", err)
	}
	for _, o := range []index.Options{{Dir: "relative", Now: time.Now}, {Dir: h.dir}} {
		if _, err := index.Open(t.Context(), o); err == nil {
			t.Errorf("%+v was opened", o)
		}
	}
}

// With its first handoff a folder can become a project of its own; what was in
// it before then counts to it.
func TestProjectsSettleAnew(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("code/shop/HANDOFF.md", note("2026-02-01", "aaaa1111", "login", "test"))
	h.refresh()
	first := h.search("login").Hits[0].Root
	h.write("code/shop/.bon/handoffs/b.md", note("2026-02-02", "bbbb2222", "page", "test"))
	h.refresh()
	if got, want := h.search("login").Hits[0].Root, h.path("code/shop"); got != want || first == want {
		t.Errorf("the project was %s and is %s, want %s", first, got, want)
	}
	h.remove("code/shop/.bon")
	h.refresh()
	if got := h.search("login").Hits[0].Root; got != first {
		t.Errorf("the project is %s, want %s again", got, first)
	}
}

// A zone is what it does, whatever it is called.
func TestRefreshInAZoneOfAnotherName(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("shop/.claude/handoffs/a.md", "# A\n")
	h.refresh()
	h.zone = time.FixedZone("Local", 0)
	h.reopen()
	if report := h.refresh(); report.Unchanged != 1 {
		t.Errorf("%+v", report)
	}
}
