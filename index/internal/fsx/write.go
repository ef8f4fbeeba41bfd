package fsx

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes a file in a folder atomically, readable by its owner alone. It is
// written beside its place, under a name of the pattern temporary, as os.CreateTemp has
// it. What is durable is on the disk when WriteFile returns, but for the file's name.
func WriteFile(dir, temporary, name string, data []byte, durable bool) error {
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// SyncDir makes the names in a folder durable; not every file system knows how.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}
