package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// Places are the folders of the user in which files of handex are looked for. A folder that
// does not exist on this machine is "".
type Places struct {
	Home, WorkDir                   string
	ConfigHome, DataHome, StateHome string // as the XDG Base Directory Specification has them
	Getenv                          func(string) string
}

// Open opens a folder, so that files below it can be written. The lock files are in the
// folder of the user's states; without that it returns an error.
func (p Places) Open(dir string) (*save.Folder, error) {
	if p.StateHome == "" {
		return nil, errors.New("there is no folder for locks: neither HOME nor XDG_STATE_HOME is set")
	}
	return save.Open(dir, filepath.Join(p.StateDir(), "locks"))
}

// EditPrivate edits the file at an absolute path as Folder.Edit does. A new file can be
// read by its owner alone.
func (p Places) EditPrivate(ctx context.Context, path string, edit func(old []byte) ([]byte, error)) error {
	folder, err := p.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = true
	return folder.Edit(ctx, filepath.Base(path), edit)
}

// RootEnv returns the environment in which package index looks for the usual roots, from a
// working folder.
func (p Places) RootEnv(workDir string) index.RootEnv {
	return index.RootEnv{Home: p.Home, WorkDir: workDir, Getenv: p.Getenv}
}

// RealPath returns a path as an absolute one without symbolic links. It returns an error if
// nothing is there.
func RealPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// Absolute returns a path that a person gave as an absolute one: "~/" is the home folder,
// and other relative paths are relative to the working folder.
func (p Places) Absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && p.Home != "" {
		path = filepath.Join(p.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.WorkDir, path)
	}
	return filepath.Clean(path)
}

// Folder returns the absolute path of an existing folder that a person named, without
// symbolic links; for an empty name, that of the working folder.
func (p Places) Folder(name string) (string, error) {
	dir, err := RealPath(p.Absolute(name))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	return dir, err
}

// StateDir returns the folder in which handex keeps its states, "" if there is no place for
// it.
func (p Places) StateDir() string {
	if p.StateHome == "" {
		return ""
	}
	return filepath.Join(p.StateHome, "handex")
}

// ErrNoFile says that there is no folder for a config file.
var ErrNoFile = errors.New("there is no folder for the config file: neither HOME nor XDG_CONFIG_HOME is set")

// File returns the path of the user's config file, whether it exists or not; "" if there is
// no place for it.
func (p Places) File() string {
	if p.ConfigHome == "" {
		return ""
	}
	file := filepath.Join(p.ConfigHome, "handex", "config.toml")
	if runtime.GOOS == "darwin" && p.Home != "" && p.Getenv("XDG_CONFIG_HOME") == "" {
		other := filepath.Join(p.Home, ".config", "handex", "config.toml")
		if !exists(file) && exists(other) {
			return other
		}
	}
	return file
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ProjectFile returns the nearest .handex.toml at or above the working folder, but
// not at or above the home folder; "" if there is none.
func (p Places) ProjectFile() string {
	for dir := p.WorkDir; dir != "" && dir != p.Home; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, ".handex.toml")
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// ReportFile returns the path of the user's own report with a name: it is in the folder
// reports beside the config file.
func (p Places) ReportFile(name string) string {
	return filepath.Join(filepath.Dir(p.File()), "reports", name+".toml")
}

// ReportNames returns the names of the user's own reports: those of the files in the folder
// reports.
func (p Places) ReportNames() ([]string, error) {
	if p.File() == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Dir(p.ReportFile("")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	return names, err
}
