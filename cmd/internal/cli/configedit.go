package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// editConfig replaces a config file by what edit makes of its text, one writer
// at a time: package index takes the same lock to edit the roots. The file and
// its folder are made if they do not exist.
func editConfig(file string, edit func(text []byte) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	lock := flock.New(file + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock config: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read config: %w", err)
	}
	after, err := edit(text)
	if err != nil {
		return err
	}
	if err := replaceFile(file, after); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	return nil
}

// replaceFile writes a file at once: a reader sees the old or the new text. A
// link to the file, as users of dotfiles have it, stays one.
func replaceFile(file string, text []byte) error {
	mode := fs.FileMode(0o600)
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".config-*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
