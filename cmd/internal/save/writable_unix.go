//go:build unix

package save

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Writable reports whether the user can write to a folder. A missing folder counts as
// writable.
func Writable(dir string) bool {
	const write = 2
	err := syscall.Access(dir, write)
	return err == nil || errors.Is(err, syscall.ENOENT)
}

// isOwnAlone reports whether a folder is the user's and nobody else has rights to it.
func isOwnAlone(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
