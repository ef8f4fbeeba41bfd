package hooks

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// A State is an entry of an agent's settings, or that there is none.
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

// States returns one for each entry of ours and each file that cannot be read, or an
// absent one if there is neither.
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

// stateOf compares an entry with what this program would install.
func (s Settings) stateOf(e Entry) string {
	if _, err := exec.LookPath(filepath.FromSlash(e.program())); err != nil && !errors.Is(err, exec.ErrDot) {
		return "broken"
	}
	for _, absolute := range []bool{false, true} {
		program, err := s.Agent.Program(absolute)
		if err != nil {
			return "installed" // as far as is known
		}
		for _, want := range s.Agent.Entries(program, e.saved()) {
			if want.Event == e.Event && want.Command == e.Command {
				return "installed"
			}
		}
	}
	return "outdated"
}
