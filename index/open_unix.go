//go:build unix

package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// readFile returns the whole of a regular file of at most limit bytes, and the
// state it was in. The path is opened once, without following a symbolic link
// and without waiting for a pipe's writer; everything after that is asked of
// the open file. The errors are ErrNotRegular, ErrTooLarge and ErrChanged, or
// those of the system; with ErrTooLarge and ErrChanged the state is set.
func readFile(path string, limit int64) ([]byte, Stat, error) {
	fd, before, err := openRegular(path)
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = unix.Close(fd) }()
	if before.Size > limit {
		return nil, before, tooLarge(path, before.Size, limit)
	}
	data, err := readAll(fd, before.Size, limit)
	if err != nil {
		return nil, before, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	if int64(len(data)) > limit {
		return nil, before, tooLarge(path, int64(len(data)), limit)
	}
	after, err := statFD(fd)
	if err != nil {
		return nil, before, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if after != before || int64(len(data)) != before.Size {
		return nil, after, fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return data, before, nil
}

// readHead returns the first n bytes of a regular file.
func readHead(path string, n int64) ([]byte, error) {
	fd, st, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	data, err := readAll(fd, min(st.Size, n), n-1)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, nil
}

func openRegular(path string) (int, Stat, error) {
	fd, err := retryEINTR(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	})
	switch {
	// A link answers ELOOP, a socket ENXIO or, on some systems, EOPNOTSUPP.
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENXIO), errors.Is(err, unix.EOPNOTSUPP):
		return 0, Stat{}, fmt.Errorf("%s: %w", path, ErrNotRegular)
	case err != nil:
		return 0, Stat{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	st, err := statFD(fd)
	if err == nil && st.Mode.IsRegular() {
		return fd, st, nil
	}
	_ = unix.Close(fd)
	if err != nil {
		return 0, Stat{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return 0, Stat{}, fmt.Errorf("%s: %w", path, ErrNotRegular)
}

// readAll reads until the end of the file or one byte past limit. size is what
// the file said of itself, which is not to be trusted.
func readAll(fd int, size, limit int64) ([]byte, error) {
	buf := make([]byte, 0, max(0, min(size, limit))+1)
	for int64(len(buf)) <= limit {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		room := buf[len(buf):min(int64(cap(buf)), limit+1)]
		n, err := retryEINTR(func() (int, error) { return unix.Read(fd, room) })
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		buf = buf[:len(buf)+n]
	}
	return buf, nil
}

// openDir opens a folder for listing and answers the state it is in. A symbolic
// link is an error unless follow is set.
func openDir(path string, follow bool) (*os.File, Stat, error) {
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK | unix.O_CLOEXEC
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	dir, err := os.OpenFile(path, flags, 0)
	if err != nil {
		return nil, Stat{}, err
	}
	st, err := statFD(int(dir.Fd()))
	if err != nil {
		_ = dir.Close()
		return nil, Stat{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return dir, st, nil
}

func lstat(path string) (Stat, error) {
	st, _, err := lstatLinks(path)
	return st, err
}

// lstatLinks is lstat and the number of names the file has.
func lstatLinks(path string) (Stat, uint64, error) {
	var st unix.Stat_t
	_, err := retryEINTR(func() (int, error) { return 0, unix.Lstat(path, &st) })
	if err != nil {
		return Stat{}, 0, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return statOf(&st), uint64(st.Nlink), nil //nolint:unconvert // 16 or 32 bits on other systems
}

func statFD(fd int) (Stat, error) {
	var st unix.Stat_t
	_, err := retryEINTR(func() (int, error) { return 0, unix.Fstat(fd, &st) })
	return statOf(&st), err
}

func statOf(st *unix.Stat_t) Stat {
	return Stat{
		Dev:     uint64(st.Dev), //nolint:unconvert // signed on other systems
		Ino:     st.Ino,
		Size:    st.Size,
		MtimeNS: st.Mtim.Nano(),
		CtimeNS: st.Ctim.Nano(),
		Mode:    fileMode(uint32(st.Mode)), //nolint:unconvert // 16 bits on other systems
	}
}

func fileMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return m
	case unix.S_IFDIR:
		return m | fs.ModeDir
	case unix.S_IFLNK:
		return m | fs.ModeSymlink
	case unix.S_IFIFO:
		return m | fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return m | fs.ModeSocket
	case unix.S_IFCHR:
		return m | fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		return m | fs.ModeDevice
	}
	return m | fs.ModeIrregular
}

// retryEINTR repeats a call that a signal cut short: file systems in user
// space answer so.
func retryEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) }
