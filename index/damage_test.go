package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/OWNER/handex/index"
)

// A folder in the place of the index is passed over, and what is in it stays.
func TestFolderInPlaceOfTheIndex(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.reopen()
	path := filepath.Join(h.dir, generationName(1))
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(path, "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.expect("login")
	if report := h.refresh(); report.Added != 2 {
		t.Errorf("report: %+v", report)
	}
	h.expect("login", one, two)
	if b, err := os.ReadFile(mine); err != nil || string(b) != "mine" {
		t.Errorf("%q %v", b, err)
	}
}

// A folder in the place of the pointer is an error, and stays.
func TestFolderInPlaceOfThePointer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "test"))
	if err := os.MkdirAll(filepath.Join(h.dir, pointerName), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := h.Refresh(t.Context(), h.roots(), index.RefreshOptions{})
	if err == nil || !strings.HasSuffix(err.Error(), pointerName+": is a directory") {
		t.Errorf("refresh: %v", err)
	}
}

// The log of another index, which SQLite takes for this one's, is damage or has
// no effect: what it holds is never mixed with what is there.
func TestLogOfAnotherIndex(t *testing.T) {
	t.Parallel()
	h, other := twoNotes(t), newHouse(t)
	for i := range 30 {
		other.write(".claude/handoffs/-work-else/"+strings.Repeat("y", i+1)+".md", note("2026-02-02", "s", "other login", "nothing"))
	}
	other.refresh()
	other.expect("nothing limit:1", ".claude/handoffs/-work-else/"+strings.Repeat("y", 30)+".md")
	other.write(".claude/handoffs/-work-else/z.md", note("2026-02-02", "s", "other login", "nothing"))
	other.refresh()
	log, err := os.ReadFile(filepath.Join(other.dir, generationName(1)+"-wal"))
	if err != nil || len(log) == 0 {
		t.Fatalf("a log of %d bytes, %v", len(log), err)
	}
	ids := h.ids()
	h.reopen()
	if err := os.WriteFile(filepath.Join(h.dir, generationName(1)+"-wal"), log, 0o600); err != nil {
		t.Fatal(err)
	}
	if report := h.refresh(); report.Handoffs != 2 {
		t.Errorf("report: %+v", report)
	}
	h.expect("login", one, two)
	for name, id := range ids {
		if _, err := h.Load(t.Context(), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.whole()
}

// Merges of the full-text index that came after a search are no damage.
func TestCheckAfterMerges(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	for i := range 20 {
		h.write(one, note("2026-02-01", "aaaa1111", fmt.Sprint("login form ", i), "test it"))
		h.refresh()
		h.whole()
		h.expect("login", one, two)
	}
}
