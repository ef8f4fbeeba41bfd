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
		return f.fault("remove", rel, f.within(rel, false, func(t *target) error {
			t.sweep(t.name)
			return t.dir.Remove(t.name)
		}))
	}
	return f.fault("write", rel, f.within(rel, true, func(t *target) error { return t.replace(data) }))
}

// replace writes a file under its lock.
func (t *target) replace(data []byte) error {
	old, err := t.state()
	if err != nil {
		return err
	}
	t.sweep(t.name)
	temp, err := t.stage(t.name, old, data)
	if err != nil {
		return err
	}
	return t.rename(temp)
}

// rename renames a temporary file to the target's name.
func (t *target) rename(temp string) error {
	if err := t.dir.Rename(temp, t.name); err != nil {
		return errors.Join(err, t.dir.Remove(temp))
	}
	return nil
}

// stage writes data to a new temporary file that is to replace old, nil if there is
// none, and has it on the disk. It has the mode of old.
func (t *target) stage(name string, old fs.FileInfo, data []byte) (temp string, err error) {
	mode := fs.FileMode(0o644)
	if t.f.Private {
		mode = 0o600
	}
	if old != nil {
		mode = old.Mode().Perm()
	}
	temp = temporaryName(name)
	file, err := t.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
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
		return "", errors.Join(err, t.dir.Remove(temp))
	}
	return temp, nil
}
