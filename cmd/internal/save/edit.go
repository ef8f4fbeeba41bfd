package save

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
)

// A Change is the content of a file before and after an edit, nil if there is no file.
type Change struct {
	Path     string
	Old, New []byte
}

// Edit calls edit with the content of the file at rel and replaces the content by the
// result, while no other writer can change it. nil stands for no file: the file is made,
// with the folders that lead to it, or removed. If edit returns an error, or the same
// content, the file is not touched; Edit returns the error as it is.
func (f *Folder) Edit(ctx context.Context, rel string, edit func(old []byte) ([]byte, error)) error {
	unlock, err := f.lock(ctx, "write", rel, "")
	if err != nil {
		return err
	}
	defer unlock()
	old, err := f.Read(rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := edit(old)
	switch {
	case err != nil || bytes.Equal(old, data) && (old == nil) == (data == nil):
		return err
	case data == nil:
		return f.change("remove", rel, false, func() error {
			f.sweep(rel)
			return f.root.Remove(rel)
		})
	}
	return f.change("write", rel, true, func() error { return f.replace(rel, data) })
}

// replace replaces the content of the file at rel at once. The caller holds its lock.
func (f *Folder) replace(rel string, data []byte) error {
	old, err := f.state(rel)
	if err != nil {
		return err
	}
	f.sweep(rel)
	temp, err := f.stage(rel, old, data)
	if err != nil {
		return err
	}
	return f.rename(temp, rel)
}

// rename renames a temporary file to rel, and removes it if that fails.
func (f *Folder) rename(temp, rel string) error {
	if err := f.root.Rename(temp, rel); err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	return nil
}

// stage writes data to a new temporary file beside rel, flushes it to the disk, and returns
// its path. The file has the mode of old, the file that it is to replace, which is nil if
// there is none.
func (f *Folder) stage(rel string, old fs.FileInfo, data []byte) (temp string, err error) {
	mode := fs.FileMode(0o644)
	if f.Private {
		mode = 0o600
	}
	if old != nil {
		mode = old.Mode().Perm()
	}
	temp = temporaryName(rel)
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if old != nil && err == nil {
		err = file.Chmod(mode) // the umask took rights away
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, f.root.Remove(temp))
	}
	return temp, nil
}
