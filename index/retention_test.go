package index_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// What is removed lies in the trash for thirty days, whence it can be put back.
func TestRemovedVersionsAreInTheTrash(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"), manifest(3, "three"))
	h.kept.KeepDays = 1
	h.reopen()
	h.refresh()
	h.expectGoals("*", "three", "two")
	trash := func() []string {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(h.kept.Dir, "trash", "*"))
		noErr(t, err)
		return names
	}
	if n := len(trash()); n != 2 {
		t.Fatalf("%d files in the trash, want a content and its sidecar", n)
	}
	wait := func(days int) {
		for range days * 2 {
			h.now = h.now.Add(12 * time.Hour)
			h.refresh()
		}
	}
	wait(29)
	names := trash()
	if len(names) < 2 {
		t.Fatalf("after 29 days the trash holds %v", names)
	}
	h.kept.KeepDays = 0
	h.reopen()
	for _, name := range names {
		noErr(t, os.Rename(name, filepath.Join(h.kept.Dir, filepath.Base(name))))
	}
	h.refresh()
	h.expectGoals("*", "three", "two", "one")
	h.kept.KeepDays = 1
	h.reopen()
	h.refresh()
	wait(33) // the one that was replaced last is old a day later
	if names := trash(); len(names) > 0 {
		t.Errorf("after 33 days the trash holds %v", names)
	}
}

// A clock that is not the machine's, or that jumped, makes no version old.
func TestClockThatJumpedRemovesNothing(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.kept.KeepDays = 365
	machine := h.now
	h.kept.Clock = func() time.Time { return machine }
	h.reopen()
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"), manifest(3, "three"))
	all := []string{"three", "two", "one"}
	h.now = h.now.AddDate(5, 0, 0)
	for range 3 {
		h.reopen()
		h.refresh()
		h.now = h.now.Add(2 * time.Hour)
	}
	h.expectGoals("*", all...)
	h.now = machine
	for _, jump := range []time.Duration{5 * 365 * 24 * time.Hour, 25 * time.Hour, -30 * time.Hour} {
		before := machine
		machine = machine.Add(jump)
		for range 3 {
			h.refresh()
			machine = machine.Add(time.Minute)
		}
		h.expectGoals("*", all...)
		machine = before
		h.refresh()
	}
	machine = machine.AddDate(5, 0, 0)
	h.refresh()
	h.expectGoals("*", all...)
	machine = machine.Add(2 * time.Hour) // it goes on from there
	h.refresh()
	h.expectGoals("*", "three")
}

// Without a clock nothing is removed.
func TestRetentionNeedsAClock(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.kept = index.ArchiveOptions{Dir: h.kept.Dir, MaxBytes: 1}
	h.reopen()
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	h.refresh()
	h.expectGoals("*", "two", "one")
}
