package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/hooks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// hooksCmd is the group of commands that make agents run brief at the start of a session.
type hooksCmd struct {
	Install   hooksInstallCmd   `cmd:"" forms:"json,jsonl" help:"Brief an agent at the start of each session."`
	Uninstall hooksUninstallCmd `cmd:"" forms:"json,jsonl" help:"Remove what install added."`
	Status    hooksStatusCmd    `cmd:"" forms:"plain,json,jsonl" help:"Show which agents are briefed."`
	Print     hooksPrintCmd     `cmd:"" forms:"json,jsonl" help:"Print what install would add, and where."`
}

// hooksWhere are flags that choose the settings: the user's or a project's.
type hooksWhere struct {
	Project bool   `help:"Use the settings of the project instead of the user's."`
	Dir     string `help:"A folder of the project (default: the working folder)." placeholder:"DIR"`
}

// hooksWhat are flags that choose what is installed.
type hooksWhat struct {
	hooksWhere
	Absolute bool   `help:"Call this program by its path, even if it is in PATH."`
	Save     string `help:"Also save a handoff in FORMAT before the agent compacts a session and when the session ends." placeholder:"FORMAT"`
	Programs bool   `help:"Also brief Claude Code when a program runs it, as with claude -p."`
}

// hooksInstallCmd is the command that adds the entries of handex to the settings of an
// agent.
type hooksInstallCmd struct {
	Agent string `arg:"" help:"claude, codex, gemini, cursor, opencode, copilot or agents-md."`
	hooksWhat
	DryRun bool `name:"dry-run" help:"Show what would change, and change nothing."`
}

// hooksUninstallCmd is the command that removes the entries of handex from the settings of
// an agent.
type hooksUninstallCmd struct {
	Agent string `arg:"" help:"An agent, as for install."`
	hooksWhere
	DryRun bool `name:"dry-run" help:"Show what would change, and change nothing."`
}

// hooksPrintCmd is the command that prints the entries that an installation adds.
type hooksPrintCmd struct {
	Agent string `arg:"" help:"An agent, as for install."`
	hooksWhat
}

// settings returns the settings of the agent with a name: the user's, or with --project
// those of a project.
func (w hooksWhere) settings(a *app, name string) (hooks.Settings, error) {
	agent, ok := hooks.Find(name)
	if !ok {
		return hooks.Settings{}, noAgent(name)
	}
	s := hooks.Settings{Agent: agent, Places: a.env.Places, Now: a.env.Now}
	if !w.Project {
		return s, nil
	}
	dir, err := a.env.Folder(w.Dir)
	s.Project = author.NearestMarked(dir, []string{".git"})
	return s, err
}

// noAgent returns the error for an unknown name of an agent, with similar names.
func noAgent(name string) error {
	err := fmt.Errorf("unknown agent %q; agents: %s", name, strings.Join(hooks.Names(), ", "))
	return service.WithNames(err, query.Suggest(name, hooks.Names()),
		"for an agent that reads AGENTS.md: handex hooks install agents-md --project")
}

// savedNames returns the formats in which a hook can save handoffs: those that need no
// receiver, which no hook knows.
func savedNames() []string {
	return slices.DeleteFunc(author.PlacedNames(), func(name string) bool {
		place, _ := parse.PlaceOf(name)
		return place.Unsent != ""
	})
}

// target returns the settings file to which entries for the agent are added, and the
// entries that the flags ask for. It returns an error if a flag does not apply to the
// agent.
func (w hooksWhat) target(a *app, agent string) (f hooks.File, want []hooks.Entry, err error) {
	s, err := w.settings(a, agent)
	if err != nil {
		return f, nil, err
	}
	if w.Save != "" {
		if !s.Agent.Saves() {
			return f, nil, fmt.Errorf("--save: %s has no events at which a handoff can be saved", s.Agent.Title)
		}
		if err := service.MustBeOneOf("--save", w.Save, savedNames()); err != nil {
			return f, nil, err
		}
	}
	if w.Programs && !s.Agent.Programs {
		return f, nil, fmt.Errorf("--programs: %s is always briefed, even when a program runs it", s.Agent.Title)
	}
	program, err := s.Agent.Program(w.Absolute)
	if err != nil {
		return f, nil, err
	}
	f, err = s.Target()
	return f, s.Agent.Entries(program, hooks.Options{Save: w.Save, Programs: w.Programs}), err
}

// Run adds the entries of handex to the agent's settings file, or with --dry-run shows the
// change.
func (c *hooksInstallCmd) Run(a *app) error {
	f, want, err := c.target(a, c.Agent)
	if err != nil {
		return err
	}
	change, err := f.Install(a.ctx, want, c.DryRun)
	if err != nil {
		return err
	}
	return a.writeHookChange(f, change, c.DryRun, change.String() != "unchanged")
}

