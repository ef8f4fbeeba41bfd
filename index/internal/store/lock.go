package store

import (
	"context"
	"errors"
	"time"

	"github.com/gofrs/flock"
)

// Lock waits until no other process refreshes. The file's time is that of the
// last refresh, so that one that finds nothing new need not write.
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
