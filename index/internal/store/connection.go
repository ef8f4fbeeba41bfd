package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/OWNER/handex/query"
)

const (
	// ApplicationID marks the database as ours, in its header: "hndx".
	ApplicationID = 0x686e6478
	// PageSize is the size of the pages of a new index.
	PageSize = 2048
)

// OpenWriter opens a connection that writes to the current generation. There must be only one at a
// time.
func (s *DB) OpenWriter(ctx context.Context) (*sql.DB, error) {
	return connect(ctx, s.Dir.Join(s.Generation()), 1, s.writeDSN()...)
}

// OpenNew opens a connection to the file of a new generation at path, which has no tables yet.
func OpenNew(path string) (*sql.DB, error) { return openFile(path, 1, buildDSN...) }

// Convert switches the generation at path from the settings of a build to those of normal use, in
// which it can be read while it is written.
func (s *DB) Convert(ctx context.Context, path string) error {
	db, err := connect(ctx, path, 1, s.writeDSN()...)
	switch {
	case err == nil:
		return db.Close()
	case errors.Is(causeOf(err), ErrCorrupt):
		// Which must not be taken for damage of the generation in use.
		return errors.New("the new index cannot be read: " + err.Error())
	}
	return err
}

// limit restricts what a connection that reads can do because of a damaged file or a mistake in a
// statement: it makes no value larger than any that is right, and opens no other file.
func limit(conn *sql.Conn) error {
	for id, most := range map[int]int{sqlite3.SQLITE_LIMIT_LENGTH: 256 << 20, sqlite3.SQLITE_LIMIT_ATTACHED: 0} {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return err
		}
	}
	return nil
}

// readDSN returns the parameters of a connection that only reads. mode=rw lets it make
// the files beside the database that readers of a WAL need.
func readDSN(mode string) []string {
	return append([]string{"mode", mode, "_query_only", "1", "_defensive", "1"}, commonDSN...)
}

// commonDSN are the parameters of all connections: text in double quotes is never a string, the
// schema cannot call functions that reach out of the database, and pages are checked.
var commonDSN = []string{
	"_busy_timeout", "10000", "_dqs", "0", "_error_rc", "1",
	"_pragma", "trusted_schema(0)", "_pragma", "cell_size_check(1)",
}

// writeDSN returns the parameters of the one connection that writes to the current generation.
// Without a write-ahead log, synchronous=NORMAL could lose the file.
func (s *DB) writeDSN() []string {
	mode := s.Journal()
	synchronous := "NORMAL"
	switch {
	case s.Options.Temporary:
		synchronous = "OFF"
	case mode != "WAL":
		synchronous = "FULL"
	}
	return append([]string{
		"mode", "rw", "_txlock", "immediate", "_journal_mode", mode, "_synchronous", synchronous, "_foreign_keys", "1",
		"_defensive", "1", "_pragma", "journal_size_limit(16777216)", "_pragma", "temp_store(memory)",
	}, commonDSN...)
}

// Journal returns SQLite's journal mode of the index: "WAL", a write-ahead log, or "DELETE", a
// rollback journal, on a disk that another machine may read.
func (s *DB) Journal() string {
	if s.Disk.SharedMemory {
		return "WAL"
	}
	return "DELETE"
}

// buildDSN are the parameters of the connection that fills a new generation, which no reader knows
// yet: if the process dies, the file is thrown away. Most handoffs have 2 to 9 KB, which leaves an
// eighth of the space unused in pages of 4096 bytes.
var buildDSN = append([]string{
	"mode", "rw", "_journal_mode", "MEMORY", "_synchronous", "OFF",
	"_pragma", fmt.Sprintf("page_size(%d)", PageSize), "_pragma", "cache_size(-65536)", "_pragma", "temp_store(memory)",
}, commonDSN...)

// connect opens the database at path and checks that it is an index of this schema: see identify.
func connect(ctx context.Context, path string, conns int, params ...string) (*sql.DB, error) {
	db, err := openFile(path, conns, params...)
	if err != nil {
		return nil, err
	}
	if err := identify(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openFile opens a database file with at most conns connections; params are alternating
// keys and values of the data source name.
func openFile(path string, conns int, params ...string) (*sql.DB, error) {
	q := url.Values{}
	for i := 0; i < len(params); i += 2 {
		q.Add(params[i], params[i+1])
	}
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter
	}
	dsn := url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// register registers the functions that compiled queries call with SQLite. The driver keeps them
// for the whole process, so it happens once, before the first connection.
var register = sync.OnceValue(func() error {
	for _, f := range query.Functions() {
		err := sqlite.RegisterDeterministicScalarFunction(f.Name, int32(f.NArgs), func(_ *sqlite.FunctionContext,
			args []driver.Value,
		) (driver.Value, error) {
			plain := make([]any, len(args))
			for i, a := range args {
				plain[i] = a
			}
			return f.Func(plain)
		})
		if err != nil {
			return err
		}
	}
	return nil
})

// Lock takes the lock of the index and returns a function that releases it. If another process
// holds the lock for longer than LockWait, it returns ErrBusy. The time of the lock file is that of
// the last refresh, so that a refresh that finds nothing new need not write.
func (s *DB) Lock(ctx context.Context) (unlock func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, s.Options.LockWait)
	defer cancel()
	f := flock.New(s.Dir.LockPath(), flock.SetPermissions(0o600))
	ok, err := f.TryLockContext(waiting, 20*time.Millisecond)
	switch {
	case ok:
		return func() { _ = f.Close() }, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, &Error{
			Op: "refresh index", Path: s.Options.Dir, Err: ErrBusy,
			Hint: "the current index can still be searched",
		}
	}
	return nil, WrapError("lock index", s.Dir.LockPath(), err)
}
