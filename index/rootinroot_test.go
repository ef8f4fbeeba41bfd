package index_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/internal/store"
)

// What a root around another one comes by and is gone is gone for both; what its
// rules pass over is not.
func TestRootInRoot(t *testing.T) {
	t.Parallel()
	const third = "app/docs/handoffs/cccc3333.md"
	inner := func(h *house) []index.Root {
		return []index.Root{{Path: h.path("app"), Include: []string{"**/*.md", "**/*.text"}}}
	}
	for _, c := range []struct {
		name   string
		change func(*house)
		prune  bool
		want   []string
	}{
		{"file", func(h *house) { h.remove(third) }, false, []string{"app/a.text", "app/docs/handoffs/dddd4444.md", "app/vendor/x/HANDOFF.md", one, two}},
		{"folder", func(h *house) { h.remove("app/docs") }, false, []string{"app/a.text", "app/vendor/x/HANDOFF.md", one, two}},
		{"file in a folder that is passed over", func(h *house) { h.remove("app/vendor/x/HANDOFF.md") }, false, []string{"app/a.text", "app/docs/handoffs/dddd4444.md", third, one, two}},
		{"root", func(h *house) { h.remove("app") }, false, []string{one, two}},
		{"disk", func(h *house) { h.otherDisk("app"); h.remove("app") }, false, []string{"app/a.text", "app/docs/handoffs/dddd4444.md", third, "app/vendor/x/HANDOFF.md", one, two}},
		{"disk, believed", func(h *house) { h.otherDisk("app"); h.remove("app") }, true, []string{one, two}},
		{"root around", func(h *house) { h.move(".", "../away") }, false, []string{"app/a.text", "app/docs/handoffs/dddd4444.md", third, "app/vendor/x/HANDOFF.md", one, two}},
	} {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/full %t", c.name, full), func(t *testing.T) {
				h := twoNotes(t)
				h.write(third, note("2026-02-05", "cccc3333", "login elsewhere", "ship"))
				h.write("app/docs/handoffs/dddd4444.md", note("2026-02-06", "dddd4444", "logout", "ship"))
				h.write("app/a.text", note("2026-02-07", "eeee5555", "logon", "ship"))
				h.write("app/vendor/x/HANDOFF.md", note("2026-02-08", "ffff6666", "logs", "ship"))
				if _, err := h.Refresh(t.Context(), inner(h), index.RefreshOptions{}); err != nil {
					t.Fatal(err)
				}
				c.change(h)
				for range 2 {
					h.refreshWith(index.RefreshOptions{Full: full, Prune: c.prune})
					h.expect("*", c.want...)
					h.whole()
				}
			})
		}
	}
}

// What lay on a disk in a root that is not mounted any more is kept and named, at each
// refresh, until it is pruned.
func TestDiskInRootIsKept(t *testing.T) {
	t.Parallel()
	const third = "app/docs/handoffs/cccc3333.md"
	h := twoNotes(t)
	h.write("app/HANDOFF.md", note("2026-02-05", "dddd4444", "login at the top", "ship"))
	h.write(third, note("2026-02-05", "cccc3333", "login elsewhere", "ship"))
	h.refresh()
	h.otherDisk("app")
	h.remove("app")
	h.remove(two)
	want := []index.Trouble{{Path: h.path("app"), Reason: "its disk is no longer mounted; its files (2) are kept", Shows: true}}
	for _, o := range []index.RefreshOptions{{}, {}, {Only: h.path("app")}, {Full: true}, {}} {
		report := h.refreshWith(o)
		if diff := cmp.Diff(want, report.Troubles); diff != "" {
			t.Errorf("%+v: troubles (-want +got):\n%s", o, diff)
		}
		if stale := h.search("login").Stale; len(stale) != 1 {
			t.Errorf("%+v: stale %v", o, stale)
		}
		h.expect("*", "app/HANDOFF.md", third, one)
		h.whole()
	}
	if report := h.refreshWith(index.RefreshOptions{Prune: true}); len(report.Troubles) > 0 || report.Removed != 2 {
		t.Errorf("pruned: %+v", report)
	}
	h.expect("*", one)
	h.whole()
}

// otherDisk has the index believe that a folder lay on another disk.
func (h *house) otherDisk(rel string) {
	h.t.Helper()
	path := filepath.Join(h.dir, generationName(1))
	rawChange(h.t, path, "UPDATE file SET dev = dev + 1 WHERE path LIKE '"+h.path(rel)+"/%'")
	const numbers = "concat_ws(' ', id, root_id, dev + 1, ino, mtime_ns, ctime_ns, rules, count, '')"
	in := "path = '" + h.path(rel) + "' OR path LIKE '" + h.path(rel) + "/%'"
	for _, row := range rawRows(h.t, path, "SELECT id, "+numbers+" AS numbers, path, states, entries FROM folder WHERE "+in) {
		sum := store.Sum64(fmt.Appendf(nil, "%s%s\x00%s\x00%s\x00", row["numbers"], row["path"], row["states"], row["entries"]))
		rawChange(h.t, path, fmt.Sprintf("UPDATE folder SET dev = dev + 1, row_sum = %d WHERE id = %v", sum, row["id"]))
	}
	h.reopen()
}
