//go:build !unix

package index

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// readFile is as on unix, but opens a path only after it looked regular: there
// is no way to open a path without following what it has become meanwhile.
func readFile(path string, limit int64) ([]byte, Stat, error) {
	f, before, err := openRegular(path)
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = f.Close() }()
	if before.Size > limit {
		return nil, before, tooLarge(path, before.Size, limit)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, before, err
	}
	if int64(len(data)) > limit {
		return nil, before, tooLarge(path, int64(len(data)), limit)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, before, err
	}
	if after := statOf(info); after != before || int64(len(data)) != before.Size {
		return nil, after, fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return data, before, nil
}

// readHead returns the first n bytes of a regular file.
func readHead(path string, n int64) ([]byte, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, n))
}

func openRegular(path string) (*os.File, Stat, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, Stat{}, err
	}
	if !info.Mode().IsRegular() {
		return nil, Stat{}, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, Stat{}, err
	}
	opened, err := f.Stat()
	if err == nil && os.SameFile(info, opened) {
		return f, statOf(opened), nil
	}
	_ = f.Close()
	if err == nil {
		err = fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return nil, Stat{}, err
}

// openDir opens a folder for listing. A symbolic link is an error unless
// follow is set.
func openDir(path string, follow bool) (*os.File, Stat, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, Stat{}, err
	}
	if !follow && !info.IsDir() {
		return nil, Stat{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	dir, err := os.Open(path)
	return dir, statOf(info), err
}

// lstatLinks is lstat and the number of names the file has, which is not known.
func lstatLinks(path string) (Stat, uint64, error) {
	st, err := lstat(path)
	return st, 1, err
}

func lstat(path string) (Stat, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Stat{}, err
	}
	return statOf(info), nil
}

// statOf has no numbers of device and file: links are then told apart by path.
func statOf(info fs.FileInfo) Stat {
	return Stat{Size: info.Size(), MtimeNS: info.ModTime().UnixNano(), Mode: info.Mode()}
}

// isNotDir cannot tell: listing what is no folder is an error like any other.
func isNotDir(error) bool { return false }
