package index_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"handex/index"
)

// versions answers the goals of the versions of a handoff, and the days before now
// since when another stands in its place.
func (h *house) versions(hid string) []string {
	h.t.Helper()
	found, err := h.Versions(h.t.Context(), hid)
	if err != nil {
		h.t.Fatal(err)
	}
	var list []string
	for _, v := range found {
		days := "now"
		if !v.Replaced.IsZero() {
			days = fmt.Sprint(int(h.now.Sub(v.Replaced).Round(time.Hour).Hours() / 24))
		}
		list = append(list, v.Goal+" "+days)
	}
	return list
}

func TestVersions(t *testing.T) {
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"), manifest(3, "three"))
	h.overwrite("till/.flow-guardian/handoff.yaml", manifest(4, "four"))
	want := []string{"three now", "two 1", "one 2"}
	for _, goal := range []string{"one", "two", "three"} {
		if diff := cmp.Diff(want, h.versions(h.search("goal:" + goal).Hits[0].ID)); diff != "" {
			t.Errorf("of %s (-want +got):\n%s", goal, diff)
		}
	}
	if diff := cmp.Diff([]string{"four now"}, h.versions(h.search("goal:four").Hits[0].ID)); diff != "" {
		t.Errorf("of a file without versions (-want +got):\n%s", diff)
	}
	_, err := h.Versions(t.Context(), "h_000000000000")
	if missing, ok := errors.AsType[*index.NotFoundError](err); !ok || missing.Ref != "h_000000000000" {
		t.Errorf("of none: %v", err)
	}
}

// The versions of a file that was moved are its own, and those of one that was
// removed remain.
func TestVersionsOfMovedAndRemovedFiles(t *testing.T) {
	h := newArchive(t)
	h.write("shop/docs/handoffs/2026-02-05-other.md", "# Handoff\n\npurpose: other\n\n## Next\n\n- rest\n")
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	const moved = "shop/old/HANDOFF.yaml"
	h.move(flow, moved)
	h.refresh()
	if diff := cmp.Diff([]string{"two now", "one 1"}, h.versions(h.search("goal:two").Hits[0].ID)); diff != "" {
		t.Errorf("of the moved file (-want +got):\n%s", diff)
	}
	h.remove(moved)
	h.refresh()
	found, err := h.Find(t.Context(), h.path(moved), "/")
	if err != nil || len(found) != 1 || found[0].Goal != "two" || found[0].VersionOf != h.path(moved) {
		t.Errorf("by the path of the removed file: %v %v", found, err)
	}
}

// A session is named by what stands there, also if it wrote the file before.
func TestFindPrefersWhatIsThere(t *testing.T) {
	h := newArchive(t)
	const name = "wall/HANDOFF.md"
	text := func(step string) string {
		return "# Handoff\n\nsession_id: cafe1234\npurpose: " + step + "\n\n## Next\n\n- go on\n"
	}
	h.overwrite(name, text("first"), text("second"))
	found, err := h.Find(t.Context(), "cafe1234", "/")
	if err != nil || len(found) != 1 || found[0].Goal != "second" {
		t.Errorf("found %v %v", found, err)
	}
	latest, err := h.Latest(t.Context(), h.path("wall"))
	if err != nil || len(latest) != 1 || latest[0].Path != h.path(name) {
		t.Errorf("latest %v %v", latest, err)
	}
}
