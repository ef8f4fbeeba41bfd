// Package store keeps the files of an index, the connections to them and the form of their rows.
// Damage is reported as ErrCorrupt.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
)

// Options says where an index is and how it is read and written.
type Options struct {
	Dir       string // absolute; it is made if need be
	Now       func() time.Time
	Zone      *time.Location // of the times that are returned
	ReadOnly  bool           // nothing is written, not even a lock
	Temporary bool           // nothing waits for a disk
	Stale     time.Duration  // the age from which an open handoff is stale; 0 is 7 days
	LockWait  time.Duration  // how long to wait for another process that writes; 0 is 10 s
	Readers   int            // connections that read at once; 0 is 4
}

// A DB is the files of an index and the connections to them. Its methods may be called by several
// goroutines at once. Connections are made on first use.
type DB struct {
	Options Options
	Dir     Dir
	Disk    fsx.Kind // what Dir is on

	mu      sync.Mutex
	name    string // generation that read is of
	file    fs.FileInfo
	read    *sql.DB
	frozen  bool // read does not see what is written from now on
	had     bool // there was an index
	notices []string
}

// Open returns the index kept in o.Dir, which may contain none yet. If the folder cannot be made,
// it returns the DB and the error.
func Open(o Options) (*DB, error) {
	switch {
	case o.Now == nil:
		return nil, &Error{Op: "open index", Path: o.Dir, Err: errors.New("no clock was given")}
	case !filepath.IsAbs(o.Dir):
		return nil, &Error{Op: "open index", Path: o.Dir, Err: errors.New("the folder is not an absolute path")}
	}
	if err := register(); err != nil {
		return nil, WrapError("open index", o.Dir, err)
	}
	o.Stale, o.LockWait = cmp.Or(o.Stale, 7*24*time.Hour), cmp.Or(o.LockWait, 10*time.Second)
	o.Readers = cmp.Or(o.Readers, 4)
	s := &DB{Options: o, Dir: Dir(o.Dir)}
	if err := s.MakeDir(); err != nil {
		return s, WrapError("open index", o.Dir, err)
	}
	s.Disk = fsx.KindOf(o.Dir)
	return s, nil
}

// MakeDir makes the folder of the index with narrow rights. It is an error if others can write to
// the folder: they could put words into the index.
func (s *DB) MakeDir() error {
	if s.Options.ReadOnly {
		return nil
	}
	if err := os.MkdirAll(s.Options.Dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(s.Options.Dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: s.Options.Dir, Err: errors.New("not a folder")}
	case fsx.WritableByOthers(info) != 0 && info.Mode()&fs.ModeSticky == 0:
		return &Error{
			Op: "open index", Path: s.Options.Dir, Err: errors.New("other users can write to the folder"),
			Hint: "run: chmod go-w " + s.Options.Dir,
		}
	}
	return nil
}

// Close closes the connections to the index.
func (s *DB) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeRead()
}

// Reopen closes the connections to the index, so that later reads read the file again. SQLite
// reports some passing read errors as damage.
func (s *DB) Reopen() error { return s.Close() }

// closeRead closes the connections that read. The caller holds s.mu.
func (s *DB) closeRead() error {
	if s.read == nil {
		return nil
	}
	db := s.read
	s.read, s.name, s.file, s.frozen = nil, "", nil, false
	return WrapError("close index", s.Options.Dir, db.Close())
}

// Notices returns the messages for a person that were added since the last call, a line each.
func (s *DB) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.notices
	s.notices = nil
	return n
}

