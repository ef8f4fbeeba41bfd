package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The causes on which a caller can act. Every error of this package that has one of
// them wraps it.
var (
	// ErrNoIndex says that no index has been built yet.
	ErrNoIndex = errors.New("there is no index yet")
	// ErrBusy says that another process refreshes for longer than this one waited.
	ErrBusy = errors.New("another process is refreshing the index")
	// ErrReadOnly says that the index was opened for reading only, or that it cannot be written
	// where it is.
	ErrReadOnly = errors.New("the index cannot be written")
	// ErrCorrupt says that the index file is damaged.
	ErrCorrupt = errors.New("the index is damaged")
	// ErrOutdated says that the index must be rebuilt before a part of it can be
	// refreshed.
	ErrOutdated = errors.New("the index must be rebuilt")
	// ErrForeign says that the file in the index's place is not an index of
	// this program; it is left alone.
	ErrForeign = errors.New("the file is not an index of handex")
	// ErrFull says that there is no space left to write the index to.
	ErrFull = errors.New("no space is left for the index")
)

// errRemoved is ErrNoIndex for an index that existed before: it must not count as empty.
var errRemoved = fmt.Errorf("it was removed: %w", ErrNoIndex)

// Error is an error for people: the operation, its path, why it failed, and what to do about it.
type Error struct {
	Op, Path string
	Err      error
	Hint     string // empty if there is nothing to say
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Op + ": " + e.Err.Error()
	}
	return e.Op + " " + e.Path + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// causes are the errors on which a caller can act, each with a hint for a person.
var causes = []struct {
	err  error
	hint string
}{
	{ErrNoIndex, "run: handex index"},
	{ErrCorrupt, "run: handex index --full"},
	{ErrOutdated, "run: handex index"},
	{ErrForeign, "move the file away, or name another folder for the index"},
	{ErrFull, "free some space and run the command again"},
	{ErrBusy, ""},
	{ErrReadOnly, ""},
}

// WrapError returns err as an *Error with an operation and a path. If the system's or driver's
// error has one of the known causes, the result wraps it and has its hint. An *Error and nil stay
// as they are. Only this package knows the driver's codes.
func WrapError(op, path string, err error) error {
	var already *Error
	if err == nil || errors.As(err, &already) {
		return err
	}
	e := &Error{Op: op, Path: path, Err: err}
	cause := causeOf(err)
	for _, c := range causes {
		if c.err == cause { //nolint:errorlint // causeOf returns the error itself
			e.Hint = c.hint
		}
	}
	if cause != nil && !errors.Is(err, cause) {
		e.Err = fmt.Errorf("%w (%w)", cause, err)
	}
	return e
}

// causeOf returns the known cause that err wraps or that its error code means, nil if there is
// none.
func causeOf(err error) error {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c.err
		}
	}
	var driver *sqlite.Error
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case !errors.As(err, &driver):
		return nil
	}
	switch driver.Code() {
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		return ErrFull // of the file that readers share
	case sqlite3.SQLITE_IOERR_SHORT_READ:
		return ErrCorrupt // the file ends before what its header says
	}
	switch driver.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH:
		// What is written fits an index that is whole.
		return ErrCorrupt
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY:
		return ErrReadOnly
	}
	return nil
}

// IgnoreNoIndex returns nil for ErrNoIndex, so that a missing index counts as an empty one, unless
// the index was removed.
func IgnoreNoIndex(err error) error {
	if errors.Is(err, ErrNoIndex) && !errors.Is(err, errRemoved) {
		return nil
	}
	return err
}

// RowMismatch returns the ErrCorrupt for a lookup by the text by that led to another handoff.
func RowMismatch(by string) error {
	return fmt.Errorf("%w: %q leads to another handoff", ErrCorrupt, by)
}

// damaged returns the ErrCorrupt for a part of the handoff id that does not match its checksum.
func damaged(id int64, what string) error {
	return fmt.Errorf("%w: %s of handoff %d does not match its checksum", ErrCorrupt, what, id)
}

// CountOf returns "n what" with commas in the number, and with "s" appended unless n is 1.
func CountOf(n int, what string) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if n != 1 {
		what += "s"
	}
	return text + " " + what
}
