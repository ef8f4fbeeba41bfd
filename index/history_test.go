package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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

// mid and far are where a file is moved to.
const (
	mid = "shop/docs/handoffs/HANDOFF.yaml"
	far = "shop/docs/handoffs/2026-02-04-till.yaml"
)

// wanderer is a house with a file that was overwritten at three places, another
// at the first of them since, and one that is always there.
func wanderer(t *testing.T) *house {
	t.Helper()
	h := newArchive(t)
	h.write("shop/docs/handoffs/2026-02-05-other.md", "# Handoff\n\npurpose: other\n\n## Next\n\n- rest\n")
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.move(flow, mid)
	h.refresh()
	h.now = h.now.Add(10 * 24 * time.Hour)
	h.overwrite(mid, manifest(3, "three"), manifest(4, "four"))
	h.move(mid, far)
	h.refresh()
	h.now = h.now.Add(10 * 24 * time.Hour)
	h.overwrite(flow, manifest(6, "six"), manifest(7, "seven"))
	h.overwrite(far, manifest(8, "eight"))
	return h
}

// What a file said at the places it was moved from is its own, whatever becomes
// of those and of the index, and so are its ids.
func TestVersionsMoveAlong(t *testing.T) {
	t.Parallel()
	h := wanderer(t)
	before := h.ids()
	check := func(when string) {
		t.Helper()
		for goal, want := range map[string][]string{
			"eight": {"eight now", "four 1", "three 11", "two 12", "one 21"},
			"one":   {"eight now", "four 1", "three 11", "two 12", "one 21"},
			"three": {"eight now", "four 1", "three 11", "two 12", "one 21"},
			"seven": {"seven now", "six 1"},
			"six":   {"seven now", "six 1"},
		} {
			if diff := cmp.Diff(want, h.versions(h.search("goal:" + goal).Hits[0].ID)); diff != "" {
				t.Errorf("%s, of %s (-want +got):\n%s", when, goal, diff)
			}
		}
		if diff := cmp.Diff(before, h.ids()); diff != "" {
			t.Errorf("%s: ids (-want +got):\n%s", when, diff)
		}
		h.whole()
	}
	check("as it came")
	h.refreshWith(index.RefreshOptions{Full: true})
	check("after a full build")
	if err := os.RemoveAll(h.dir); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	h.refresh()
	check("after the index was deleted")
	if report := h.refresh(); report.Added+report.Updated+report.Removed > 0 {
		t.Errorf("the next refresh still found something: %+v", report)
	}
}

// A file that comes to where a moved one was removed is another.
func TestTrailEndsWithItsFile(t *testing.T) {
	t.Parallel()
	h := wanderer(t)
	id := h.search("goal:eight").Hits[0].ID
	h.remove(far)
	h.refresh()
	h.overwrite(far, manifest(9, "nine"))
	nine := h.search("goal:nine").Hits[0].ID
	if nine == id {
		t.Errorf("the new file has the id of the old one")
	}
	for range 2 {
		if diff := cmp.Diff([]string{"nine now", "eight 1", "four 1"}, h.versions(nine)); diff != "" {
			t.Errorf("versions (-want +got):\n%s", diff)
		}
		h.refreshWith(index.RefreshOptions{Full: true})
	}
}

func TestBrokenTrailIsTold(t *testing.T) {
	t.Parallel()
	h := wanderer(t)
	names, err := filepath.Glob(filepath.Join(h.kept.Dir, "moved", "*.json"))
	if err != nil || len(names) != 1 {
		t.Fatalf("trails: %v %v", names, err)
	}
	if err := os.WriteFile(names[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []index.Trouble{{Path: names[0], Reason: names[0] + ": unexpected end of JSON input"}}
	if diff := cmp.Diff(want, h.refreshWith(index.RefreshOptions{Full: true}).Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
	if _, err := h.Versions(t.Context(), h.search("goal:eight").Hits[0].ID); err == nil || !strings.Contains(err.Error(), names[0]) {
		t.Errorf("versions: %v", err)
	}
}

// Neighbours are of the project, whatever lies between them, and none is an
// earlier version.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	day := func(project string, n int) string {
		path := fmt.Sprintf("%s/docs/handoffs/2026-02-0%d-day.md", project, n)
		h.write(path, fmt.Sprintf("# Handoff\n\npurpose: %s %d\n\n## Next\n\n- rest\n", project, n))
		return path
	}
	day("shop", 1)
	day("till", 2)
	middle := day("shop", 3)
	h.write("shop/HANDOFF.md", "# Handoff\n\npurpose: kept\ndate: 2026-02-04\n\n## Next\n\n- rest\n")
	h.refresh()
	h.write("shop/HANDOFF.md", "# Handoff\n\npurpose: stands\ndate: 2026-02-05\n\n## Next\n\n- rest\n")
	h.refresh()
	found, err := h.Find(t.Context(), h.path(middle), "/")
	if err != nil {
		t.Fatal(err)
	}
	newer, older, err := h.Neighbours(t.Context(), found[0].ID)
	if err != nil || newer == nil || older == nil || newer.Goal != "stands" || older.Goal != "shop 1" {
		t.Errorf("newer %v, older %v, %v", newer, older, err)
	}
	alone, err := h.Find(t.Context(), h.path("till/docs/handoffs/2026-02-02-day.md"), "/")
	if err != nil {
		t.Fatal(err)
	}
	if newer, older, err = h.Neighbours(t.Context(), alone[0].ID); newer != nil || older != nil || err != nil {
		t.Errorf("alone: newer %v, older %v, %v", newer, older, err)
	}
	_, _, err = h.Neighbours(t.Context(), "h_000000000000")
	if missing, ok := errors.AsType[*index.NotFoundError](err); !ok || missing.Ref != "h_000000000000" {
		t.Errorf("of none: %v", err)
	}
}
