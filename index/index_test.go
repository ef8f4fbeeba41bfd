package index_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/index/testkit/dump"
	"github.com/OWNER/handex/query"
)

// Each draw of a property here builds some indexes: a few find what is wrong with
// most changes, and make faults draws thousands.
func TestMain(m *testing.M) {
	testkit.SetDraws(10, 2000)
	m.Run()
}

// A house is a folder of handoffs and the index of it.
type house struct {
	t    testing.TB
	root string
	dir  string
	now  time.Time
	zone *time.Location
	kept index.ArchiveOptions
	// program is the version that refreshes.
	program string
	// inner are roots in the root.
	inner []index.Root
	*index.Store
}

// newHouse is an empty one. Its clock is an hour ahead, so that files written
// now are old enough to be told unchanged.
func newHouse(tb testing.TB) *house {
	tb.Helper()
	h := &house{t: tb, root: filepath.Join(realTemp(tb), "home"), dir: filepath.Join(realTemp(tb), "ix"), now: time.Now().Add(time.Hour), zone: time.UTC}
	if err := os.MkdirAll(h.root, 0o755); err != nil {
		tb.Fatal(err)
	}
	h.reopen()
	return h
}

func realTemp(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// reopen opens the index as the next process would.
func (h *house) reopen() {
	h.t.Helper()
	if h.Store != nil {
		if err := h.Close(); err != nil {
			h.t.Fatal(err)
		}
	}
	s, err := index.Open(h.t.Context(), index.Options{Dir: h.dir, Now: func() time.Time { return h.now }, Zone: h.zone, LockWait: time.Second, Archive: h.kept, Program: h.program})
	if err != nil {
		h.t.Fatal(err)
	}
	h.Store = s
	h.t.Cleanup(func() { _ = s.Close() })
}

func (h *house) path(rel string) string { return filepath.Join(h.root, filepath.FromSlash(rel)) }

// write writes a file; its times are those of the moment.
func (h *house) write(rel, text string) {
	h.t.Helper()
	path := h.path(rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// writeAt writes a file as if at a time.
func (h *house) writeAt(rel, text string, at time.Time) {
	h.t.Helper()
	h.write(rel, text)
	if err := os.Chtimes(h.path(rel), at, at); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) remove(rel string) {
	h.t.Helper()
	if err := os.RemoveAll(h.path(rel)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) move(from, to string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(to)), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Rename(h.path(from), h.path(to)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) roots() []index.Root { return append([]index.Root{{Path: h.root}}, h.inner...) }

// refresh refreshes the whole house.
func (h *house) refresh() index.Report {
	h.t.Helper()
	return h.refreshWith(index.RefreshOptions{})
}

func (h *house) refreshWith(o index.RefreshOptions) index.Report {
	h.t.Helper()
	report, err := h.Refresh(h.t.Context(), h.roots(), o)
	if err != nil {
		h.t.Fatal(err)
	}
	report.Elapsed = 0
	return report
}

// search answers the hits of a query.
func (h *house) search(text string) *index.Result {
	h.t.Helper()
	return h.searchIn(text, nil)
}

func (h *house) searchIn(text string, roots []index.Root) *index.Result {
	h.t.Helper()
	q, err := query.Parse(text, query.Env{Now: h.now, Zone: h.zone})
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := h.Search(h.t.Context(), q, index.SearchOptions{Roots: index.PathsOf(roots)})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// found answers the paths of the hits, relative to the root, in order.
func (h *house) found(text string) []string {
	h.t.Helper()
	list := []string{}
	for _, hit := range h.search(text).Hits {
		list = append(list, h.relative(hit.Path))
	}
	return list
}

// relative returns a path relative to the root.
func (h *house) relative(path string) string {
	h.t.Helper()
	rel, err := filepath.Rel(h.root, path)
	noErr(h.t, err)
	return filepath.ToSlash(rel)
}

// expect fails unless the query finds just these files, whatever the order.
func (h *house) expect(text string, want ...string) {
	h.t.Helper()
	got := h.found(text)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		h.t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

// ids answers the public ids by path and entry.
func (h *house) ids() map[string]string {
	h.t.Helper()
	ids := map[string]string{}
	for _, hit := range h.search("* limit:0").Hits {
		rel, _ := filepath.Rel(h.root, hit.Path)
		ids[fmt.Sprintf("%s#%d", filepath.ToSlash(rel), hit.Entry)] = hit.ID
	}
	return ids
}

// whole fails if the index contradicts itself.
func (h *house) whole() {
	h.t.Helper()
	faults, err := h.Check(h.t.Context())
	if err != nil || len(faults) > 0 {
		h.t.Errorf("check: %v %v", faults, err)
	}
}

// note is a handoff of claude-suite.
func note(date, session, goal, next string) string {
	return "# Handoff — " + date + "\n\nsession_id: " + session + "\npurpose: " + goal + "\n\n## Done\n\n- wrote the " + goal + "\n\n## Next\n\n- " + next + "\n"
}

// makeForeign makes another program's database.
func makeForeign(tb testing.TB, path string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(context.Background(), "CREATE TABLE diary (note TEXT); INSERT INTO diary VALUES ('dear diary'); PRAGMA application_id = 7"); err != nil {
		tb.Fatal(err)
	}
}

// statusPath is the file of the index in use.
func statusPath(h *house) string {
	h.t.Helper()
	st, err := h.Status(h.t.Context())
	noErr(h.t, err)
	return st.Path
}

// dump reads the index of the house.
func (h *house) dump() dump.Index {
	h.t.Helper()
	d, err := dump.Read(h.t.Context(), statusPath(h))
	noErr(h.t, err)
	return d
}

// rawRows reads a database behind the index's back.
func rawRows(tb testing.TB, path, q string) []dump.Row {
	tb.Helper()
	rows, err := dump.Query(tb.Context(), path, q)
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}
