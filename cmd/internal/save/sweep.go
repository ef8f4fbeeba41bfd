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

// sweep removes the temporary files for rel that killed writers left behind. The caller
// holds the lock that writers of rel take. A file that cannot be removed does no harm and
// is no error.
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

// syncDir flushes the names in a folder to the disk, if the system can do that.
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
