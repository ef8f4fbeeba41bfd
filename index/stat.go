package index

import (
	"errors"
	"fmt"
	"io/fs"
)

// Why a file could not be read as a handoff, besides the system's own errors.
var (
	// ErrTooLarge says that a file is over the limit it was read with.
	ErrTooLarge = errors.New("file is too large")
	// ErrNotRegular says that a path is a folder, a link, a pipe or a device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrChanged says that a file changed while it was read: read it again.
	ErrChanged = errors.New("file changed while it was read")
)

// Stat is what a file is told apart by and its change is noticed by. Two equal
// values mean an unchanged file, save for a change within one tick of the file
// system's clock. Dev and Ino are 0 where the system does not number files.
type Stat struct {
	Dev, Ino         uint64
	Size             int64 // bytes
	MtimeNS, CtimeNS int64 // since 1970 UTC
	Mode             fs.FileMode
}

// FileID names a file or folder of this machine whatever its path is.
type FileID struct{ Dev, Ino uint64 }

// IDOf returns the id of the file or folder at path, following links. It is
// the zero value where the system does not number files.
func IDOf(path string) (FileID, error) {
	target, err := realPath(path)
	if err != nil {
		return FileID{}, err
	}
	st, err := lstat(target)
	return st.id(), err
}

func (s Stat) id() FileID { return FileID{s.Dev, s.Ino} }

func tooLarge(path string, size, limit int64) error {
	return fmt.Errorf("%s: %w: %d bytes, the limit is %d", path, ErrTooLarge, size, limit)
}
