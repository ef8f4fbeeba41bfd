package save

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const (
	tempPrefix = "handex-temp-"
	tempLock   = "lock"
	tempFiles  = "files" // a folder that is made once the lock is held
)

// A TempDir is a folder of temporary files that only its process uses. The process locks a
// file in it, so a folder without a lock was left behind by a process that was killed.
type TempDir struct {
	Path string
	lock *flock.Flock
}

// NewTempDir makes a folder that only the user can read, and removes those that killed
// processes left behind.
func NewTempDir() (*TempDir, error) {
	SweepTempDirs()
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return nil, err
	}
	d := &TempDir{filepath.Join(dir, tempFiles), flock.New(filepath.Join(dir, tempLock), flock.SetPermissions(0o600))}
	if err = d.lock.Lock(); err == nil {
		err = os.Mkdir(d.Path, 0o700) // before, nobody removes dir
	}
	if err != nil {
		return nil, errors.Join(err, d.Remove())
	}
	return d, nil
}

// Remove removes the folder.
func (d *TempDir) Remove() error {
	return errors.Join(d.lock.Close(), removeTemp(filepath.Dir(d.Path)))
}

// removeTemp removes the folder of a TempDir. It removes the temporary files before the
// lock file, which marks the folder as one to be removed.
func removeTemp(dir string) error {
	return errors.Join(os.RemoveAll(filepath.Join(dir, tempFiles)), os.RemoveAll(dir))
}

// SweepTempDirs removes the folders of temporary files that killed processes of the user
// left behind. It ignores errors; a later call tries again.
func SweepTempDirs() {
	dir, err := os.Open(os.TempDir())
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	_ = dir.Close()
	for _, name := range names {
		if !strings.HasPrefix(name, tempPrefix) {
			continue
		}
		path := filepath.Join(os.TempDir(), name)
		if info, err := os.Lstat(path); err == nil && info.IsDir() && isOwnAlone(info) && isLeft(path) {
			_ = removeTemp(path)
		}
	}
}

// isLeft reports whether a folder is that of a TempDir whose process has ended.
func isLeft(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, tempFiles)); err != nil {
		return false
	}
	lock := flock.New(filepath.Join(dir, tempLock), flock.SetFlag(os.O_RDONLY))
	defer func() { _ = lock.Close() }()
	free, err := lock.TryLock()
	return err == nil && free
}
