package hooks

import (
	"errors"
	"path/filepath"
)

// An Agent is where a coding agent keeps what it runs when a session begins.
type Agent struct {
	// Name is how --for of the briefing calls it, Title how people do.
	Name, Title string
	// Windows is the shell that reads its commands there.
	Windows Shell
	// Saves says that it has events at which work can be saved.
	Saves bool
	// Note is what a person has to do, or know, after an installation.
	Note string

	matcher string
	event   string
	timeout int    // in the agent's unit
	brief   string // what --for of the briefing is given; Name if empty
	// user is the folder of the user's own settings, nil if there are none.
	user    func(Places) (string, error)
	project string // the folder of a project's, in that of the project
	files   []fileRow
}

// A fileRow is a file of an agent's folder that can hold entries.
type fileRow struct {
	name string
	form form
}

// A form is a way files hold entries. Texts are whole files.
type form interface {
	entries(text []byte) ([]Entry, error)
	install(text []byte, want []Entry) ([]byte, error)
	uninstall(text []byte) (Undone, error)
	snippet(entries []Entry) string
	holds(text []byte) bool
	off(text []byte) string
}

// An Entry is a command that an agent runs at an event. Timeout is in the agent's
// unit.
type Entry struct {
	Event, Matcher, Command string
	Timeout                 int
}

// The events. At the last two of Claude Code work is saved.
const (
	sessionStart = "SessionStart"
	cursorStart  = "sessionStart"
	preCompact   = "PreCompact"
	sessionEnd   = "SessionEnd"
)

const (
	// tenSeconds is more than a briefing takes, which gives up after one.
	tenSeconds = 10
	// aSecond is what Claude Code gives all that runs at the end of a session.
	aSecond = 1
)

var agents = []Agent{
	{
		Name: "claude", Title: "Claude Code", Saves: true,
		event: sessionStart, matcher: "startup|resume|clear|compact", timeout: tenSeconds,
		user: inHome("CLAUDE_CONFIG_DIR", ".claude"), project: ".claude",
		files: []fileRow{{"settings.json", jsonForm{agent: "claude", switches: []offSwitch{{"disableAllHooks", "true"}}}}},
	},
	{
		Name: "codex", Title: "Codex", Windows: CommandPrompt,
		Note:  "Codex runs it when you have trusted it: /hooks there lists it",
		event: sessionStart, matcher: "startup|resume|clear|compact", timeout: tenSeconds,
		user: inHome("CODEX_HOME", ".codex"), project: ".codex",
		files: []fileRow{{"hooks.json", jsonForm{agent: "codex"}}, {"config.toml", tomlForm{"codex"}}},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Windows: PowerShell,
		event: sessionStart, timeout: tenSeconds * 1000,
		user: inHome("", ".gemini"), project: ".gemini",
		files: []fileRow{{"settings.json", jsonForm{agent: "gemini", switches: []offSwitch{{"hooksConfig.enabled", "false"}}}}},
	},
	{
		Name: "cursor", Title: "Cursor", Windows: CommandPrompt,
		event: cursorStart, timeout: tenSeconds,
		user: inHome("", ".cursor"), project: ".cursor",
		files: []fileRow{{"hooks.json", jsonForm{agent: "cursor", flat: true}}},
	},
	{
		Name: "opencode", Title: "OpenCode",
		event: "plugin",
		user:  inConfig("opencode/plugins"), project: ".opencode/plugins",
		files: []fileRow{{"handex.ts", pluginForm{}}},
	},
	{
		Name: "copilot", Title: "Copilot",
		event: instructed,
		files: []fileRow{{".github/copilot-instructions.md", markdownForm{}}},
	},
	{
		Name: "agents-md", Title: "any agent that reads AGENTS.md", brief: "markdown",
		event: instructed,
		files: []fileRow{{"AGENTS.md", markdownForm{}}},
	},
}

