package save

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
)

// Link makes the name at rel lead to a file of the same folder, by a relative
// symbolic link where the system has them and by a copy where it has not. What
// readers find under the name is always one of the files it led to.
func (f *Folder) Link(ctx context.Context, rel, file string) error {
	if filepath.Base(file) != file || !filepath.IsLocal(file) {
		return f.fault("link", rel, ErrOutside)
	}
	unlock, err := f.lock(ctx, rel, "")
	if err != nil {
		return f.fault("link", rel, err)
	}
	defer unlock()
	return f.fault("link", rel, f.link(rel, file))
}

func (f *Folder) link(rel, file string) error {
	t, err := f.at(rel, false)
	if err != nil {
		return err
	}
	defer t.close()
	info, err := t.dir.Lstat(t.name)
	if err == nil && !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink {
		return ErrNotRegular
	}
	t.sweep(t.name)
	temp := temporaryName(t.name)
	if t.dir.Symlink(file, temp) != nil {
		data, err := f.Read(filepath.Join(filepath.Dir(rel), file))
		if err != nil {
			return err
		}
		return f.replace(rel, data)
	}
	if err := t.dir.Rename(temp, t.name); err != nil {
		return errors.Join(err, t.dir.Remove(temp))
	}
	return syncDir(t.dir, ".")
}

// temporaryName is a name that sweep knows.
func temporaryName(name string) string {
	const least = 1e15 // sixteen digits
	return "." + name + strconv.FormatInt(least+rand.Int64N(9*least), 10)
}
