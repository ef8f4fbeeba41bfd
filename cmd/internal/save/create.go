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

// Create writes data to a new file and never to an existing one: if the name of rel is
// taken, -0001 or the next free number is added before its extension. name is the path of
// the file, relative as rel is.
func (f *Folder) Create(ctx context.Context, rel string, data []byte) (name string, err error) {
	unlock, err := f.lock(ctx, "create", filepath.Dir(rel), "create")
	if err != nil {
		return "", err
	}
	defer unlock()
	err = f.change("create", rel, true, func() error {
		beside := filepath.Join(filepath.Dir(rel), fresh)
		f.sweep(beside)
		temp, err := f.stage(beside, nil, data)
		if err != nil {
			return err
		}
		if name, err = f.publish(temp, rel); err != nil {
			return errors.Join(err, f.root.Remove(temp))
		}
		return nil
	})
	return name, err
}

// publish renames the completely written file temp to rel, or if that is taken, to the
// first free name with a number, and returns the name.
func (f *Folder) publish(temp, rel string) (name string, err error) {
	ext := filepath.Ext(rel)
	base := strings.TrimSuffix(rel, ext)
	name = rel
	for n := 1; n <= maxSuffix; n++ {
		err = f.give(temp, name)
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = fmt.Sprintf("%s-%04d%s", base, n, ext)
	}
	return "", fmt.Errorf("%d files of this name: %w", maxSuffix, fs.ErrExist)
}

// give renames temp to a name and returns fs.ErrExist if that is taken. On a disk without
// hard links only the lock keeps two writers from taking the same name.
func (f *Folder) give(temp, name string) error {
	err := f.root.Link(temp, name)
	if err == nil {
		return f.root.Remove(temp)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	switch _, stat := f.root.Lstat(name); {
	case stat == nil:
		return fs.ErrExist
	case !errors.Is(stat, fs.ErrNotExist):
		return stat
	}
	return f.root.Rename(temp, name)
}

// Link makes the name rel lead to a file in the same folder: by a relative symbolic link,
// or by a copy if the system has no links. At any time readers find under the name the file
// that it led to before, or the new one.
func (f *Folder) Link(ctx context.Context, rel, file string) error {
	if filepath.Base(file) != file || !filepath.IsLocal(file) {
		return f.fault("link", rel, ErrOutside)
	}
	unlock, err := f.lock(ctx, "link", rel, "")
	if err != nil {
		return err
	}
	defer unlock()
	return f.change("link", rel, false, func() error {
		info, err := f.root.Lstat(rel)
		if err == nil && !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink {
			return ErrNotRegular
		}
		f.sweep(rel)
		temp := temporaryName(rel)
		if f.root.Symlink(file, temp) == nil {
			return f.rename(temp, rel)
		}
		data, err := f.Read(filepath.Join(filepath.Dir(rel), file))
		if err != nil {
			return err
		}
		return f.replace(rel, data)
	})
}

// temporaryName returns a random hidden name beside rel, which sweep recognizes.
func temporaryName(rel string) string {
	const least = 1e15 // sixteen digits
	name := "." + filepath.Base(rel) + strconv.FormatInt(least+rand.Int64N(9*least), 10)
	return filepath.Join(filepath.Dir(rel), name)
}
