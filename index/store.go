package index

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"handex/index/internal/fsx"
	"handex/index/internal/sqlitedb"
)

// Options says where an index is and how it behaves.
type Options struct {
	// Dir is the absolute folder of the index; it is made if need be.
	Dir string
	// Now is the clock; it is required.
	Now func() time.Time
	// Zone is where times without a zone were written; nil is UTC. An index
	// built in another zone is built anew by the next Refresh.
	Zone *time.Location
	// ReadOnly promises that nothing is written, not even a lock.
	ReadOnly bool
	// Stale is the age from which an open handoff is stale; 0 is 7 days.
	Stale time.Duration
	// Archive is where earlier versions of files are kept.
	Archive ArchiveOptions
	// Program names the program and its version: another may have other rules of
	// what a handoff is, so what it has seen of folders is not relied on.
	Program string
	// Passing says that the index is thrown away with the process: nothing waits for
	// a disk.
	Passing bool
	// Wordless says that nothing is searched for: the full-text tables, which take most
	// of the time of a build, are not made.
	Wordless bool
	// LockWait is how long Refresh waits for another one; 0 is 10 s.
	LockWait time.Duration
	// Getenv is os.Getenv or alike; nil is os.Getenv. Git gets its environment from
	// it.
	Getenv func(string) string
	// Readers is how many searches run at once; 0 is 4.
	Readers int
}

const (
	defaultStale    = 7 * 24 * time.Hour
	defaultLockWait = 10 * time.Second
	// applicationID marks the database as ours, in its header: "hndx".
	applicationID = 0x686e6478
	pageSize      = 2048
	// readers bounds the connections that search at once where nothing else is said.
	readers = 4
)

// Store is an index. Its methods may be called by several goroutines at once.
// Connections are made on first use.
type Store struct {
	opt  Options
	dir  folder
	disk fsx.Kind // what dir lies on

	mu      sync.Mutex
	name    string // generation that read is of
	file    fs.FileInfo
	read    *sql.DB
	frozen  bool // read does not see what is written from now on
	had     bool // there was an index
	notices []string
}

// Open returns the index kept in o.Dir. There may be none yet: it appears with
// the first Refresh, and until then it answers as an empty one.
func Open(_ context.Context, o Options) (*Store, error) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Stale == 0 {
		o.Stale = defaultStale
	}
	if o.LockWait == 0 {
		o.LockWait = defaultLockWait
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	s := &Store{opt: o, dir: folder(o.Dir)}
	switch {
	case o.Now == nil:
		return nil, &Error{Op: "open index", Path: o.Dir, Err: errors.New("no clock was given")}
	case !filepath.IsAbs(o.Dir):
		return nil, &Error{Op: "open index", Path: o.Dir, Err: errors.New("the folder is not absolute")}
	}
	if err := register(); err != nil {
		return nil, fault("open index", o.Dir, err)
	}
	if err := s.makeDir(); err != nil {
		return s, fault("open index", o.Dir, err)
	}
	s.disk = fsx.KindOf(o.Dir)
	return s, nil
}

// makeDir makes the folder with narrow rights, and refuses one that others can
// write to: they could put words into the index.
func (s *Store) makeDir() error {
	if s.opt.ReadOnly {
		return nil
	}
	if err := os.MkdirAll(s.opt.Dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(s.opt.Dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: s.opt.Dir, Err: errors.New("not a folder")}
	case info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 && fsx.CheckRights:
		return &Error{
			Op: "open index", Path: s.opt.Dir, Err: errors.New("others can write to the folder"),
			Hint: "run: chmod go-w " + s.opt.Dir,
		}
	}
	return nil
}

// Close ends the use of the index.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeRead()
}

func (s *Store) closeRead() error {
	if s.read == nil {
		return nil
	}
	db := s.read
	s.read, s.name, s.file, s.frozen = nil, "", nil, false
	return fault("close index", s.opt.Dir, db.Close())
}

// Notices returns what a person should be told since the last call, a line each.
func (s *Store) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.notices
	s.notices = nil
	return n
}

func (s *Store) notice(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// reader answers the connections to the generation in use, following it when
// another process has built a new one. ErrNoIndex when there is none, errRemoved when
// there is none any more.
func (s *Store) reader(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A generation can be removed between reading its name and opening it;
	// twice in a row means that it is simply missing.
	var err error
	for range 3 {
		var name string
		if name, err = s.dir.current(); err != nil {
			if s.had && errors.Is(err, ErrNoIndex) {
				err = errRemoved
			}
			return nil, errors.Join(err, s.closeRead())
		}
		file, statErr := os.Stat(s.dir.join(name))
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
			return nil, fault("open index", s.dir.join(name), err)
		}
	}
	return nil, errors.Join(ErrNoIndex, err)
}