// Run removes the entries of handex from all settings files of the agent. It returns
// errNone if no file has any.
func (c *hooksUninstallCmd) Run(a *app) error {
	s, err := c.settings(a, c.Agent)
	if err != nil {
		return err
	}
	files, err := s.Files()
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		entries, err := f.Entries()
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			continue
		}
		found = true
		change, err := f.Uninstall(a.ctx, c.DryRun)
		if err != nil {
			return err
		}
		if err := a.writeHookChange(f, change, c.DryRun, false); err != nil {
			return err
		}
	}
	if !found {
		a.say("not installed: no entry in " + files[0].Path)
		return errNone
	}
	return nil
}

// writeHookChange writes how a settings file was changed, or in a dry run would be. If news
// is set, it adds notes on what else the person has to do.
func (a *app) writeHookChange(f hooks.File, c hooks.Change, dryRun, news bool) error {
	if dryRun {
		return a.showChange(c.Change)
	}
	var notes []string // what else a person has to know for the entry to be run
	for _, note := range []string{f.Settings.Agent.Note, f.Settings.Off()} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if a.flags.errorsJSON() {
		return render.JSON(a.out, struct {
			Schema int      `json:"schema"`
			Agent  string   `json:"agent"`
			File   string   `json:"file"`
			Done   string   `json:"done"`
			Backup string   `json:"backup,omitempty"`
			Notes  []string `json:"notes,omitempty"`
		}{render.Schema, f.Settings.Agent.Name, f.Path, c.String(), c.Backup, notes})
	}
	if c.Backup != "" {
		a.say("backup of the previous file: " + c.Backup)
	}
	for _, note := range notes {
		if news {
			a.note(note)
		}
	}
	_, err := io.WriteString(a.out, c.String()+" "+render.Path(f.Path)+"\n")
	return err
}

// Run prints the entries that an installation adds for the agent, and the path of their
// file.
func (c *hooksPrintCmd) Run(a *app) error {
	form := a.flags.asked()
	f, want, err := c.target(a, c.Agent)
	if err != nil {
		return err
	}
	text, err := f.Snippet(want)
	if err != nil {
		return err
	}
	if form != "" {
		return render.JSON(a.out, struct {
			Schema int    `json:"schema"`
			Agent  string `json:"agent"`
			File   string `json:"file"`
			Text   string `json:"text"`
		}{render.Schema, f.Settings.Agent.Name, f.Path, text})
	}
	a.say("for " + f.Path)
	_, err = io.WriteString(a.out, text)
	return err
}

// hooksStatusCmd is the command that lists which agents have entries of handex in their
// settings.
type hooksStatusCmd struct {
	Agent string `arg:"" optional:"" help:"Show only this agent."`
	hooksWhere
}

// Run lists the state of each agent's entries. It returns errNone if no agent has any.
func (c *hooksStatusCmd) Run(a *app) error {
	form := a.flags.asked()
	names := hooks.Names()
	if c.Agent != "" {
		names = []string{c.Agent}
	}
	list := []hooks.State{}
	for _, name := range names {
		states, err := c.states(a, name)
		if err != nil {
			return err
		}
		list = append(list, states...)
	}
	there := slices.ContainsFunc(list, func(s hooks.State) bool { return s.State != "absent" })
	return orNone(writeStates(a, list, form), there)
}

// states returns the states of the entries of an agent in the user's settings, and in the
// project's those that are not absent.
func (c *hooksStatusCmd) states(a *app, name string) ([]hooks.State, error) {
	user, err := hooksWhere{}.settings(a, name)
	if err != nil {
		return nil, err
	}
	var list []hooks.State
	if !c.Project && !user.Agent.ProjectOnly() {
		list = user.States()
	}
	project, err := hooksWhere{Project: true, Dir: c.Dir}.settings(a, name)
	if err != nil {
		return nil, err
	}
	for _, s := range project.States() {
		if c.Project || c.Agent != "" && project.Agent.ProjectOnly() || s.State != "absent" {
			list = append(list, s)
		}
	}
	return list, nil
}

// writeStates writes the states of entries in an output form. Their errors are part of JSON;
// in other forms they go to the standard error.
func writeStates(a *app, list []hooks.State, form string) error {
	if form == "json" || form == "jsonl" {
		return render.JSON(a.out, struct {
			Schema int           `json:"schema"`
			Hooks  []hooks.State `json:"hooks"`
		}{render.Schema, list})
	}
	rows := make([][]string, len(list))
	for i, s := range list {
		rows[i] = []string{s.Agent, s.Whose, s.State, render.Path(s.File), render.Line(s.Command)}
		if s.Error != "" {
			_, _ = io.WriteString(a.env.Stderr, "handex: "+render.Line(s.Error)+"\n")
		}
	}
	return a.table(rows, form)
}
