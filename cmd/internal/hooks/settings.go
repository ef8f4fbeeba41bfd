package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
)

// Settings are the settings files of one agent: the user's own, or those of a project.
type Settings struct {
	Agent   Agent
	Project string // its folder, "" for the user's own
	Places  config.Places
	Now     func() time.Time
}

// A File is a settings file of an agent, which can contain entries.
type File struct {
	Path     string
	Settings Settings

	format format
	real   string // where symbolic links lead
}

// A refusedError is the reason why a settings file is not changed.
type refusedError struct {
	error
	settings Settings
}

func (e refusedError) Unwrap() error { return e.error }

// Hint returns a line with the command that prints what to add by hand.
func (e refusedError) Hint() string {
	hint := "to see what to add by hand, run: handex hooks print " + e.settings.Agent.Name
	if e.settings.Project != "" {
		hint += " --project"
	}
	return hint
}

// refuse returns a refusedError with a formatted message.
func (s Settings) refuse(format string, args ...any) error {
	return refusedError{fmt.Errorf(format, args...), s}
}

// Files returns the agent's files, the usual one first. It refuses a project's file that is
// a symbolic link to the outside.
func (s Settings) Files() ([]File, error) {
	dir := filepath.Join(s.Project, filepath.FromSlash(s.Agent.project))
	if s.Project == "" {
		if s.Agent.ProjectOnly() {
			return nil, render.WithHint(errors.New(s.Agent.Name+": it reads only files of projects"), "add --project")
		}
		var err error
		if dir, err = s.Agent.UserFolder(s.Places); err != nil {
			return nil, err
		}
	}
	list := make([]File, len(s.Agent.files))
	for i, row := range s.Agent.files {
		f := File{Path: filepath.Join(dir, filepath.FromSlash(row.name)), Settings: s, format: row.format}
		var err error
		if f.real, err = resolve(f.Path); err != nil {
			return nil, err
		}
		if s.Project != "" && !isBelow(s.Project, f.real) {
			// A repository is not to say which other file is changed.
			return nil, s.refuse("%s is a symbolic link to %s, outside the project", f.Path, f.real)
		}
		list[i] = f
	}
	return list, nil
}

// Target returns the file to which entries are installed: the one that already has entries
// of handex, or else the first with hooks of the user, or else the usual one.
func (s Settings) Target() (File, error) {
	files, err := s.Files()
	if err != nil {
		return File{}, err
	}
	target := -1
	for i, f := range files {
		// What cannot be read is reported when it is to be written.
		c, err := f.contents()
		if err == nil && len(c.Entries) > 0 {
			return f, nil
		}
		if target < 0 && c.HasHooks {
			target = i
		}
	}
	return files[max(target, 0)], nil
}

// Off returns a sentence that says which setting keeps the agent from running hooks, "" if
// none does.
func (s Settings) Off() string {
	files, _ := s.Files() // an error is reported elsewhere
	for _, f := range files {
		if c, err := f.contents(); err == nil && c.Off != "" {
			return s.Agent.Title + " does not run hooks: " + c.Off + " in " + f.Path
		}
	}
	return ""
}

// maxLinks is how many symbolic links lead on to the next.
const maxLinks = 40

// resolve returns a path with its symbolic links followed. The target, and folders on the
// way, need not exist.
func resolve(path string) (string, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			dir, err = resolve(filepath.Dir(path))
		}
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, filepath.Base(path))
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: more than %d symbolic links", path, maxLinks)
}

// isBelow reports whether path, which must not contain symbolic links, is in the folder
// dir, which may be a symbolic link.
func isBelow(dir, path string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	return err == nil && save.Within(path, dir)
}

// read returns the file's text, nil if there is no file.
func (f File) read() ([]byte, error) {
	text, err := save.ReadFile(f.real)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Entries returns the entries of handex in the file.
func (f File) Entries() ([]Entry, error) {
	c, err := f.contents()
	return c.Entries, err
}

// contents reads the file and returns what it has of hooks.
func (f File) contents() (contents, error) {
	text, err := f.read()
	if err != nil || text == nil {
		return contents{HasHooks: err != nil}, err
	}
	c, err := f.format.Read(text)
	return c, f.damaged(err)
}

// damaged returns err, a fault in the text of the file, as a refusedError with the path;
// nil for nil.
func (f File) damaged(err error) error {
	if err == nil {
		return nil
	}
	return f.Settings.refuse("%s was not changed: %w", f.Path, err)
}

// Snippet returns the text of a new file that contains only the entries.
func (f File) Snippet(entries []Entry) (string, error) {
	text, err := f.format.Install(nil, entries)
	return string(text), err
}

// A State is the state of an entry in an agent's settings, which can be that it is absent.
type State struct {
	Agent string `json:"agent"`
	Whose string `json:"whose"` // user or project
	File  string `json:"file"`
	// State is installed, outdated (another installation would change the entry),
	// broken (there is no such program), off (the agent runs no hook), absent or
	// unreadable.
	State   string `json:"state"`
	Event   string `json:"event,omitempty"`
	Command string `json:"command,omitempty"`
	Error   string `json:"error,omitempty"`
}

// States returns a state for each entry of handex and for each file that cannot be read. If
// there are neither, it returns one that says absent.
func (s Settings) States() []State {
	base := State{Agent: s.Agent.Name, Whose: "user"}
	if s.Project != "" {
		base.Whose = "project"
	}
	files, err := s.Files()
	if err != nil {
		base.State, base.Error = "unreadable", err.Error()
		return []State{base}
	}
	off := s.Off()
	var list []State
	for _, f := range files {
		state := base
		state.File = f.Path
		entries, err := f.Entries()
		if err != nil {
			state.State, state.Error = "unreadable", err.Error()
			list = append(list, state)
		}
		for _, e := range entries {
			state.Event, state.Command, state.State, state.Error = e.Event, e.Command, s.stateOf(e), off
			if off != "" {
				state.State = "off"
			}
			list = append(list, state)
		}
	}
	if len(list) == 0 {
		base.State, base.File = "absent", files[0].Path
		list = append(list, base)
	}
	return list
}

// stateOf returns the state of an entry: installed, outdated if this program would install
// another command, or broken if the entry's program does not exist.
func (s Settings) stateOf(e Entry) string {
	if _, err := exec.LookPath(filepath.FromSlash(e.program())); err != nil && !errors.Is(err, exec.ErrDot) {
		return "broken"
	}
	for _, absolute := range []bool{false, true} {
		program, err := s.Agent.Program(absolute)
		if err != nil {
			return "installed" // as far as is known
		}
		for _, want := range s.Agent.Entries(program, e.options()) {
			if want.Event == e.Event && want.Command == e.Command {
				return "installed"
			}
		}
	}
	return "outdated"
}
