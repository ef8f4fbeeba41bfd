package save

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// random is how the names of temporary files end.
var random = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{16,19}$`) })

// sweep removes the temporary files of a name that killed writers left. It is
// called under the lock that the writers of the name hold. What it cannot remove
// harms nobody but the eye.
func (f *Folder) sweep(rel string) {
	dir, err := f.root.Open(filepath.Dir(rel))
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "."+filepath.Base(rel)); ok && random().MatchString(rest) {
			found := filepath.Join(filepath.Dir(rel), name)
			info, err := f.root.Lstat(found)
			if err == nil && (info.Mode().IsRegular() || info.Mode().Type() == fs.ModeSymlink) {
				_ = f.root.Remove(found)
			}
		}
	}
}

// syncDir flushes the names in a folder to the disk, where the system can.
func syncDir(root *os.Root, rel string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := root.Open(rel)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
