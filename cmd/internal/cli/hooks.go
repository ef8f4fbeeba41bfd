package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"handex/cmd/internal/author"
	"handex/cmd/internal/hooks"
	"handex/cmd/internal/render"
	"handex/parse"
	"handex/query"
)

// hooksCmd has agents run brief by themselves.
type hooksCmd struct {
	Install   hooksInstallCmd   `cmd:"" help:"Have an agent briefed whenever a session begins."`
	Uninstall hooksUninstallCmd `cmd:"" help:"Take that back."`
	Status    hooksStatusCmd    `cmd:"" help:"Show which agents are briefed."`
	Print     hooksPrintCmd     `cmd:"" help:"Print what would be added, and where."`
}

// hooksWhere is whose settings are meant.
type hooksWhere struct {
	Project bool   `help:"The settings of the project, instead of the user's."`
	Dir     string `help:"Whose project; the working folder if left out." placeholder:"DIR"`
}

// hooksWhat is what is to be installed.
type hooksWhat struct {
	hooksWhere
	Absolute bool   `help:"Call this program by its path, even where the PATH leads to it."`
	Save     string `help:"Save the work, too, before Claude Code compacts a session and when it ends: a handoff of FORMAT." placeholder:"FORMAT"`
}

// hooksInstallCmd adds the entry to the agent's settings.
type hooksInstallCmd struct {
	Agent string `arg:"" help:"claude, codex, gemini, cursor, opencode, copilot or agents-md."`
	hooksWhat
	DryRun bool `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Help tells what stays as it is.
func (*hooksInstallCmd) Help() string {
	return "All else in the agent's settings stays as it is, byte for byte; what they said before is kept beside them. An entry of ours that is there is renewed. docs/integrations.md tells of each agent."
}

// hooksUninstallCmd takes the entry out.
type hooksUninstallCmd struct {
	Agent string `arg:"" help:"As for install."`
	hooksWhere
	DryRun bool `name:"dry-run" help:"Show what would change, and change nothing."`
}

// hooksPrintCmd prints the entry.
type hooksPrintCmd struct {
	Agent string `arg:"" help:"As for install."`
	hooksWhat
}

// A hooking is a command about one agent.
type hooking struct {
	*app
	agent   hooks.Agent
	project string // its folder, "" for the user's own settings
}

// hooking finds the agent and whose settings are meant.
func (a *app) hooking(name string, w hooksWhere) (*hooking, error) {
	agent, ok := hooks.Find(name)
	if !ok {
		return nil, noAgent(name)
	}
	h := &hooking{app: a, agent: agent}
	if !w.Project {
		return h, nil
	}
	dir, err := a.env.folder(w.Dir)
	h.project = author.NearestMarked(dir, []string{".git"})
	return h, err
}

func noAgent(name string) error {
	err := fmt.Errorf("no agent %q is known: there are %s", name, strings.Join(hooks.Names(), ", "))
	if near := query.Suggest(name, hooks.Names()); len(near) > 0 {
		return hinted{err, "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return hinted{err, "for one that reads AGENTS.md: handex hooks install agents-md --project"}
}

// savedNames are the formats whose handoffs need no receiver, which no hook knows.
func savedNames() []string {
	return slices.DeleteFunc(author.PlacedNames(), func(name string) bool {
		place, _ := parse.PlaceOf(name)
		return place.Unsent != ""
	})
}

// entries are what is to stand in the settings.
func (h *hooking) entries(w hooksWhat) ([]hooks.Entry, error) {
	switch {
	case w.Save != "" && !h.agent.Saves:
		return nil, fmt.Errorf("--save: %s has no events at which work can be saved", h.agent.Title)
	case w.Save != "":
		if err := mustKnow("--save", w.Save, savedNames()); err != nil {
			return nil, err
		}
	}
	program, err := h.program(w.Absolute)
	return h.agent.Entries(program, w.Save), err
}

// program is how a command of the agent begins: the name of this program if that is
// the one the user's PATH leads to, or else, or if absolute asks for it, its path.
func (h *hooking) program(absolute bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if onPath, err := exec.LookPath("handex"); err == nil && !absolute && sameFile(self, onPath) {
		return "handex", nil
	}
	if runtime.GOOS == "windows" {
		return h.agent.Windows.Quote(filepath.ToSlash(self)), nil
	}
	return hooks.POSIX.Quote(self), nil
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// plan is the file that is to hold the entries, and these.
func (w hooksWhat) plan(a *app, agent string) (settings, []hooks.Entry, error) {
	h, err := a.hooking(agent, w.hooksWhere)
	if err != nil {
		return settings{}, nil, err
	}
	want, err := h.entries(w)
	if err != nil {
		return settings{}, nil, err
	}
	f, err := h.home()
	return f, want, err
}

// Run installs the entry.
func (c *hooksInstallCmd) Run(a *app) error {
	if _, err := a.form("json", "jsonl"); err != nil {
		return err
	}
	f, want, err := c.plan(a, c.Agent)
	if err != nil {
		return err
	}
	if c.DryRun {
		return f.preview(func(old []byte) ([]byte, error) { return f.Install(old, want) })
	}
	return f.install(want)
}

// Run takes the entry out of all files of the agent that hold it.
func (c *hooksUninstallCmd) Run(a *app) error {
	if _, err := a.form("json", "jsonl"); err != nil {
		return err
	}
	h, err := a.hooking(c.Agent, c.hooksWhere)
	if err != nil {
		return err
	}
	files, err := h.files()
	if err != nil {
		return err
	}
	done := 0
	for _, f := range files {
		entries, err := f.held()
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			continue
		}
		done++
		if err := f.uninstall(c.DryRun); err != nil {
			return err
		}
	}
	if done == 0 {
		a.say("it is not installed: there is no entry in " + files[0].Path)
		return errNone
	}
	return nil
}

// Run prints the entry.
func (c *hooksPrintCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	f, want, err := c.plan(a, c.Agent)
	if err != nil {
		return err
	}
	if form != "" {
		return render.JSON(a.out, struct {
			Schema int    `json:"schema"`
			Agent  string `json:"agent"`
			File   string `json:"file"`
			Text   string `json:"text"`
		}{render.Schema, f.agent.Name, f.Path, f.Snippet(want)})
	}
	a.say("for " + f.Path)
	_, err = io.WriteString(a.out, f.Snippet(want))
	return err
}