// Find answers the agent of a name.
func Find(name string) (Agent, bool) {
	for _, a := range agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Names are the names Find knows.
func Names() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// Places are the user's surroundings. Home is "" where it is not known.
type Places struct {
	Home   string
	Getenv func(string) string
}

var (
	// ErrProjectOnly says that an agent has no settings of the user's own.
	ErrProjectOnly = errors.New("it reads the files of projects alone")
	errNoHome      = errors.New("the home folder is not known: HOME is empty")
)

// inHome is a folder that a variable names, or else one in the home folder.
func inHome(variable, name string) func(Places) (string, error) {
	return func(p Places) (string, error) {
		if variable != "" {
			if dir := p.Getenv(variable); filepath.IsAbs(dir) {
				return filepath.Clean(dir), nil
			}
		}
		if p.Home == "" {
			return "", errNoHome
		}
		return filepath.Join(p.Home, name), nil
	}
}

// inConfig is a folder in that of programs' settings, which for some is the same on
// all systems.
func inConfig(name string) func(Places) (string, error) {
	config := inHome("XDG_CONFIG_HOME", ".config")
	return func(p Places) (string, error) {
		dir, err := config(p)
		return filepath.Join(dir, filepath.FromSlash(name)), err
	}
}

// A File is one that can hold entries of an agent.
type File struct {
	Path string
	form form
}

// UserFiles are the files for all projects of the user, the usual one first.
func (a Agent) UserFiles(p Places) ([]File, error) {
	if a.ProjectOnly() {
		return nil, ErrProjectOnly
	}
	dir, err := a.user(p)
	if err != nil {
		return nil, err
	}
	return a.in(dir), nil
}

// ProjectOnly reports whether the agent has no settings of the user's own.
func (a Agent) ProjectOnly() bool { return a.user == nil }

// ProjectFiles are those of the project in a folder.
func (a Agent) ProjectFiles(dir string) []File {
	return a.in(filepath.Join(dir, filepath.FromSlash(a.project)))
}

func (a Agent) in(dir string) []File {
	files := make([]File, len(a.files))
	for i, f := range a.files {
		files[i] = File{filepath.Join(dir, filepath.FromSlash(f.name)), f.form}
	}
	return files
}

// Entries are what an installation is to put in. program begins the commands; save
// is the format in which work is saved, "" if it is not.
func (a Agent) Entries(program, save string) []Entry {
	form := a.brief
	if form == "" {
		form = a.Name
	}
	list := []Entry{{a.event, a.matcher, program + " brief --for " + form, a.timeout}}
	if save != "" && a.Saves {
		command := program + " write --as " + save + " --save --hook"
		list = append(list, Entry{preCompact, "", command, tenSeconds}, Entry{sessionEnd, "", command, aSecond})
	}
	return list
}

// Entries are those of ours that a text holds, in its order. The error says where a
// text is not what the agent reads.
func (f File) Entries(text []byte) ([]Entry, error) { return f.form.entries(text) }

// Install answers the text with these entries of ours and no others. Of an entry
// that is there only the command changes. The text is nil if there is no file.
func (f File) Install(text []byte, want []Entry) ([]byte, error) {
	if text == nil {
		return []byte(f.form.snippet(want)), nil
	}
	return f.form.install(text, want)
}

// An Undone is what is left of a file without entries of ours.
type Undone struct {
	Text []byte
	// Exact says that Install makes the file of the text, or of no file, again.
	Exact bool
	// Gone says that the file held nothing else, and nobody has use for it.
	Gone bool
}

// Uninstall answers the text without entries of ours.
func (f File) Uninstall(text []byte) (Undone, error) { return f.form.uninstall(text) }

// Snippet is what a file holds that holds nothing else.
func (f File) Snippet(entries []Entry) string { return f.form.snippet(entries) }

// Off is the setting by which a text switches all hooks off, as people write it, ""
// if none does.
func (f File) Off(text []byte) string { return f.form.off(text) }

// Holds reports whether a text is where the agent's user has hooks already.
func (f File) Holds(text []byte) bool { return f.form.holds(text) }

// Program is the program that an entry runs, "" if that cannot be told.
func (e Entry) Program() string {
	if words := Words(e.Command); len(words) > 0 {
		return words[0]
	}
	return ""
}

// Saved is the format an entry saves work in, "" if it does not save.
func (e Entry) Saved() string {
	if words := Words(e.Command); len(words) > 3 && words[1] == "write" {
		return words[3]
	}
	return ""
}
