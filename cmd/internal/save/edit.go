package save

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
)

// Edit lets a function make the new content of the file at rel out of the old one
// while no other writer can change it. exists is false where there is no file; a new
// file is made with the folders that lead to it. The file is not touched if the
// function returns an error, which Edit returns as it is, or what the file holds
// already.
func (f *Folder) Edit(ctx context.Context, rel string, edit func(old []byte, exists bool) ([]byte, error)) error {
	unlock, err := f.lock(ctx, rel, "")
	if err != nil {
		return f.fault("write", rel, err)
	}
	defer unlock()
	old, err := f.Read(rel)
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := edit(old, exists)
	if err != nil || exists && bytes.Equal(old, data) {
		return err
	}
	return f.fault("write", rel, f.replace(rel, data))
}

// Remove removes the regular file at rel. The error wraps fs.ErrNotExist if there
// is none.
func (f *Folder) Remove(ctx context.Context, rel string) error {
	unlock, err := f.lock(ctx, rel, "")
	if err != nil {
		return f.fault("remove", rel, err)
	}
	defer unlock()
	return f.fault("remove", rel, f.remove(rel))
}

func (f *Folder) remove(rel string) error {
	t, err := f.at(rel, false)
	if err != nil {
		return err
	}
	defer t.close()
	info, err := t.state()
	if err != nil {
		return err
	}
	t.sweep(t.name)
	if info == nil {
		return fs.ErrNotExist
	}
	if err := t.dir.Remove(t.name); err != nil {
		return err
	}
	return syncDir(t.dir, ".")
}

// replace writes a file under its lock.
func (f *Folder) replace(rel string, data []byte) error {
	t, err := f.at(rel, true)
	if err != nil {
		return err
	}
	defer t.close()
	old, err := t.state()
	if err != nil {
		return err
	}
	t.sweep(t.name)
	temp, err := t.stage(t.name, old, data)
	if err != nil {
		return err
	}
	if err := t.dir.Rename(temp, t.name); err != nil {
		return errors.Join(err, t.dir.Remove(temp))
	}
	return syncDir(t.dir, ".")
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