// Notice adds a line that Notices returns.
func (s *DB) Notice(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// Reader returns the connections to the current generation. If another process has built a new one,
// it switches to it. The error is ErrNoIndex if there is no index, errRemoved if there was one and
// it is gone.
func (s *DB) Reader(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A generation can be removed between reading its name and opening it;
	// twice in a row means that it is simply missing.
	var err error
	for range 3 {
		var name string
		if name, err = s.Dir.Current(); err != nil {
			if s.had && errors.Is(err, ErrNoIndex) {
				err = errRemoved
			}
			return nil, errors.Join(err, s.closeRead())
		}
		file, statErr := os.Stat(s.Dir.Join(name))
		if s.read != nil && s.name == name && !s.frozen && statErr == nil && os.SameFile(file, s.file) {
			return s.read, nil
		}
		if err = s.closeRead(); err != nil {
			return nil, err
		}
		if s.read, err = s.openRead(ctx, name); err == nil {
			s.name, s.file, s.had = name, file, true
			return s.read, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, WrapError("open index", s.Dir.Join(name), err)
		}
	}
	return nil, errors.Join(ErrNoIndex, err)
}

// openRead opens connections that read the generation with a name. On a disk that cannot be
// written, it reads the file alone if the log is empty, and sets s.frozen.
func (s *DB) openRead(ctx context.Context, name string) (*sql.DB, error) {
	path := s.Dir.Join(name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	mode := "rw"
	if s.Options.ReadOnly {
		mode = "ro"
	}
	db, err := connect(ctx, path, s.Options.Readers, readDSN(mode)...)
	if err != nil {
		if _, statErr := os.Stat(path); errors.Is(statErr, fs.ErrNotExist) {
			return nil, statErr // removed meanwhile
		}
	}
	if err == nil || !needsNoLog(err) {
		return db, err
	}
	// Readers of a write-ahead log share a file that has to be written. Where
	// that cannot be and the log is empty, the index is all in its own file.
	if info, statErr := os.Stat(path + "-wal"); !errors.Is(statErr, fs.ErrNotExist) &&
		(statErr != nil || info.Size() > 0) {
		return nil, err
	}
	s.frozen = true
	return connect(ctx, path, s.Options.Readers, append(readDSN("ro"), "immutable", "1")...)
}

// needsNoLog reports whether err, from opening a database, may only come from its log, so that the
// database file alone could be read.
func needsNoLog(err error) bool {
	var driver *sqlite.Error
	return errors.Is(causeOf(err), ErrFull) || errors.Is(causeOf(err), ErrReadOnly) ||
		errors.As(err, &driver) && driver.Code()&0xff == sqlite3.SQLITE_CANTOPEN
}

// Read calls f with queries on one consistent state of the index. op names the operation in errors.
// It returns ErrNoIndex without calling f if there is no index.
func (s *DB) Read(ctx context.Context, op string, f func(*sqlitedb.Queries) error) error {
	return s.ReadTx(ctx, op, func(tx sqlitedb.DBTX) error { return f(sqlitedb.New(tx)) })
}

// ReadTx is Read for statements that are not generated. It does not use sql.Tx, which starts a
// goroutine for itself and one for each query.
func (s *DB) ReadTx(ctx context.Context, op string, f func(sqlitedb.DBTX) error) error {
	db, err := s.Reader(ctx)
	if err != nil {
		return err
	}
	conn, err := db.Conn(Uninterrupted(ctx))
	if err != nil {
		return WrapError(op, s.Options.Dir, s.orRemoved(err))
	}
	defer func() { _ = conn.Close() }()
	if err := limit(conn); err != nil {
		return WrapError(op, s.Options.Dir, err)
	}
	if _, err := conn.ExecContext(Uninterrupted(ctx), "BEGIN"); err != nil {
		return WrapError(op, s.Options.Dir, s.orRemoved(err))
	}
	defer endReading(Uninterrupted(ctx), conn)
	if err := f(conn); err != nil {
		return WrapError(op, s.Options.Dir, s.orRemoved(diagnose(ctx, db, err)))
	}
	return nil
}

// orRemoved adds errRemoved to an error that occurs because the generation's file was
// removed before it was opened, or before its log was. Other errors are returned as they are.
func (s *DB) orRemoved(err error) error {
	var driver *sqlite.Error
	if !errors.Is(err, fs.ErrNotExist) && (!errors.As(err, &driver) || driver.Code()&0xff != sqlite3.SQLITE_IOERR &&
		driver.Code()&0xff != sqlite3.SQLITE_CANTOPEN) {
		return err
	}
	if _, statErr := os.Stat(s.Dir.Join(s.Generation())); errors.Is(statErr, fs.ErrNotExist) {
		return fmt.Errorf("%w (%w)", errRemoved, err)
	}
	return err
}

// endReading ends a transaction that wrote nothing. If that fails, the connection is not used
// again.
func endReading(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// Uninterrupted returns ctx without its cancellation, for statements that look up a few rows: for
// each statement that can be interrupted the driver starts a goroutine, which takes longer than
// such a statement. A cancelled operation ends with its next statement.
func Uninterrupted(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// Generation returns the name of the file that is being read, "" if none is open.
func (s *DB) Generation() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// MoveAside renames the file of the current generation, which is damaged, and adds a notice with
// the cause.
func (s *DB) MoveAside(cause error) error {
	if err := s.Reopen(); err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	name, err := s.Dir.Current()
	if err != nil {
		return err
	}
	aside, err := s.Dir.setAside(name)
	if err == nil {
		s.Notice("the index was damaged (%v) and is being rebuilt; the damaged file was moved to %s", cause, aside)
	}
	return err
}

// Publish makes a complete generation the current one.
func (s *DB) Publish(name string) error {
	if err := s.Dir.publish(name, !s.Options.Temporary); err != nil {
		return err
	}
	return s.Reopen()
}

// RefreshedAt returns when the last successful refresh ended, zero if there was none.
func (s *DB) RefreshedAt() time.Time {
	info, err := os.Stat(s.Dir.LockPath())
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().In(s.Options.Zone)
}
