package service

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/index"
)

// Options determine which index a Service answers from, and for whom. They do not change
// while a Service uses them.
type Options struct {
	Now func() time.Time
	// Clock is the machine's own, even if Now is set to another time: the ages of
	// earlier versions and of the states of files depend on it.
	Clock func() time.Time
	Zone  *time.Location
	// Places are the user's folders. WorkDir is absolute.
	config.Places

	// Index is the folder of the index, "" if there is none to keep one in.
	Index string
	// Roots are the folders to search; nil is those of the configuration and the usual
	// ones.
	Roots []index.Root
	// NoMirror leaves out what other machines share.
	NoMirror bool
	// Include, unless nil, takes the place of that of each root; Exclude adds to it.
	Include, Exclude []string
	// NoArchive keeps no earlier versions of files, and finds none.
	NoArchive bool
	// NoRefresh answers from the index as it is.
	NoRefresh bool
	// Program names the program and its version.
	Program string
	// FormatTime writes times in notes.
	FormatTime func(time.Time) string
	// Config reads the user's configuration, again with each call.
	Config func() (*config.Config, error)
}

// stateFile returns the path of a file in the folder of the user's states. If there is no
// such folder, it returns an error that names what the file is for.
func (o *Options) stateFile(name, what string) (string, error) {
	if o.StateHome == "" {
		return "", errors.New("there is no folder for " + what + ": neither HOME nor XDG_STATE_HOME is set")
	}
	return filepath.Join(o.StateDir(), name), nil
}
