package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/OWNER/handex/index"
)

// manifestAt is a handoff that is dated without a zone.
func manifestAt(goal string, hour int) string {
	return fmt.Sprintf("goal: %s\nstatus: in_progress\nnow: testing\ntimestamp: 2026-02-01T%02d:00:00\n", goal, hour)
}

// hours answers the hours of all handoffs in UTC, by goal.
func (h *house) hours() map[string]int {
	h.t.Helper()
	hours := map[string]int{}
	for _, hit := range h.search("* limit:0").Hits {
		hours[hit.Goal] = hit.Date.UTC().Hour()
	}
	return hours
}

// A refresh of one project in another zone reads what is new in that one, and leaves
// it to the next of all to read the rest in it, wherever that is.
func TestPartInAnotherZone(t *testing.T) {
	const shop, bank, till = "shop/.flow-guardian/handoff.yaml", "bank/.flow-guardian/handoff.yaml", "shop/meta/.flow-guardian/handoff.yaml"
	h := newHouse(t)
	h.write(shop, manifestAt("login", 10))
	h.write(bank, manifestAt("ledger", 11))
	h.refresh()
	part := index.RefreshOptions{Only: h.path("shop")}
	for _, c := range []struct {
		name   string
		zone   int
		change func()
		o      index.RefreshOptions
		want   index.Report
		hours  map[string]int
	}{
		{"nothing new", 2, func() {}, part, index.Report{Files: 1, Unchanged: 1, Handoffs: 2}, map[string]int{"login": 10, "ledger": 11}},
		{"back home", 0, func() {}, index.RefreshOptions{}, index.Report{Files: 2, Unchanged: 2, Handoffs: 2}, map[string]int{"login": 10, "ledger": 11}},
		{"a new one", 2, func() { h.write(till, manifestAt("till", 12)) }, part, index.Report{Files: 2, Added: 1, Unchanged: 1, Handoffs: 3}, map[string]int{"login": 10, "ledger": 11, "till": 10}},
		{"nothing new again", 2, func() {}, part, index.Report{Files: 2, Unchanged: 2, Handoffs: 3}, map[string]int{"login": 10, "ledger": 11, "till": 10}},
		{"back home with it", 0, func() {}, index.RefreshOptions{}, index.Report{Files: 3, Updated: 3, Handoffs: 3}, map[string]int{"login": 10, "ledger": 11, "till": 12}},
		{"all in the other zone", 2, func() {}, index.RefreshOptions{}, index.Report{Files: 3, Updated: 3, Handoffs: 3}, map[string]int{"login": 8, "ledger": 9, "till": 10}},
	} {
		h.zone = index.Zone(c.zone)
		h.reopen()
		c.change()
		if diff := cmp.Diff(c.want, h.refreshWith(c.o), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
			t.Errorf("%s: report (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.hours, h.hours()); diff != "" {
			t.Errorf("%s: hours (-want +got):\n%s", c.name, diff)
		}
		h.whole()
	}
}

// What only a build could bring up to date, a refresh of one project leaves alone:
// it must not take the time of a build.
func TestPartNeverBuilds(t *testing.T) {
	only := func(h *house) error {
		_, err := h.Refresh(t.Context(), h.roots(), index.RefreshOptions{Only: h.path(".claude")})
		return err
	}
	t.Run("another kind of disk", func(t *testing.T) {
		h := twoNotes(t)
		before := statusPath(h)
		h.PutOnShare()
		want := "read index " + h.dir + ": the index must be rebuilt: it was created for another kind of file system"
		if err := only(h); !errors.Is(err, index.ErrOutdated) || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if after := statusPath(h); after != before {
			t.Errorf("the index was %s and is %s", before, after)
		}
		h.refresh()
		noErr(t, only(h))
	})
	t.Run("damage", func(t *testing.T) {
		h := twoNotes(t)
		path := statusPath(h)
		noErr(t, h.Close())
		noErr(t, os.WriteFile(path, []byte("no database at all, but not empty either"), 0o600))
		h.reopen()
		if err := only(h); !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("error %v, want damage", err)
		}
		if text, err := os.ReadFile(path); err != nil || len(text) != 40 {
			t.Errorf("the damaged file was not left where it is: %d bytes, %v", len(text), err)
		}
		h.refresh()
		noErr(t, only(h))
		h.expect("login", one, two)
	})
}

