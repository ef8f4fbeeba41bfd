package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
	schema "github.com/OWNER/handex/sql"
)

// generationName returns the file name of generation n. A build writes the next generation beside
// the current one.
func generationName(n int) string {
	return fmt.Sprintf("index-v%d-%04d.db", schema.Version, n)
}

// isGeneration reports whether name is that of a generation of this schema, and returns its number.
func isGeneration(name string) (number int, ok bool) {
	digits := strings.TrimPrefix(strings.TrimSuffix(name, ".db"), fmt.Sprintf("index-v%d-", schema.Version))
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && name == generationName(n)
}

// Dir is the folder with the generations, CURRENT and the lock.
type Dir string

// Join returns the path of a file in the folder.
func (d Dir) Join(name string) string { return filepath.Join(string(d), name) }

// pointer returns the path of CURRENT, the file that names the current generation.
func (d Dir) pointer() string {
	return d.Join(fmt.Sprintf("CURRENT-v%d", schema.Version))
}

// LockPath returns the path of the file that is locked while the index is written.
func (d Dir) LockPath() string { return d.Join("index.lock") }

// WatchDir returns the path of a folder in which only watchers write.
func (d Dir) WatchDir() string { return d.Join(fmt.Sprintf("watch-v%d", schema.Version)) }

// Socket returns the path of the socket on which the watcher listens for other processes.
func (d Dir) Socket() string { return filepath.Join(d.WatchDir(), "socket") }

// Current returns the name of the current generation, ErrNoIndex if there is none. A pointer that
// names no generation counts as none: the next build replaces it.
func (d Dir) Current() (string, error) {
	b, err := os.ReadFile(d.pointer())
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoIndex
	}
	if err != nil {
		return "", err
	}
	name := strings.TrimSuffix(string(b), "\n")
	if _, ok := isGeneration(name); !ok {
		return "", ErrNoIndex
	}
	if info, err := os.Stat(d.Join(name)); err == nil && !info.Mode().IsRegular() {
		return "", ErrNoIndex
	}
	return name, nil
}

// Next returns an unused name for a new generation. It is also not the former name of one that was
// set aside: a process that still has that file open must see that the name has changed.
func (d Dir) Next() (string, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return "", err
	}
	last := 0
	for _, e := range entries {
		if n, ok := isGeneration(strings.TrimPrefix(baseOf(e.Name()), broken)); ok {
			last = max(last, n)
		}
	}
	return generationName(last + 1), nil
}

// baseOf returns the name of the database that SQLite's file name belongs to: name without "-wal"
// and the like.
func baseOf(name string) string {
	for _, suffix := range sidecars {
		if s, ok := strings.CutSuffix(name, suffix); ok {
			return s
		}
	}
	return name
}

var sidecars = []string{"-wal", "-shm", "-journal"}

// Create makes the empty file of a generation with narrow rights: SQLite alone
// would follow the umask, and gives its sidecars the rights of the file.
func (d Dir) Create(name string) error {
	f, err := os.OpenFile(d.Join(name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// publish makes name the current generation; durable waits until that is on the disk. Readers of
// the pointer get the old name or the new one.
func (d Dir) publish(name string, durable bool) error {
	if durable {
		if err := syncFile(d.Join(name)); err != nil {
			return err
		}
	}
	if err := fsx.WriteFile(string(d), "CURRENT-*.tmp", filepath.Base(d.pointer()), []byte(name+"\n"),
		durable); err != nil || !durable {
		return err
	}
	return fsx.SyncDir(string(d))
}

// syncFile flushes the file at path to the disk. It must not be called on a database that this
// process has open: closing the file would take SQLite's locks away.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Sweep removes generations of this schema version other than keep, and
// pointers that were never published. The lock must be held. Files that cannot
// be removed now are tried again by the next sweep.
func (d Dir) Sweep(keep string) {
	for _, path := range d.unused(keep) {
		_ = os.Remove(path)
	}
}

// unused returns the files of generations other than keep, and pointers that were never published.
func (d Dir) unused(keep string) []string {
	return slices.DeleteFunc(d.glob("*"), func(path string) bool {
		name := filepath.Base(path)
		_, ours := isGeneration(baseOf(name))
		isTemporary := strings.HasPrefix(name, "CURRENT-") && strings.HasSuffix(name, ".tmp")
		return !isTemporary && (!ours || baseOf(name) == keep)
	})
}

// broken begins the name of a generation that was set aside.
const broken = "broken-"

// setAside renames a damaged generation to broken-*.db, which replaces an earlier one, and returns
// its new path.
func (d Dir) setAside(name string) (string, error) {
	to := d.Join(broken + name)
	for _, old := range d.glob(broken + "*") {
		_ = os.Remove(old)
	}
	if err := os.Rename(d.Join(name), to); err != nil {
		return "", err
	}
	for _, suffix := range sidecars {
		_ = os.Rename(d.Join(name)+suffix, to+suffix)
	}
	return to, nil
}

// IDs returns the ids of the folder and of the files in it, which a walk leaves out.
func (d Dir) IDs() []fsx.FileID {
	var ids []fsx.FileID
	for _, path := range append(d.glob("*"), string(d)) {
		if st, err := fsx.Lstat(path); err == nil && st.Ino != 0 {
			ids = append(ids, st.ID())
		}
	}
	return ids
}

// glob is like filepath.Glob for a folder whose own name may contain wildcards.
func (d Dir) glob(pattern string) []string {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			paths = append(paths, d.Join(e.Name()))
		}
	}
	return paths
}

// Leftovers returns the files of this schema version that are not used: of builds that died, and of
// indexes that were set aside.
func (d Dir) Leftovers() ([]string, error) {
	keep, err := d.Current()
	if err != nil && !errors.Is(err, ErrNoIndex) {
		return nil, err
	}
	list := append(d.unused(keep), d.glob(broken+"*")...)
	slices.Sort(list)
	return list, nil
}

// Sweep removes the files that Leftovers returns, and returns their paths.
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

// Exposed returns the paths that other users can access and should not: dir, a folder of handex, if
// they can write to it, and files of an index in it if they have any right to them. It needs no
// open index.
func Exposed(dir string) []string {
	return slices.Sorted(maps.Keys(narrowed(dir)))
}

// narrowed returns the paths that Exposed returns, each with the permissions that it should have.
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

// NarrowRights removes the permissions because of which Exposed lists a path, and returns the
// changed paths.
func NarrowRights(dir string) ([]string, error) {
	var errs []error
	found := narrowed(dir)
	for path, mode := range found {
		errs = append(errs, os.Chmod(path, mode))
	}
	return slices.Sorted(maps.Keys(found)), WrapError("restrict rights", dir, errors.Join(errs...))
}
