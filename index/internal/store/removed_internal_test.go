package store

import (
	"errors"
	"os"
	"testing"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A file that another process removes after it was opened and before its log was gives an
// I/O error, which must count as an index that was removed.
func TestRemovedWhileOpened(t *testing.T) {
	t.Parallel()
	s := &DB{Dir: Dir(t.TempDir()), name: "index.db"}
	path := s.Dir.Join(s.name)
	made, err := openFile(path, 1, "mode", "rwc", "_pragma", "journal_mode(wal)")
	if err == nil {
		_, err = made.ExecContext(t.Context(), "CREATE TABLE t (x)")
		err = errors.Join(err, made.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	db, err := openFile(path, 1, "mode", "rw")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := os.Remove(path); err != nil {
		t.Skip(err) // as on Windows
	}
	_, err = conn.ExecContext(t.Context(), "SELECT count(*) FROM t")
	var driver *sqlite.Error
	if !errors.As(err, &driver) || driver.Code() != sqlite3.SQLITE_IOERR_FSTAT {
		t.Fatalf("error %v, want one of fstat", err)
	}
	if err := s.orRemoved(err); !errors.Is(err, ErrNoIndex) || !errors.Is(err, errRemoved) {
		t.Errorf("error %v, want that of an index that was removed", err)
	}
	_, err = s.openRead(t.Context(), s.name)
	if err := s.orRemoved(err); !errors.Is(err, errRemoved) {
		t.Errorf("error %v on opening it, want that of an index that was removed", err)
	}
	if err := s.orRemoved(errors.New("other")); errors.Is(err, ErrNoIndex) {
		t.Errorf("error %v, want another", err)
	}
}
