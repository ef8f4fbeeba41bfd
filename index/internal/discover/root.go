package discover

import (
	"errors"
	"path/filepath"
	"syscall"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Root is a folder to search for handoffs. Include and Exclude are doublestar
// globs on the path relative to Path; Include empty means the known patterns,
// "**" means every file.
type Root struct {
	Path             string
	Include, Exclude []string
	// Mirror, if set, is the folder with what other machines share. What Path has of it is
	// taken as theirs: see Shared.
	Mirror string
}

// IsMirror reports whether the root is the mirror.
func (r Root) IsMirror() bool { return r.Mirror != "" && filepath.Clean(r.Path) == r.Mirror }

// Skip is a file that looks like a handoff and is not indexed, and why.
type Skip struct {
	Path, Reason string
	// Folder says that it is a folder instead, and that nothing in it is searched.
	Folder bool
}

// Trouble is a folder that could not be read.
type Trouble struct {
	Path, Reason string
	// Shows says that the state of the folder changes when it can be.
	Shows bool
}

// NewTrouble returns the trouble that an error is.
func NewTrouble(path string, err error) Trouble {
	return Trouble{Path: path, Reason: fsx.Reason(err), Shows: errors.Is(err, syscall.EACCES)}
}
