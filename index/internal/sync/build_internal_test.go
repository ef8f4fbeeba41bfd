package sync

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	schema "github.com/OWNER/handex/sql"
)

// TestMergeLoaded fills fts with many segments: after the merge there is one, complete, and
// what the segments occupied is not left in the file.
func TestMergeLoaded(t *testing.T) {
	const handoffs, words = 200, 3000 // some 8 MB of postings
	path := filepath.Join(t.TempDir(), "index.db")
	if err := store.Dir(filepath.Dir(path)).Create(filepath.Base(path)); err != nil {
		t.Fatal(err)
	}
	db, err := store.OpenNew(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatalf("%.40s: %v", statement, err)
		}
	}
	number := func(statement string) (n int) {
		t.Helper()
		if err := db.QueryRow(statement).Scan(&n); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		return n
	}
	exec(schema.Schema)
	exec(schema.FullText)
	exec("BEGIN")
	for id := 1; id <= handoffs; id++ {
		var text strings.Builder
		for i := range words {
			fmt.Fprintf(&text, "w%06x ", i*handoffs+id) // in all parts of the alphabet, as words are
		}
		row := []any{id, text.String()}
		for range strings.Count(sqlitedb.InsertBody, "?") - len(row) {
			row = append(row, "")
		}
		exec(sqlitedb.InsertBody, row...)
	}
	for _, statement := range append(loadSettings(), setting("hashsize", 1<<18)) {
		exec(statement)
	}
	exec("INSERT INTO fts (fts) VALUES ('rebuild')")
	loaded := number("PRAGMA page_count")
	if err := mergeLoaded(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	exec("COMMIT")
	exec("INSERT INTO fts (fts, rank) VALUES ('integrity-check', 1)")
	if n := number("SELECT count(*) FROM fts_vocab WHERE doc = 1"); n != handoffs*words {
		t.Errorf("%d words after the merge, want %d", n, handoffs*words)
	}
	if grown := number("PRAGMA page_count") - loaded; grown*store.PageSize > 4<<20 {
		t.Errorf("the merge made the file %d pages larger", grown)
	}
	exec("INSERT INTO fts (fts, rank) VALUES ('usermerge', 2)")
	before := number("SELECT total_changes()")
	exec("INSERT INTO fts (fts, rank) VALUES ('merge', 1)")
	if n := number("SELECT total_changes()") - before; n > 1 {
		t.Errorf("a second merge has something to merge: %d changes", n)
	}
}
