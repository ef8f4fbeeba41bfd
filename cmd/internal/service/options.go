package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/index"
)

// Options say which index a Service answers from, and for whom. They do not change
// while there is a Service of them.
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

func (o *Options) rootEnv(workDir string) index.RootEnv {
	return index.RootEnv{Home: o.Home, WorkDir: workDir, Getenv: o.Getenv}
}

// stateFile returns a file of the user's state, or an error that says what there is
// no folder for.
func (o *Options) stateFile(name, what string) (string, error) {
	if o.StateHome == "" {
		return "", errors.New("there is no folder for " + what + ": neither HOME nor XDG_STATE_HOME is set")
	}
	return filepath.Join(o.StateDir(), name), nil
}

// RealPath returns where a path leads: it is absolute and has no symbolic links.
func RealPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// Absolute resolves a path that a person gave.
func (o *Options) Absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && o.Home != "" {
		path = filepath.Join(o.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.WorkDir, path)
	}
	return filepath.Clean(path)
}

// Folder returns an existing folder that a person named, without links: the working
// folder if the name is empty.
func (o *Options) Folder(name string) (string, error) {
	dir, err := RealPath(o.Absolute(name))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	return dir, err
}
