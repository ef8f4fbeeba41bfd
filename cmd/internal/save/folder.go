package save

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// MaxFile is the largest file in bytes that Read and Edit take.
const MaxFile = 4 << 20

var (
	// ErrNotRegular says that a symbolic link, a folder or another thing that is no
	// regular file is at the path of a file to be read or written.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrTooLarge says that a file is larger than MaxFile.
	ErrTooLarge = errors.New("it is too large")
	// ErrOutside says that a path does not stay below the root.
	ErrOutside = errors.New("the path leads out of the folder")
)

// Within reports whether path is folder or lies below it, judging by the names alone.
func Within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// A Folder is a root below which files are read and written. Paths that its
// methods take are relative to it. It may be used by several goroutines. Errors
// name the whole path and wrap those of this package and of the system.
type Folder struct {
	// Private gives new files to their owner alone: 0600 instead of 0644, folders
	// 0700 instead of 0755, both less the umask. Files that exist keep their mode.
	Private bool

	root       *os.Root
	dir, locks string
	patience   time.Duration
}

// Open opens an existing folder. locks is the folder for lock files, which is made when it
// is needed. Both paths must be absolute.
func Open(dir, locks string) (*Folder, error) {
	if !filepath.IsAbs(dir) || !filepath.IsAbs(locks) {
		return nil, fmt.Errorf("open %s with locks in %s: both must be absolute paths", dir, locks)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, dir: dir, locks: locks, patience: patience}, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Path returns the absolute path of rel.
func (f *Folder) Path(rel string) string { return filepath.Join(f.dir, rel) }

// ReadFile reads the file at an absolute path as Folder.Read does.
func ReadFile(path string) ([]byte, error) {
	dir := filepath.Dir(path)
	f, err := Open(dir, dir) // nothing is locked to read
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.Read(filepath.Base(path))
}

// Read returns the content of the regular file at rel. The error wraps fs.ErrNotExist if
// there is no file, ErrNotRegular if it is of another kind, and ErrTooLarge if it has more
// than MaxFile bytes.
func (f *Folder) Read(rel string) ([]byte, error) {
	data, err := f.read(rel)
	if err != nil {
		return nil, f.fault("read", rel, err)
	}
	return data, nil
}

// fault returns err as an error with the operation and the absolute path of rel. Errors of
// an os.Root have only the path below the root.
func (f *Folder) fault(op, rel string, err error) error {
	if err == nil {
		return nil
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok && !filepath.IsAbs(inner.Path) {
		err = inner.Err
	} else if inner, ok := errors.AsType[*os.LinkError](err); ok && !filepath.IsAbs(inner.New) {
		err = inner.Err
	}
	return &fs.PathError{Op: op, Path: f.Path(rel), Err: err}
}

// refuse returns ErrOutside if rel is not a path below the root, or is the root itself.
func refuse(rel string) error {
	if !filepath.IsLocal(rel) || filepath.Base(rel) == "." {
		return ErrOutside
	}
	return nil
}

// change calls a function that changes something in the folder of rel, and flushes that
// folder to the disk. With create a missing folder is made first. Errors get the operation
// op and the path.
func (f *Folder) change(op, rel string, create bool, change func() error) error {
	err := refuse(rel)
	if err == nil && create {
		err = f.makeDir(filepath.Dir(rel))
	}
	if err == nil {
		err = change()
	}
	if err == nil {
		err = syncDir(f.root, filepath.Dir(rel))
	}
	return f.fault(op, rel, err)
}

// makeDir makes a folder and those that lead to it, and flushes their names to the disk.
func (f *Folder) makeDir(rel string) error {
	if info, err := f.root.Stat(rel); err == nil && info.IsDir() {
		return nil
	}
	mode := fs.FileMode(0o755)
	if f.Private {
		mode = 0o700
	}
	if err := f.root.MkdirAll(rel, mode); err != nil {
		return err
	}
	for rel != "." {
		rel = filepath.Dir(rel)
		if err := syncDir(f.root, rel); err != nil {
			return err
		}
	}
	return nil
}

// state returns the file info of the regular file at rel, nil if nothing is there. If
// something else is there, the error wraps ErrNotRegular.
func (f *Folder) state(rel string) (fs.FileInfo, error) {
	info, err := f.root.Lstat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil //nolint:nilnil // no file is no error here
	case err != nil:
		return nil, err
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, fmt.Errorf("%w: symbolic links are not followed", ErrNotRegular)
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	}
	return info, nil
}

// read is like Read, but its errors lack the operation and the path.
func (f *Folder) read(rel string) ([]byte, error) {
	if err := refuse(rel); err != nil {
		return nil, err
	}
	info, err := f.state(rel)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, fs.ErrNotExist
	}
	// A pipe that took the file's place is not waited for.
	file, err := f.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxFile)
	}
	return data, err
}
