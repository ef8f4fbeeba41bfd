//go:build !windows

package save

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

const (
	// noWait keeps an open from waiting for the writer of a pipe.
	noWait    = syscall.O_NONBLOCK
	syncsDirs = true
)

// A pendingFile is written under a temporary name.
type pendingFile struct{ *renameio.PendingFile }

func newPending(dir *os.Root, name string, mode fs.FileMode) (*pendingFile, error) {
	file, err := renameio.NewPendingFile(name, renameio.WithRoot(dir), renameio.WithPermissions(mode), renameio.WithExistingPermissions())
	if err != nil {
		return nil, err
	}
	return &pendingFile{file}, nil
}

// temporary is the file's name now.
func (p *pendingFile) temporary() string { return filepath.Base(p.Name()) }
