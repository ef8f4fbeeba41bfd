package index_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

// compareWithNothing compares the index with one that is built from nothing but the
// files and the archive.
func (h *house) compareWithNothing(tb rapid.TB, roots []index.Root) {
	h.t.Helper()
	got := h.dump()
	fresh := h.beside()
	defer func() { _ = fresh.Close() }()
	if _, err := fresh.Refresh(h.t.Context(), roots, index.RefreshOptions{}); err != nil {
		tb.Fatal(err)
	}
	if diff := got.Compare(fresh.dump()); diff != "" {
		tb.Fatalf("the refreshed index differs (-built +refreshed):\n%s", diff)
	}
}

// However files are moved from one place to another, replaced by what was said before
// and removed, and whichever roots are refreshed meanwhile, a refresh finds the versions
// that a build from nothing finds.
func TestMovesAreThoseOfABuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds some hundred indexes")
	}
	places := []string{flow, mid, far, "shop/docs/handoffs/x.yaml", "bank/.flow-guardian/handoff.yaml"}
	rapid.Check(t, func(rt *rapid.T) {
		h := newArchive(t)
		defer func() { _ = h.Close() }()
		h.write("till/docs/handoffs/2026-02-05-other.md", "# Handoff\n\npurpose: other\n\n## Next\n\n- rest\n")
		shop, around := []index.Root{{Path: h.path("shop")}}, h.roots()
		all := [][]index.Root{around, append(around, shop...), append(shop, around...)}
		some := slices.Concat(all, [][]index.Root{around, shop, {{Path: h.root, Exclude: []string{"**/x.yaml"}}}})
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			path := rapid.SampledFrom(places).Draw(rt, "path")
			switch rapid.SampledFrom([]string{"write", "write", "move", "move", "move", "remove"}).Draw(rt, "step") {
			case "write":
				at := time.Date(2026, 2, rapid.IntRange(1, 9).Draw(rt, "day"), 12, 0, 0, 0, time.UTC)
				h.writeAt(path, manifest(rapid.IntRange(1, 2).Draw(rt, "text"), "moved"), at)
			case "move":
				to := rapid.SampledFrom(places).Draw(rt, "to")
				if _, err := os.Stat(h.path(path)); err == nil && path != to {
					h.move(path, to)
				}
			case "remove":
				h.remove(path)
			}
			if rapid.IntRange(0, 5).Draw(rt, "refresh") == 0 {
				continue
			}
			h.now = h.now.Add(time.Second)
			roots := rapid.SampledFrom(some).Draw(rt, "roots")
			if _, err := h.Refresh(t.Context(), roots, index.RefreshOptions{Prune: true}); err != nil {
				rt.Fatal(err)
			}
		}
		last := rapid.SampledFrom(all).Draw(rt, "last roots")
		if _, err := h.Refresh(t.Context(), last, index.RefreshOptions{Prune: true}); err != nil {
			rt.Fatal(err)
		}
		h.compareWithNothing(rt, last)
	})
}

// A content that came back to where its file was moved from, and went again, leaves the
// index as a build makes it.
func TestContentComesBackWhereItWasMovedFrom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		way  []string // the places of the file, one after the other
		back string   // where its content comes again
	}{
		{[]string{flow, mid, far}, flow},
		{[]string{flow, mid, far}, mid},
		{[]string{flow, mid, flow}, mid},
		{[]string{flow, mid, far, mid, flow}, far},
	} {
		for _, versions := range []int{1, 2} {
			t.Run(fmt.Sprintf("%v/%s/%d", c.way, c.back, versions), func(t *testing.T) {
				h := newArchive(t)
				h.write("shop/docs/handoffs/2026-02-05-other.md", "# Handoff\n\npurpose: other\n\n## Next\n\n- rest\n")
				h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
				if versions == 1 {
					h.overwrite(flow, manifest(2, "two"))
				}
				for i, to := range c.way[1:] {
					h.move(c.way[i], to)
					h.refresh()
				}
				h.write(c.back, manifest(2, "two"))
				h.refresh()
				h.remove(c.back)
				h.refresh()
				h.compareWithNothing(t, h.roots())
				h.refreshWith(index.RefreshOptions{Full: true})
				h.compareWithNothing(t, h.roots())
			})
		}
	}
}

// A root takes the versions of files that another one in it has seen go.
func TestWiderRootTakesVersions(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	till := "shop/till/.flow-guardian/handoff.yaml"
	inner, wider := []index.Root{{Path: h.path("shop/till")}}, []index.Root{{Path: h.path("shop")}}
	refresh := func(roots []index.Root, want ...string) {
		t.Helper()
		for range 2 {
			_, err := h.Refresh(t.Context(), roots, index.RefreshOptions{Prune: true})
			noErr(t, err)
			var got []string
			for _, hit := range h.searchIn("*", roots).Hits {
				got = append(got, strings.TrimSpace(hit.Goal))
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v: %v, want %v", roots, got, want)
			}
		}
	}
	h.write("shop/docs/handoffs/2026-02-05-other.md", note("2026-01-05", "aaaa1111", "other", "rest"))
	h.overwrite(till, manifest(1, "one"))
	refresh(wider, "one", "other")
	h.write(till, manifest(1, "two"))
	refresh(inner, "two", "one")
	h.remove(till)
	if _, err := h.Refresh(t.Context(), inner, index.RefreshOptions{Prune: true}); err != nil {
		t.Fatal(err)
	}
	refresh(wider, "two", "one", "other")
	h.write(till, manifest(2, "three"))
	refresh(append(inner, wider...), "three", "two", "one", "other")
	refresh(wider, "three", "two", "one", "other")
	h.compareWithNothing(t, wider)
}

// A root whose rules pass over a path for a while takes its versions again.
func TestRulesThatComeBackTakeVersions(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.write("shop/docs/handoffs/2026-02-05-other.md", note("2026-01-05", "aaaa1111", "other", "rest"))
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.remove(flow)
	for _, c := range []struct {
		exclude []string
		want    int
	}{{nil, 2}, {[]string{"**/.flow-guardian"}, 0}, {nil, 2}} {
		roots := []index.Root{{Path: h.root, Exclude: c.exclude}}
		report, err := h.Refresh(t.Context(), roots, index.RefreshOptions{})
		if err != nil || report.Versions != c.want {
			t.Errorf("without %v: %d versions, want %d (%v)", c.exclude, report.Versions, c.want, err)
		}
	}
}

// An examination is of the files of its roots, and of no others.
func TestExaminationLeavesOtherRootsAlone(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.overwrite("till/HANDOFF.md", logs[0], logs[3])
	for _, dir := range []string{"shop", "till"} {
		if _, err := h.Refresh(t.Context(), []index.Root{{Path: h.path(dir)}}, index.RefreshOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	rawChange(t, statusPath(h), "UPDATE file SET sha256 = '00' WHERE path LIKE '%/till/%' OR version_of LIKE '%/till/%'")
	h.reopen()
	for root, want := range map[string]int{"shop": 0, "till": 2} {
		for _, deep := range []bool{false, true} {
			found, err := h.Examine(t.Context(), []index.Root{{Path: h.path(root)}}, index.RefreshOptions{}, deep)
			if noErr(t, err); len(found.Findings) != want {
				t.Errorf("of %s: %v", root, found.Findings)
			}
		}
	}
}
