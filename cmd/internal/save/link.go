package save

import (
	"context"
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
	unlock, err := f.lock(ctx, "link", rel, "")
	if err != nil {
		return err
	}
	defer unlock()
	return f.fault("link", rel, f.within(rel, false, func(t *target) error {
		info, err := t.dir.Lstat(t.name)
		if err == nil && !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink {
			return ErrNotRegular
		}
		t.sweep(t.name)
		temp := temporaryName(t.name)
		if t.dir.Symlink(file, temp) == nil {
			return t.rename(temp)
		}
		data, err := f.Read(filepath.Join(filepath.Dir(rel), file))
		if err != nil {
			return err
		}
		return t.replace(data)
	}))
}

// temporaryName is a name that sweep knows.
func temporaryName(name string) string {
	const least = 1e15 // sixteen digits
	return "." + name + strconv.FormatInt(least+rand.Int64N(9*least), 10)
}
