//go:build unix

package acks

import (
	"errors"
	"os"
	"syscall"
)

// syncFolder has the name of a new file outlive a loss of power, where the file
// system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
