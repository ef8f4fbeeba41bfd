package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where the index cannot have a write-ahead log it does without: one that has it
// is built anew.
func TestRollbackJournal(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	path := filepath.Join(h.dir, generationName(1))
	modeOf := func(path, want string) {
		t.Helper()
		if got := rawRows(t, path, "PRAGMA journal_mode"); len(got) != 1 || got[0].Text("journal_mode") != want {
			t.Errorf("journal mode %v, want %s", got, want)
		}
	}
	modeOf(path, "wal")
	h.reopen()
	h.PutOnShare()
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-04", "cccc3333", "login mail", "send it"))
	if report := h.refresh(); report.Added != 1 || report.Updated != 2 {
		t.Errorf("report: %+v", report)
	}
	modeOf(filepath.Join(h.dir, generationName(2)), "delete")
	h.remove(two)
	if report := h.refresh(); report.Removed != 1 {
		t.Errorf("report: %+v", report)
	}
	modeOf(filepath.Join(h.dir, generationName(2)), "delete")
	h.expect("login", one, ".claude/handoffs/-work-shop/cccc3333.md")
	for _, name := range allNames(t, h.dir) {
		if strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") {
			t.Errorf("%s is there", name)
		}
	}
	h.whole()
}

func allNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
