package store

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Leftovers lists files of this schema version that nobody uses: of builds that
// died, and of indexes that were set aside.
func (d Dir) Leftovers() ([]string, error) {
	keep, err := d.Current()
	if err != nil && !errors.Is(err, ErrNoIndex) {
		return nil, err
	}
	var list []string
	for _, path := range d.glob("*") {
		if name := filepath.Base(path); d.isLeftover(name, keep) || strings.HasPrefix(name, broken) {
			list = append(list, path)
		}
	}
	return list, nil
}

// Sweep removes leftovers, and returns what it removed.
func (s *DB) Sweep(ctx context.Context) ([]string, error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	list, err := s.Dir.Leftovers()
	for _, path := range list {
		err = errors.Join(err, os.Remove(path))
	}
	return list, WrapError("sweep", s.Options.Dir, err)
}

// Exposed lists a folder of handex's own, if others can write to it, and in that of an
// index those of its files that others have any right to. It needs no open index.
func Exposed(dir string) []string {
	return slices.Sorted(maps.Keys(narrowed(dir)))
}

// narrowed returns, for each path of an index that other users can access and should not,
// the permissions it has without them.
func narrowed(dir string) map[string]fs.FileMode {
	found := map[string]fs.FileMode{}
	if !fsx.CheckRights {
		return found
	}
	if info, err := os.Stat(dir); err == nil && info.Mode()&fs.ModeSticky == 0 && fsx.WritableByOthers(info) != 0 {
		found[dir] = info.Mode().Perm() &^ fsx.WritableByOthers(info)
	}
	for _, pattern := range []string{"index-v*", "CURRENT-v*", "index.lock", broken + "*"} {
		for _, path := range Dir(dir).glob(pattern) {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
				found[path] = info.Mode().Perm() &^ 0o077
			}
		}
	}
	return found
}

// NarrowRights removes the permissions that Exposed finds, and returns what it changed.
func NarrowRights(dir string) ([]string, error) {
	var errs []error
	found := narrowed(dir)
	for path, mode := range found {
		errs = append(errs, os.Chmod(path, mode))
	}
	return slices.Sorted(maps.Keys(found)), WrapError("restrict rights", dir, errors.Join(errs...))
}
