package cli

import (
	"errors"
	"io"
	"os/exec"
	"path/filepath"

	"handex/cmd/internal/hooks"
	"handex/cmd/internal/render"
)

// hooksStatusCmd lists which agents are briefed.
type hooksStatusCmd struct {
	Agent string `arg:"" optional:"" help:"Only of this agent."`
	hooksWhere
}

// Help tells what is listed.
func (*hooksStatusCmd) Help() string {
	return "The settings of the user, and those of the project that hold an entry. The exit status is 1 if there is none."
}

// hookState is an entry of an agent's settings, or that there is none.
type hookState struct {
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

// Run lists the states.
func (c *hooksStatusCmd) Run(a *app) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	names := hooks.Names()
	if c.Agent != "" {
		names = []string{c.Agent}
	}
	list := []hookState{}
	for _, name := range names {
		states, err := c.states(a, name)
		if err != nil {
			return err
		}
		list = append(list, states...)
	}
	if err := writeStates(a, list, form); err != nil {
		return err
	}
	for _, s := range list {
		if s.State != "absent" {
			return nil
		}
	}
	return errNone
}

func writeStates(a *app, list []hookState, form string) error {
	if form == "json" || form == "jsonl" {
		return render.JSON(a.out, struct {
			Schema int         `json:"schema"`
			Hooks  []hookState `json:"hooks"`
		}{render.Schema, list})
	}
	rows := make([][]string, len(list))
	for i, s := range list {
		rows[i] = []string{s.Agent, s.Whose, s.State, render.Path(s.File), render.Line(s.Command)}
		if s.Error != "" {
			_, _ = io.WriteString(a.env.Stderr, "handex: "+render.Line(s.Error)+"\n")
		}
	}
	if form == "plain" {
		return render.TSV(a.out, rows)
	}
	return render.Table(a.out, nil, rows, a.options())
}

// states are those of the user's settings, and those of the project's that say
// something.
func (c *hooksStatusCmd) states(a *app, name string) ([]hookState, error) {
	var list []hookState
	h, err := a.hooking(name, hooksWhere{})
	if err != nil {
		return nil, err
	}
	if !c.Project && !h.agent.ProjectOnly() {
		list = h.states("user")
	}
	where := c.hooksWhere
	where.Project = true
	if h, err = a.hooking(name, where); err != nil {
		return nil, err
	}
	for _, s := range h.states("project") {
		if c.Project || c.Agent != "" && h.agent.ProjectOnly() || s.State != "absent" {
			list = append(list, s)
		}
	}
	return list, nil
}

// states are a line for each entry, and one if there is none.
func (h *hooking) states(whose string) []hookState {
	base := hookState{Agent: h.agent.Name, Whose: whose, State: "absent"}
	files, err := h.files()
	if err != nil {
		base.State, base.Error = "unreadable", err.Error()
		return []hookState{base}
	}
	var list []hookState
	for _, f := range files {
		s := base
		s.File = f.Path
		entries, err := f.held()
		if err != nil {
			s.State, s.Error = "unreadable", err.Error()
			list = append(list, s)
		}
		for _, e := range entries {
			s.Event, s.Command, s.State = e.Event, e.Command, h.stateOf(e)
			if by := h.off(files); by != "" {
				s.State, s.Error = "off", h.agent.Title+" runs no hook: "+by
			}
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		base.File = files[0].Path
		list = append(list, base)
	}
	return list
}

// stateOf is how an entry stands to this program.
func (h *hooking) stateOf(e hooks.Entry) string {
	if _, err := exec.LookPath(filepath.FromSlash(e.Program())); err != nil && !errors.Is(err, exec.ErrDot) {
		return "broken"
	}
	for _, absolute := range []bool{false, true} {
		program, err := h.program(absolute)
		if err != nil {
			return "installed" // as far as is known
		}
		for _, want := range h.agent.Entries(program, e.Saved()) {
			if want.Event == e.Event && want.Command == e.Command {
				return "installed"
			}
		}
	}
	return "outdated"
}
