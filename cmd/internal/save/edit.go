package save

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
)

// A Change is what a file said before an edit and says after it, nil where there is no
// file.
type Change struct {
	Path     string
	Old, New []byte
}

// Edit calls a function to make the new content of the file at rel out of the old one
// while no other writer can change it. The content is nil where there is no file: one
// is made with the folders that lead to it, or removed. The file is not touched if the
// function returns an error, which Edit returns as it is, or the current content
// already.
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

// replace writes a file under its lock.
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

// rename renames a temporary file to the name at rel.
func (f *Folder) rename(temp, rel string) error {
	if err := f.root.Rename(temp, rel); err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	return nil
}

// stage writes data to a new temporary file beside rel that is to replace old, nil if
// there is none, and has it on the disk. It has the mode of old.
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
