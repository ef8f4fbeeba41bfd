package save

import (
	"errors"
	"io/fs"
	"os"
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
func (t *target) sweep(name string) {
	dir, err := t.dir.Open(".")
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, found := range names {
		if rest, ok := strings.CutPrefix(found, "."+name); ok && random().MatchString(rest) {
			if info, err := t.dir.Lstat(found); err == nil && (info.Mode().IsRegular() || info.Mode().Type() == fs.ModeSymlink) {
				_ = t.dir.Remove(found)
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
