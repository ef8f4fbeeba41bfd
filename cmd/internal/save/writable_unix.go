//go:build unix

package save

import (
	"errors"
	"syscall"
)

// Writable reports whether a folder that exists can be written to.
func Writable(dir string) bool {
	const write = 2
	err := syscall.Access(dir, write)
	return err == nil || errors.Is(err, syscall.ENOENT)
}
