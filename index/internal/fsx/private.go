package fsx

import (
	"fmt"
	"io/fs"
	"os"
)

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
