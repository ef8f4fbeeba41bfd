//go:build !unix

package fsx

import (
	"fmt"
	"io/fs"
	"os"
)

// CheckRights reports whether mode bits have a meaning: here they do not.
const CheckRights = false

// openNoFollow opens a regular file for reading. It checks before and after that the path is the
// same file, because this system cannot open a path without following links.
func openNoFollow(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("%s: %w", path, ErrChanged)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// openDirectory opens a folder. A symbolic link is an error unless follow is set.
func openDirectory(path string, follow bool) (*os.File, error) {
	info, err := os.Lstat(path)
	if err == nil && !follow && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// LstatLinks is Lstat, and also returns the number of names of the file, which is always 1 here, as
// it is unknown.
func LstatLinks(path string) (Stat, uint64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Stat{}, 1, err
	}
	return statOf(info), 1, nil
}

func statFile(f *os.File) (Stat, error) {
	info, err := f.Stat()
	if err != nil {
		return Stat{}, err
	}
	return statOf(info), nil
}

// statOf returns a Stat without the numbers of device and file and without the change time. The
// names of a file with hard links then count as different files.
func statOf(info fs.FileInfo) Stat {
	return Stat{Size: info.Size(), MtimeNS: info.ModTime().UnixNano(), Mode: info.Mode()}
}

// isNotDir returns false: here an error does not show that a path is no folder.
func isNotDir(error) bool { return false }
