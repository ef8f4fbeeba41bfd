package index_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
)

const flow = "shop/.flow-guardian/handoff.yaml"

// manifest is a handoff of flow-guardian of a day in February 2026.
func manifest(day int, goal string) string {
	return fmt.Sprintf("goal: %q\nstatus: in_progress\nnow: \"step %d\"\ntimestamp: \"2026-02-%02dT10:00:00Z\"\n", goal, day, day)
}

// newArchive is an empty house that keeps earlier versions.
func newArchive(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.kept = index.ArchiveOptions{Dir: filepath.Join(realTemp(t), "data", "archive"), Clock: func() time.Time { return h.now }}
	h.reopen()
	return h
}

// overwrite writes a file anew and refreshes, the days before now that each
// content was written being as many as there come after it.
func (h *house) overwrite(rel string, contents ...string) {
	h.t.Helper()
	for i, text := range contents {
		h.writeAt(rel, text, h.now.Add(time.Duration(i-len(contents))*24*time.Hour))
		h.refresh()
	}
}

// goals answers the goals of the hits, in order.
func (h *house) goals(text string) []string {
	h.t.Helper()
	list := []string{}
	for _, hit := range h.search(text).Hits {
		list = append(list, hit.Goal)
	}
	return list
}

func (h *house) expectGoals(text string, want ...string) {
	h.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), h.goals(text)); diff != "" {
		h.t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

// archived lists the archive's contents, without their sidecars.
func (h *house) archived() []string {
	h.t.Helper()
	names, err := filepath.Glob(filepath.Join(h.kept.Dir, "*"))
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasSuffix(name, ".origin.json") || filepath.Base(name) == "moved" || filepath.Base(name) == "trash"
	})
}

func TestOverwrittenFileKeepsItsVersions(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	var contents, want []string
	for day := 1; day <= 20; day++ {
		contents = append(contents, manifest(day, fmt.Sprintf("goal %d", day)))
		want = append([]string{fmt.Sprintf("goal %d", day)}, want...)
	}
	h.overwrite(flow, contents...)
	h.expectGoals("* limit:0", want...)
	h.expectGoals("is:latest", "goal 20")
	h.expectGoals("is:superseded limit:0", want[1:]...)
	h.expectGoals("path:.flow-guardian/handoff.yaml limit:0", want...)
	for _, hit := range h.search("is:superseded limit:0").Hits {
		if hit.VersionOf != h.path(flow) || filepath.Dir(hit.Path) != h.kept.Dir || hit.Project != "shop" || hit.Format != "flow-guardian" {
			t.Errorf("version %+v", hit.Summary)
		}
		if text, err := os.ReadFile(hit.Path); err != nil || !strings.Contains(string(text), hit.Goal) {
			t.Errorf("%s: %q %v", hit.Path, text, err)
		}
	}
	h.whole()
	before := h.ids()
	report := h.refresh()
	if report.Handoffs != 20 || report.Versions != 19 || report.Files != 1 || report.Unchanged != 1 || len(report.Troubles) > 0 {
		t.Errorf("report: %+v", report)
	}
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := cmp.Diff(before, h.ids()); diff != "" {
		t.Errorf("ids after a full build (-before +after):\n%s", diff)
	}
	if err := os.RemoveAll(h.dir); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	h.refresh()
	if diff := cmp.Diff(before, h.ids()); diff != "" {
		t.Errorf("ids after the index was deleted (-before +after):\n%s", diff)
	}
	h.expectGoals("is:latest", "goal 20")
	h.whole()
}

