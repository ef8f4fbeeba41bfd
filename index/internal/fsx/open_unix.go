//go:build unix

package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// CheckRights reports whether mode bits have a meaning: here they do.
const CheckRights = true

// openNoFollow opens a file for reading. It follows no symbolic link, and does not
// wait for a pipe's writer.
func openNoFollow(path string) (*os.File, error) {
	f, err := os.OpenFile(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_NOCTTY, 0)
	// A link is ELOOP, a socket ENXIO or, on some systems, EOPNOTSUPP.
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EOPNOTSUPP) {
		return nil, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	return f, err
}

// openDirectory opens a folder. A symbolic link is an error unless follow is set.
func openDirectory(path string, follow bool) (*os.File, error) {
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	return os.OpenFile(path, flags, 0)
}

// LstatLinks returns the state of the file at path, or of the link itself if it is one, and the
// number of its names. It is faster than os.Lstat, and a refresh calls it for each file.
func LstatLinks(path string) (Stat, uint64, error) {
	var st unix.Stat_t
	err := unix.Lstat(path, &st)
	for errors.Is(err, unix.EINTR) { // as file systems in user space return
		err = unix.Lstat(path, &st)
	}
	if err != nil {
		return Stat{}, 0, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return statOf(&st), uint64(st.Nlink), nil //nolint:unconvert // 16 or 32 bits on other systems
}

// statFile returns the state of an open file.
func statFile(f *os.File) (Stat, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return Stat{}, err
	}
	var st unix.Stat_t
	var fault error
	err = conn.Control(func(fd uintptr) {
		fault = unix.Fstat(int(fd), &st)
		for errors.Is(fault, unix.EINTR) {
			fault = unix.Fstat(int(fd), &st)
		}
	})
	if err = errors.Join(err, fault); err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return statOf(&st), nil
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

// fileMode returns the mode of a file as the system has it as an fs.FileMode.
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

// isNotDir reports whether an error means that a part of a path is no folder, or a link that is not
// followed.
func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) }
