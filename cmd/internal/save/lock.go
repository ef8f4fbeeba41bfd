package save

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy says that another writer held the lock of a file for as long as was
// waited.
var ErrBusy = errors.New("another process is writing it")

const (
	// patience is how long a writer waits for another.
	patience = 10 * time.Second
	// again is how soon it asks again.
	again = 5 * time.Millisecond
)

// Lock waits until no other writer holds the lock of rel, which need not exist, and takes
// it: at most 10 seconds, then the error wraps ErrBusy. Edit and Link take the lock of
// their file, so they must not be called for a file whose lock the caller holds. The lock
// of a folder is independent of those of its files and of the one that Create takes, so
// files in it can be written while it is held.
func (f *Folder) Lock(ctx context.Context, rel string) (unlock func(), err error) {
	return f.lock(ctx, "lock", rel, "")
}

// lock takes the lock of a path for one use of it; locks for different uses are
// independent. op is the operation that errors name.
func (f *Folder) lock(ctx context.Context, op, rel, use string) (unlock func(), err error) {
	defer func() { err = f.fault(op, rel, err) }()
	if !filepath.IsLocal(rel) {
		return nil, ErrOutside
	}
	if err := MakePrivate(f.locks); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	sum := sha256.Sum256([]byte(use + "\x00" + realPath(f.Path(rel))))
	file := flock.New(filepath.Join(f.locks, hex.EncodeToString(sum[:16])), flock.SetPermissions(0o600))
	waiting, stop := context.WithTimeout(ctx, f.patience)
	defer stop()
	ok, err := file.TryLockContext(waiting, again)
	switch {
	case ok:
		return func() { _ = file.Close() }, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%w (waited %s)", ErrBusy, f.patience)
	}
	return nil, fmt.Errorf("lock %s: %w", file.Path(), err)
}

// realPath returns a path in which symbolic links are followed as far as it exists, except
// for its last element.
func realPath(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	dir = filepath.Clean(dir)
	if target, err := filepath.EvalSymlinks(dir); err == nil || dir == path {
		return filepath.Join(target, name)
	}
	return filepath.Join(realPath(dir), name)
}
