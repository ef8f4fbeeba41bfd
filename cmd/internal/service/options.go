package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"handex/cmd/internal/report"
	"handex/index"
	"handex/query"
)

// Options say which index a Service answers from, and for whom. They do not change
// while there is a Service of them.
type Options struct {
	Now    func() time.Time
	Zone   *time.Location
	Getenv func(string) string
	// WorkDir is absolute. Home and StateHome, where the user's programs keep their
	// state, are "" where they are not known.
	WorkDir, Home, StateHome string

	// Index is the folder of the index, "" if there is none to keep one in.
	Index string
	// Roots are the folders to search; nil is those of the configuration and the usual
	// ones.
	Roots []index.Root
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
	// Config reads what the user has configured.
	Config Config
}

// A Config reads the files of the user's configuration.
type Config interface {
	// Load reads the settings, anew with each call.
	Load() (*Settings, error)
	// QueryPlace returns where the saved query of a name is, as FILE:LINE:COLUMN; "" if
	// that is not known.
	QueryPlace(name string, env query.Env) string
	// ReportNames returns the names of the user's own reports, Report reads one of them.
	ReportNames() ([]string, error)
	Report(name string, env query.Env) (*report.Definition, error)
}

// Settings are what the user has configured.
type Settings struct {
	Roots        []index.Root
	DefaultRoots bool // the usual places are searched, too
	StaleAfter   time.Duration
	Archive      index.ArchiveOptions
	Queries      map[string]string // the saved ones by name
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
	return filepath.Join(o.StateHome, "handex", name), nil
}

// RealPath returns where a path leads: it is absolute and has no symbolic links.
func RealPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// within reports whether a path is a folder or is in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
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
