package save

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
)

// maxSuffix is the last number that Create adds to a name.
const maxSuffix = 9999

// fresh is what temporary files of Create are named after: their own name is
// chosen when they are whole.
const fresh = "handex-new"

// Create writes a new file and never an existing one: where the name of rel is
// taken, -0001 or the next free number is added before its extension. name is the
// path it got, relative like rel.
func (f *Folder) Create(ctx context.Context, rel string, data []byte) (name string, err error) {
	unlock, err := f.lock(ctx, "create", filepath.Dir(rel), "create")
	if err != nil {
		return "", err
	}
	defer unlock()
	err = f.within(rel, true, func(t *target) error {
		t.sweep(fresh)
		temp, err := t.stage(fresh, nil, data)
		if err != nil {
			return err
		}
		if name, err = t.publish(temp); err != nil {
			return errors.Join(err, t.dir.Remove(temp))
		}
		return nil
	})
	return filepath.Join(filepath.Dir(rel), name), f.fault("create", rel, err)
}

// publish renames a completely written file to the first name that is free.
func (t *target) publish(temp string) (name string, err error) {
	ext := filepath.Ext(t.name)
	base := strings.TrimSuffix(t.name, ext)
	name = t.name
	for n := 1; n <= maxSuffix; n++ {
		err = t.give(temp, name)
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = fmt.Sprintf("%s-%04d%s", base, n, ext)
	}
	return "", fmt.Errorf("%d files of this name: %w", maxSuffix, fs.ErrExist)
}

// give moves a file to a name that nothing has. Where the disk knows no hard links
// the lock alone keeps two writers apart.
func (t *target) give(temp, name string) error {
	err := t.dir.Link(temp, name)
	if err == nil {
		return t.dir.Remove(temp)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	switch _, stat := t.dir.Lstat(name); {
	case stat == nil:
		return fs.ErrExist
	case !errors.Is(stat, fs.ErrNotExist):
		return stat
	}
	return t.dir.Rename(temp, name)
}

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

// temporaryName returns a name that sweep knows.
func temporaryName(name string) string {
	const least = 1e15 // sixteen digits
	return "." + name + strconv.FormatInt(least+rand.Int64N(9*least), 10)
}
