package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file in a folder atomically, readable by its owner alone. It is
// written beside its place, under a name of the pattern temporary, as os.CreateTemp has
// it. What is durable is on the disk when WriteFile returns, but for the file's name.
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

// SyncDir makes the names in a folder durable; not every file system knows how.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// An ExposedError refuses a folder of the user's own that others can write to: they could
// put words into it, or take some away.
type ExposedError struct{ Dir string }

func (e *ExposedError) Error() string { return "other users can write to " + e.Dir }

// Hint returns what to do about it.
func (e *ExposedError) Hint() string { return "run: chmod go-w " + e.Dir }

// WritableByOthers returns the rights to write that others than its owner have to a
// folder, 0 where mode bits mean nothing.
func WritableByOthers(info fs.FileInfo) fs.FileMode {
	if !CheckRights {
		return 0
	}
	return info.Mode().Perm() & 0o022
}

// CheckPrivate refuses what is no folder, and with an ExposedError one that others can
// write to.
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

// MakePrivate makes a folder with narrow rights unless it is there, and refuses it as
// CheckPrivate does.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return CheckPrivate(dir)
}
