package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes data to the file name in the folder dir atomically, readable by its owner alone.
// It writes a file beside it, whose name os.CreateTemp makes of the pattern temporary, and renames
// that. If durable is set, the content is on the disk when WriteFile returns; the name is after
// SyncDir.
func WriteFile(dir, temporary, name string, data []byte, durable bool) error {
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// SyncDir makes the names in a folder durable, if the file system can do that.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// An ExposedError says that others can write to a folder of the user: they could put words into it,
// or take some away.
type ExposedError struct{ Dir string }

func (e *ExposedError) Error() string { return "other users can write to " + e.Dir }

// Hint returns the command that removes the permission.
func (e *ExposedError) Hint() string { return "run: chmod go-w " + e.Dir }

// WritableByOthers returns the permission bits by which users other than the owner can write to a
// folder, 0 if mode bits have no meaning.
func WritableByOthers(info fs.FileInfo) fs.FileMode {
	if !CheckRights {
		return 0
	}
	return info.Mode().Perm() & 0o022
}

// CheckPrivate returns an error if dir is no folder, and an ExposedError if others can write to it.
func CheckPrivate(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case WritableByOthers(info) != 0:
		return &ExposedError{dir}
	}
	return nil
}

// MakePrivate makes a folder with narrow rights unless it exists, and checks it with CheckPrivate.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return CheckPrivate(dir)
}
