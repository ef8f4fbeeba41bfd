package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Why a file could not be read as a handoff, besides the system's own errors.
var (
	// ErrTooLarge says that a file is larger than the limit.
	ErrTooLarge = errors.New("file is too large")
	// ErrNotRegular says that a path is a folder, a link, a pipe or a device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrChanged says that a file changed while it was read: read it again.
	ErrChanged = errors.New("file changed while it was read")
)

// A Stat is the state of a file: it identifies the file and shows changes. Two equal values mean an
// unchanged file, except for a change within one tick of the file system's clock. Dev and Ino are 0
// if the system does not number files.
type Stat struct {
	Dev, Ino         uint64
	Size             int64 // bytes
	MtimeNS, CtimeNS int64 // since 1970 UTC
	Mode             fs.FileMode
}

// FileID identifies a file or folder of this machine whatever its path is.
type FileID struct{ Dev, Ino uint64 }

// A Folder is a folder by its path and its number on the disk, 0 where folders have
// none.
type Folder struct {
	Path     string
	Dev, Ino uint64
}

// IDOf returns the id of the file or folder at path, following links. It is zero if the system does
// not number files.
func IDOf(path string) (FileID, error) {
	st, err := Follow(path)
	return st.ID(), err
}

// ID returns the id of the file.
func (s Stat) ID() FileID { return FileID{s.Dev, s.Ino} }

// Lstat returns the state of the file at path, or of the link itself if it is one.
func Lstat(path string) (Stat, error) {
	st, _, err := LstatLinks(path)
	return st, err
}

// Vanished reports whether an error means that a path no longer exists, or is now something else.
func Vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

// IsTemporary reports whether an error may pass. Other errors show what is on the disk.
func IsTemporary(err error) bool {
	return IsExhausted(err) || errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ESTALE)
}

// IsExhausted reports whether an error says nothing about the file it happened on, because the
// process has run out of open files or memory.
func IsExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// Reason returns an error's text without the path, which callers show beside it.
func Reason(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// DescribeMode returns a description, such as "a folder", of a file that is not regular.
func DescribeMode(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// OpenDir opens a folder for listing and returns its state. A symbolic link is an error unless
// follow is set.
func OpenDir(path string, follow bool) (*os.File, Stat, error) {
	dir, err := openDirectory(path, follow)
	if err != nil {
		return nil, Stat{}, err
	}
	st, err := statFile(dir)
	if err != nil {
		_ = dir.Close()
		return nil, Stat{}, fmt.Errorf("stat %s: %w", path, err)
	}
	return dir, st, nil
}

// Follow returns the state of the file at path, following links.
func Follow(path string) (Stat, error) {
	st, err := Lstat(path)
	if err == nil && st.Mode&fs.ModeSymlink != 0 {
		if path, err = RealPath(path); err == nil {
			st, err = Lstat(path)
		}
	}
	return st, err
}

// Racy is the age up to which the state of a file is unreliable: within the grain of file systems'
// clocks a second write leaves the same times.
const Racy = 2 * time.Second

// IsYoung reports whether the file may change without changing the state, because at the time now,
// in nanoseconds of the machine's clock, its times are not older than Racy. A time of modification
// in the future was set by a program and does not count: it does not survive the next write.
func (s Stat) IsYoung(now int64) bool {
	from := now - int64(Racy)
	if s.CtimeNS >= from {
		return true
	}
	isSet := s.CtimeNS != 0 && s.MtimeNS > now+int64(Racy)
	return s.MtimeNS >= from && !isSet
}

// IsWrittenHere reports whether the times of a file show that its text was written where it is:
// after the file was made, and not after the file's last change. A program that unpacks or copies a
// file with its times sets them to before it was made. If the file system does not record when a
// file was made, the text must have been written at most a minute before the last change.
func IsWrittenHere(path string) bool {
	st, err := Lstat(path)
	if err != nil {
		return false
	}
	born := Born(path)
	if born == 0 {
		born = st.CtimeNS - int64(time.Minute)
	}
	return st.MtimeNS >= born && (st.CtimeNS == 0 || st.MtimeNS <= st.CtimeNS)
}

const separator = string(filepath.Separator)

// Within reports whether path is folder or is in it. Both are clean.
func Within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, separator))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// Relative returns path relative to folder, with slashes. It returns false if path is not below
// folder.
func Relative(path, folder string) (string, bool) {
	path, folder = filepath.Clean(path), filepath.Clean(folder)
	if path == folder || !Within(path, folder) {
		return "", false
	}
	return filepath.ToSlash(path[len(strings.TrimSuffix(folder, separator))+1:]), true
}

// RealPath returns path as an absolute path without symbolic links.
func RealPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Join joins a clean folder and a name.
func Join(dir, name string) string {
	if dir[len(dir)-1] == filepath.Separator {
		return dir + name
	}
	return dir + separator + name
}