// A content is found once, whatever became of the file that had it.
func TestVersionsFollowTheFile(t *testing.T) {
	t.Parallel()
	one, two := manifest(1, "one"), manifest(2, "two")
	const other = "shop/docs/handoffs/2026-02-05-other.md"
	const moved = "shop/old/HANDOFF.yaml"
	cases := []struct {
		name   string
		change func(*house)
		all    []string
		latest []string
		newest string // of the format, version or not
	}{
		{"nothing", func(*house) {}, []string{"other", "two", "one"}, []string{"other", "two"}, "two"},
		{"touched", func(h *house) { h.writeAt(flow, two, h.now.Add(-time.Hour)) }, []string{"other", "two", "one"}, []string{"other", "two"}, "two"},
		{"back to what it was", func(h *house) { h.write(flow, one) }, []string{"other", "two", "one"}, []string{"other", "one"}, "one"},
		{"there and back", func(h *house) {
			h.write(flow, one)
			h.refresh()
			h.write(flow, two)
		}, []string{"other", "two", "one"}, []string{"other", "two"}, "two"},
		{"removed", func(h *house) { h.remove(flow) }, []string{"other", "two", "one"}, []string{"other"}, "two"},
		{"removed and written again", func(h *house) {
			h.remove(flow)
			h.refresh()
			h.write(flow, two)
		}, []string{"other", "two", "one"}, []string{"other", "two"}, "two"},
		{"moved", func(h *house) { h.move(flow, moved) }, []string{"other", "two", "one"}, []string{"other", "two"}, "two"},
		{"older than its version", func(h *house) { h.write(flow, strings.Replace(two, "2026-02-02", "2026-01-01", 1)) }, []string{"other", "two", "one", "two"}, []string{"other", "two"}, "two"},
		{"copy removed", func(h *house) {
			for _, hit := range h.search("is:superseded").Hits {
				if err := os.Remove(hit.Path); err != nil {
					h.t.Fatal(err)
				}
			}
		}, []string{"other", "two"}, []string{"other", "two"}, "two"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newArchive(t)
			h.write(other, "# Handoff\n\ndate: 2026-02-05\npurpose: other\n\n## Next\n\n- rest\n")
			h.overwrite(flow, one, two)
			c.change(h)
			for _, o := range []index.RefreshOptions{{}, {}, {Full: true}} {
				if report := h.refreshWith(o); len(report.Troubles) > 0 {
					t.Errorf("troubles: %v", report.Troubles)
				}
				h.expectGoals("*", c.all...)
				h.expectGoals("is:latest", c.latest...)
				h.expectGoals("format:flow-guardian latest-per:format", c.newest)
				h.whole()
			}
		})
	}
}

func TestArchiveIsOptional(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.expectGoals("*", "two")
	h = newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.expectGoals("*", "two", "one")
	on := h.kept
	h.kept = index.ArchiveOptions{}
	h.reopen()
	h.overwrite(flow, manifest(3, "three"))
	h.expectGoals("*", "three")
	h.kept = on
	h.reopen()
	h.refresh()
	h.expectGoals("*", "three", "two", "one")
	h.overwrite(flow, manifest(4, "four"))
	h.expectGoals("*", "four", "three", "two", "one")
}

func TestArchiveThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	if err := os.MkdirAll(filepath.Dir(h.kept.Dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.kept.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.write("till/HANDOFF.md", "# Handoff\n\ndate: 2026-02-03\n\n## Next\n\n- rest\n")
	h.write(flow, manifest(1, "one"))
	for range 2 {
		report := h.refresh()
		if len(report.Troubles) != 1 || report.Troubles[0].Path != h.kept.Dir || report.Handoffs != 2 {
			t.Errorf("report: %+v", report)
		}
	}
	h.expectGoals("is:latest format:flow-guardian", "one")
	if err := os.Remove(h.kept.Dir); err != nil {
		t.Fatal(err)
	}
	h.refresh()
	h.overwrite(flow, manifest(2, "two"))
	h.expectGoals("format:flow-guardian", "two", "one")
}

func TestArchiveIsPrivate(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"))
	names, err := filepath.Glob(filepath.Join(h.kept.Dir, "*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("archive: %v %v", names, err)
	}
	for _, name := range append(names, h.kept.Dir) {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

func TestArchiveRetention(t *testing.T) {
	t.Parallel()
	contents := []string{manifest(1, "one"), manifest(2, "two"), manifest(3, "three"), manifest(4, "four")}
	size := int64(len(contents[0]))
	cases := []struct {
		name string
		kept index.ArchiveOptions
		want []string
	}{
		{"everything", index.ArchiveOptions{}, []string{"four", "three", "two", "one"}},
		{"two days", index.ArchiveOptions{KeepDays: 2}, []string{"four", "three", "two"}},
		{"three contents", index.ArchiveOptions{MaxBytes: 3*size + 4}, []string{"four", "three", "two"}},
		{"less than one", index.ArchiveOptions{MaxBytes: 1}, []string{"four"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newArchive(t)
			h.overwrite(flow, contents...)
			stranger := filepath.Join(h.kept.Dir, "notes.txt")
			if err := os.WriteFile(stranger, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			c.kept.Dir, c.kept.Clock = h.kept.Dir, h.kept.Clock
			h.kept = c.kept
			h.reopen()
			h.refresh()
			h.expectGoals("*", c.want...)
			if n := len(h.archived()); n != len(c.want)+1 {
				t.Errorf("%d files in the archive, want %d: %v", n, len(c.want)+1, h.archived())
			}
			h.overwrite(flow, manifest(5, "five"))
			if got := h.goals("*"); !slices.Contains(got, "four") || got[0] != "five" {
				t.Errorf("after another one: %v", got)
			}
		})
	}
}

// An examination changes nothing.
func TestExaminationLeavesTheArchiveAlone(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"), manifest(3, "three"))
	h.kept.MaxBytes = 1
	h.reopen()
	before := h.archived()
	found, err := h.Examine(t.Context(), h.roots(), index.RefreshOptions{}, true)
	if err != nil || len(found.Findings) > 0 {
		t.Errorf("findings: %v %v", found.Findings, err)
	}
	if diff := cmp.Diff(before, h.archived()); diff != "" {
		t.Errorf("the archive (-before +after):\n%s", diff)
	}
	h.refresh()
	if n := len(h.archived()); n != 1 {
		t.Errorf("after a refresh %d copies are left, want 1", n)
	}
}

func TestTamperedCopyIsNotIndexed(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	path := h.search("is:superseded").Hits[0].Path
	if err := os.WriteFile(path, []byte(manifest(1, "six")), 0o600); err != nil {
		t.Fatal(err)
	}
	report := h.refreshWith(index.RefreshOptions{Full: true})
	want := []index.Trouble{{Path: path, Reason: "checksum mismatch"}}
	if diff := cmp.Diff(want, report.Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
	h.expectGoals("*", "two")
}

func TestVersionsBelongToTheRootOfTheirFile(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.overwrite("till/.flow-guardian/handoff.yaml", manifest(3, "three"), manifest(4, "four"))
	for root, want := range map[string][]string{"shop": {"two", "one"}, "till": {"four", "three"}, "": {"four", "three", "two", "one"}} {
		roots := []index.Root{{Path: filepath.Join(h.root, root)}}
		if _, err := h.Refresh(t.Context(), roots, index.RefreshOptions{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, hit := range h.searchIn("*", roots).Hits {
			got = append(got, hit.Goal)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("root %q (-want +got):\n%s", root, diff)
		}
	}
	h = newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.overwrite("till/.flow-guardian/handoff.yaml", manifest(3, "three"), manifest(4, "four"))
	excluding := []index.Root{{Path: h.root, Exclude: []string{"shop/**"}}}
	if _, err := h.Refresh(t.Context(), excluding, index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	h.expectGoals("*", "four", "three")
}

// An entry that was dropped from a log is found in the last version that had it,
// and one that is still there only where it is.
func TestLogVersionsHoldWhatTheLogDropped(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	entry := func(day int) string {
		return fmt.Sprintf("## 2026-02-%02d\n\n### Done\n\n- piece %d of the wall\n\n### Next\n\n- paint\n\n", day, day)
	}
	top := "# Session handoff\n\n"
	h.overwrite("wall/HANDOFF.md",
		top+entry(3)+entry(2)+entry(1),
		top+entry(4)+entry(3)+entry(2)+entry(1),
		top+entry(5)+entry(4)+entry(3),
		top+entry(6)+entry(5)+entry(4))
	for _, o := range []index.RefreshOptions{{}, {Full: true}} {
		h.refreshWith(o)
		var got []string
		for _, hit := range h.search("* limit:0").Hits {
			got = append(got, fmt.Sprint(hit.Date.Day(), hit.VersionOf != ""))
		}
		if diff := cmp.Diff([]string{"6 false", "5 false", "4 false", "3 true", "2 true", "1 true"}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	}
}

func TestOverwrittenNames(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/x/HANDOFF.md":                           true,
		"/x/SESSION_HANDOFF.md":                   true,
		"/x/.flow-guardian/handoff.yaml":          true,
		"/x/meta/handoff.yaml":                    true,
		"/x/meta/handoff-log.yaml":                false,
		"/x/.planning/HANDOFF.json":               true,
		"/x/.planning/phases/1/.continue-here.md": true,
		"/x/whats-next.md":                        true,
		"/x/claude-progress.txt":                  true,
		"/x/thoughts/ledgers/CONTINUITY_api.md":   true,
		"/x/docs/handoffs/2026-02-03-login.md":    false,
		"/x/docs/handoffs/login.md":               false,
		"/x/.bon/handoffs/2026-02-03-ab12cd34.md": false,
		"/x/HANDOFF-login.md":                     false,
		"/x/handoff.py":                           false,
		"/x/...md":                                false,
	} {
		if got := index.Overwritten(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// copyDir replaces the folder to by a copy of from.
func copyDir(tb testing.TB, from, to string) {
	tb.Helper()
	if err := os.RemoveAll(to); err != nil {
		tb.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		tb.Fatal(err)
	}
	err := filepath.WalkDir(to, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		tb.Fatal(err)
	}
}