func (s *Store) openRead(ctx context.Context, name string) (*sql.DB, error) {
	path := s.dir.join(name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	mode := "rw"
	if s.opt.ReadOnly {
		mode = "ro"
	}
	conns := cmp.Or(s.opt.Readers, readers)
	db, err := connect(ctx, path, conns, readDSN(mode)...)
	if err == nil || !needsNoLog(err) {
		return db, err
	}
	// Readers of a write-ahead log share a file that has to be written. Where
	// that cannot be and the log is empty, the index is all in its own file.
	if info, statErr := os.Stat(path + "-wal"); !errors.Is(statErr, fs.ErrNotExist) && (statErr != nil || info.Size() > 0) {
		return nil, err
	}
	s.frozen = true
	return connect(ctx, path, conns, append(readDSN("ro"), "immutable", "1")...)
}

// needsNoLog reports whether a database might be read but for its log.
func needsNoLog(err error) bool {
	var driver *sqlite.Error
	return errors.Is(causeOf(err), ErrFull) || errors.Is(causeOf(err), ErrReadOnly) ||
		errors.As(err, &driver) && driver.Code()&0xff == sqlite3.SQLITE_CANTOPEN
}

// transaction runs f on one consistent state of the index. It answers
// ErrNoIndex without calling f when there is none.
func (s *Store) transaction(ctx context.Context, op string, f func(*sqlitedb.Queries) error) error {
	return s.transactionTx(ctx, op, func(tx sqlitedb.DBTX) error { return f(sqlitedb.New(tx)) })
}

// transactionTx is transaction for statements that are not generated. It is no
// sql.Tx, which starts a goroutine for itself and one for each query.
func (s *Store) transactionTx(ctx context.Context, op string, f func(sqlitedb.DBTX) error) error {
	db, err := s.reader(ctx)
	if err != nil {
		return err
	}
	conn, err := db.Conn(unwatched(ctx))
	if err != nil {
		return fault(op, s.opt.Dir, err)
	}
	defer func() { _ = conn.Close() }()
	if err := limit(conn); err != nil {
		return fault(op, s.opt.Dir, err)
	}
	if _, err := conn.ExecContext(unwatched(ctx), "BEGIN"); err != nil {
		return fault(op, s.opt.Dir, err)
	}
	defer endReading(unwatched(ctx), conn)
	if err := f(conn); err != nil {
		return fault(op, s.opt.Dir, diagnose(ctx, db, err))
	}
	return nil
}

// endReading ends a transaction that wrote nothing. A connection that cannot is
// not used again.
func endReading(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// unwatched is ctx for statements that look up a few rows: for each statement
// that can be interrupted the driver starts a goroutine, which takes longer than
// they do. What is interrupted ends with the next statement.
func unwatched(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// limit bounds what a reader can be brought to do by a damaged file or a
// mistake in a statement: no value it makes is larger than any that is right,
// and it opens no other file.
func limit(conn *sql.Conn) error {
	for id, most := range map[int]int{sqlite3.SQLITE_LIMIT_LENGTH: 256 << 20, sqlite3.SQLITE_LIMIT_ATTACHED: 0} {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return err
		}
	}
	return nil
}

// readDSN are the parameters of a connection that only reads. mode=rw lets it
// make the files beside the database that readers of a WAL need.
func readDSN(mode string) []string {
	return append([]string{"mode", mode, "_query_only", "1", "_defensive", "1"}, commonDSN...)
}

// commonDSN: text in double quotes is never taken for a string, the schema
// cannot call functions that reach out of the database, and pages are checked.
var commonDSN = []string{
	"_busy_timeout", "10000", "_dqs", "0", "_error_rc", "1",
	"_pragma", "trusted_schema(0)", "_pragma", "cell_size_check(1)",
}

// writeDSN are the parameters of the one connection that writes to a generation
// in use. Without a write-ahead log, synchronous=NORMAL could lose the file.
func (s *Store) writeDSN() []string {
	mode := s.journal()
	synchronous := "NORMAL"
	switch {
	case s.opt.Passing:
		synchronous = "OFF"
	case mode != "WAL":
		synchronous = "FULL"
	}
	return append([]string{
		"mode", "rw", "_txlock", "immediate", "_journal_mode", mode, "_synchronous", synchronous, "_foreign_keys", "1", "_defensive", "1",
		"_pragma", "journal_size_limit(16777216)", "_pragma", "temp_store(memory)",
	}, commonDSN...)
}

// journal is how changes of the index are made safe: by a write-ahead log, or where
// it may be another machine that reads, by a rollback journal.
func (s *Store) journal() string {
	if s.disk.SharedMemory {
		return "WAL"
	}
	return "DELETE"
}

// buildDSN are those of the connection that fills a generation nobody knows of
// yet: if it dies, the file is thrown away. Most handoffs have 2 to 9 KB, which
// leaves an eighth of the space unused in pages of 4096 bytes.
var buildDSN = append([]string{
	"mode", "rw", "_journal_mode", "MEMORY", "_synchronous", "OFF",
	"_pragma", fmt.Sprintf("page_size(%d)", pageSize), "_pragma", "cache_size(-65536)", "_pragma", "temp_store(memory)",
}, commonDSN...)

// connect opens a database of ours and makes sure that it is one.
func connect(ctx context.Context, path string, conns int, params ...string) (*sql.DB, error) {
	db, err := open(path, conns, params...)
	if err != nil {
		return nil, err
	}
	if err := identify(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// open opens any database; params are keys and values in turn.
func open(path string, conns int, params ...string) (*sql.DB, error) {
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
