package index_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
)

// A folder that lies too deep is named and left out: nothing about it is wrong, and
// nothing else is in doubt because of it.
func TestTooDeepIsSkipped(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	deep := strings.Repeat("d/", 65)
	h.write(deep+"HANDOFF.md", noteText)
	h.write(strings.Repeat("e/", 64)+"HANDOFF.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
	want := []index.Skip{{Path: h.path(deep), Reason: "more than 64 folders deep", Folder: true}}
	for range 2 {
		report := h.refresh()
		if diff := cmp.Diff(want, report.Skipped); diff != "" || len(report.Troubles) > 0 {
			t.Errorf("troubles %v, skipped (-want +got):\n%s", report.Troubles, diff)
		}
		if stale := h.search("login").Stale; len(stale) > 0 {
			t.Errorf("a search warns of %v", stale)
		}
	}
	h.expect("checkout", strings.Repeat("e/", 64)+"HANDOFF.md")
	if ok, rule := index.Why(h.path(deep+"HANDOFF.md"), h.roots()[0]); ok || rule != want[0].Reason {
		t.Errorf("taken is %v, because %s", ok, rule)
	}
	found, err := h.Examine(t.Context(), h.roots(), index.RefreshOptions{}, false)
	noErr(t, err)
	for _, f := range found.Findings {
		if f.Code == "stale" {
			t.Errorf("finding %v", f)
		}
	}
	h.whole()
}
