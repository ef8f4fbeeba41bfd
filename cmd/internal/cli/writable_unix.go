//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// writable reports whether a folder that exists can be written to.
func writable(dir string) bool {
	const write = 2
	err := syscall.Access(dir, write)
	return err == nil || errors.Is(err, syscall.ENOENT)
}