// An index that was set aside is built anew by the next refresh.
func TestSetAsideIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	noErr(t, h.SetAside(t.Context(), errors.New("checksum mismatch in handoff 7")))
	if got := h.Notices(); len(got) != 1 || !strings.HasPrefix(got[0], "the index was damaged (checksum mismatch in handoff 7) and is being rebuilt; the damaged file was moved to "+h.dir) {
		t.Errorf("notices: %q", got)
	}
	want := index.Report{Files: 2, Added: 2, Handoffs: 2}
	if diff := cmp.Diff(want, h.refresh(), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	h.expect("login", one, two)
}

// An index that is thrown away unsearched has all of a handoff but the tables to
// search it by.
func TestWordlessIndex(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	s, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(realTemp(t), "ix"), Now: func() time.Time { return h.now }, Temporary: true, SkipFullText: true})
	noErr(t, err)
	defer func() { noErr(t, s.Close()) }()
	for range 2 {
		if _, err := s.Refresh(t.Context(), h.roots(), index.RefreshOptions{Only: h.path(".claude"), Most: 1}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Recent(t.Context(), "-work-shop", 5)
	noErr(t, err)
	if r.Total != 2 || r.Handoffs[0].Session != "bbbb2222" || r.Handoffs[1].Session != "aaaa1111" {
		t.Errorf("%+v", r)
	}
	st, err := s.Status(t.Context())
	noErr(t, err)
	if tables := rawRows(t, st.Path, "SELECT name FROM sqlite_schema WHERE name IN ('body', 'fts', 'stem', 'part')"); len(tables) != 1 {
		t.Errorf("tables: %v", tables)
	}
}

// A bound on how many files are read leaves the older ones to the next refreshes,
// each of which does its share.
func TestMostOfAPart(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var names []string
	for i := range 7 {
		name := fmt.Sprintf("shop/docs/handoffs/%d/2026-02-0%d-note.md", i%2, i+1)
		names = append(names, name)
		h.writeAt(name, note(fmt.Sprintf("2026-02-0%d", i+1), fmt.Sprintf("aaaa111%d", i), "login", "test"), time.Date(2026, 2, i+1, 12, 0, 0, 0, time.UTC))
	}
	slices.Reverse(names)
	part := index.RefreshOptions{Only: h.path("shop"), Most: 3}
	for _, want := range []index.Report{
		{Files: 7, Added: 3, Left: 4, Handoffs: 3},
		{Files: 7, Added: 3, Unchanged: 3, Left: 1, Handoffs: 6},
		{Files: 7, Added: 1, Unchanged: 6, Handoffs: 7},
		{Files: 7, Unchanged: 7, Handoffs: 7},
	} {
		if diff := cmp.Diff(want, h.refreshWith(part), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
			t.Errorf("report (-want +got):\n%s", diff)
		}
		h.expect("login limit:0", names[:want.Handoffs]...)
		h.whole()
	}
	// Files that are gone may have been moved: then all are read together.
	h.move("shop/docs/handoffs/0", "shop/docs/handoffs/2")
	want := index.Report{Files: 7, Added: 4, Removed: 4, Unchanged: 3, Handoffs: 7}
	if diff := cmp.Diff(want, h.refreshWith(part), cmpopts.IgnoreFields(index.Report{}, "Problems")); diff != "" {
		t.Errorf("after a move (-want +got):\n%s", diff)
	}
}
