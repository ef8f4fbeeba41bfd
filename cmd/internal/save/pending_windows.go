package save

import (
	"errors"
	"io/fs"
	"os"
)

const (
	noWait    = 0
	syncsDirs = false
)

// A pendingFile is written under a temporary name. renameio has none for Windows,
// where a name is not taken at once by promise; os.Root asks for the rename that
// comes nearest.
type pendingFile struct {
	*os.File
	dir        *os.Root
	temp, name string
}

func newPending(dir *os.Root, name string, mode fs.FileMode) (*pendingFile, error) {
	temp := temporaryName(name)
	file, err := dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return &pendingFile{file, dir, temp, name}, nil
}

func (p *pendingFile) temporary() string { return p.temp }

// CloseAtomicallyReplace syncs the file and gives it its name.
func (p *pendingFile) CloseAtomicallyReplace() error {
	if err := errors.Join(p.Sync(), p.Close()); err != nil {
		return err
	}
	return p.dir.Rename(p.temp, p.name)
}

// Cleanup removes the file unless it has its name.
func (p *pendingFile) Cleanup() error {
	if err := p.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return p.dir.Remove(p.temp)
}
