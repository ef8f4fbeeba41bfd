package hooks

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/cmd/internal/config"
)

// An Agent describes a coding agent: its events, and the files in which it keeps the
// commands that it runs at them.
type Agent struct {
	// Name is how --for of the briefing calls it, Title how people do.
	Name, Title string
	// Windows is the shell that reads its commands there.
	Windows Shell
	// Programs says that a flag has it briefed where a program runs it.
	Programs bool
	// Note is what a person has to do, or know, after an installation.
	Note string

	matcher string
	event   string
	timeout int        // in the agent's unit
	saves   []Entry    // where work can be saved, without the command
	brief   string     // what --for of the briefing is given; Name if empty
	user    userFolder // of the user's own settings; none if empty
	project string     // the folder of a project's, in that of the project
	files   []fileRow
}

// A fileRow is a file in an agent's folder that can contain entries, with its format.
type fileRow struct {
	name   string
	format format
}

// A format is a way in which files store entries. Texts are whole files, nil if there is none.
type format interface {
	// Read returns the contents of the text. An error says where the text is not what the
	// agent reads.
	Read(text []byte) (contents, error)
	// Install returns the text with these entries of ours and no others. Of an entry
	// that is there only the command changes.
	Install(text []byte, want []Entry) ([]byte, error)
	// Uninstall returns the text without entries of handex, nil if it contained nothing that
	// is not.
	Uninstall(text []byte) ([]byte, error)
}

// contents is what is known of hooks from the text of a file.
type contents struct {
	Entries []Entry // of ours, in the file's order
	// HasHooks is set if the file is where the agent's user has hooks already.
	HasHooks bool
	// Off is the setting by which all hooks are switched off, as people write it, ""
	// if none is.
	Off string
}

// An Entry is a command that an agent runs at an event. Timeout is in the agent's unit of
// time.
type Entry struct {
	Event, Matcher, Command string
	Timeout                 int
}

// The events. At the last three work is saved.
const (
	sessionStart = "SessionStart"
	cursorStart  = "sessionStart"
	preCompact   = "PreCompact"
	preCompress  = "PreCompress" // Gemini CLI's name for it
	sessionEnd   = "SessionEnd"
)

// events are those of the files that list commands by them.
var events = []string{sessionStart, cursorStart, preCompact, preCompress, sessionEnd}

const (
	// tenSeconds is more than a briefing takes, which gives up after one.
	tenSeconds = 10
	// claudeEnd and codexEnd are what these agents give all that runs at the end of a
	// session.
	claudeEnd, codexEnd = 1, 3
)

var agents = []Agent{
	{
		Name: "claude", Title: "Claude Code", Programs: true,
		event: sessionStart, matcher: "startup|resume|clear|compact", timeout: tenSeconds,
		saves: []Entry{{Event: preCompact, Timeout: tenSeconds}, {Event: sessionEnd, Timeout: claudeEnd}},
		user:  userFolder{variable: "CLAUDE_CONFIG_DIR", home: ".claude"}, project: ".claude",
		files: []fileRow{{"settings.json", jsonFormat{agent: "claude", off: "/disableAllHooks", offValue: "true"}}},
	},
	{
		Name: "codex", Title: "Codex", Windows: CommandPrompt,
		Note:  "Codex runs the hook after you trust it: /hooks in Codex lists it",
		event: sessionStart, matcher: "startup|resume|clear|compact", timeout: tenSeconds,
		saves: []Entry{{Event: preCompact, Timeout: tenSeconds}, {Event: sessionEnd, Timeout: codexEnd}},
		user:  userFolder{variable: "CODEX_HOME", home: ".codex"}, project: ".codex",
		files: []fileRow{{"hooks.json", jsonFormat{agent: "codex"}}, {"config.toml", codexTOML}},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Windows: PowerShell,
		event: sessionStart, timeout: tenSeconds * 1000,
		saves: []Entry{{Event: preCompress, Timeout: tenSeconds * 1000}, {Event: sessionEnd, Timeout: tenSeconds * 1000}},
		user:  userFolder{home: ".gemini"}, project: ".gemini",
		files: []fileRow{{"settings.json", jsonFormat{agent: "gemini", off: "/hooksConfig/enabled", offValue: "false"}}},
	},
	{
		Name: "cursor", Title: "Cursor", Windows: CommandPrompt,
		event: cursorStart, timeout: tenSeconds,
		user: userFolder{home: ".cursor"}, project: ".cursor",
		files: []fileRow{{"hooks.json", jsonFormat{agent: "cursor", flat: true}}},
	},
	{
		Name: "opencode", Title: "OpenCode",
		event:   "plugin",
		user:    userFolder{variable: "XDG_CONFIG_HOME", home: ".config", in: "opencode/plugins"},
		project: ".opencode/plugins",
		files:   []fileRow{{"handex.ts", pluginFormat{}}},
	},
	{
		Name: "copilot", Title: "Copilot CLI", Windows: PowerShell,
		event: sessionStart, timeout: tenSeconds,
		saves: []Entry{{Event: preCompact, Timeout: tenSeconds}, {Event: sessionEnd, Timeout: tenSeconds}},
		user:  userFolder{variable: "COPILOT_HOME", home: ".copilot", in: "hooks"}, project: ".github/hooks",
		files: []fileRow{{"handex.json", jsonFormat{agent: "copilot", flat: true, typed: true}}},
	},
	{
		Name: "agents-md", Title: "any agent that reads AGENTS.md", brief: "markdown",
		event: instructed,
		// The second is where Copilot was instructed before its hooks could brief it.
		files: []fileRow{{"AGENTS.md", markdown}, {".github/copilot-instructions.md", markdown}},
	},
}

// Find returns the agent with a name.
func Find(name string) (Agent, bool) {
	for _, a := range agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Names returns the names of all agents.
func Names() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// A userFolder is where the user's own settings are: in the folder that an environment
// variable names, or else in a folder of the home folder; in is a folder below that.
type userFolder struct{ variable, home, in string }

// UserFolder returns the folder of the user's own settings.
func (a Agent) UserFolder(p config.Places) (string, error) {
	dir := p.Getenv(a.user.variable)
	if !filepath.IsAbs(dir) {
		if p.Home == "" {
			return "", errors.New("the home folder is not known: HOME is empty")
		}
		dir = filepath.Join(p.Home, a.user.home)
	}
	return filepath.Join(dir, filepath.FromSlash(a.user.in)), nil
}

// ProjectOnly reports whether the agent has no settings of the user's own.
func (a Agent) ProjectOnly() bool { return a.user == userFolder{} }

// Saves reports whether the agent has events at which work can be saved.
func (a Agent) Saves() bool { return len(a.saves) > 0 }

// Options are what an installation adds to the briefing.
type Options struct {
	// Save is the format in which work is saved, "" if it is not.
	Save string
	// Programs has sessions briefed that a program runs.
	Programs bool
}

// Entries returns the entries that an installation adds. Their commands begin with program.
func (a Agent) Entries(program string, o Options) []Entry {
	form := a.brief
	if form == "" {
		form = a.Name
	}
	command := program + " brief --for " + form
	if o.Programs {
		command += programsFlag
	}
	list := []Entry{{a.event, a.matcher, command, a.timeout}}
	if o.Save == "" {
		return list
	}
	for _, e := range a.saves {
		e.Command = program + " write --as " + o.Save + " --save --hook"
		list = append(list, e)
	}
	return list
}

// program returns the program that the command of the entry runs, "" if the command cannot
// be read.
func (e Entry) program() string {
	if words := Words(e.Command); len(words) > 0 {
		return words[0]
	}
	return ""
}

// programsFlag is the flag of brief for Options.Programs.
const programsFlag = " --programs"

// options returns the options with which an installation makes this entry.
func (e Entry) options() (o Options) {
	if words := Words(e.Command); len(words) > 3 && words[1] == "write" {
		o.Save = words[3]
	}
	o.Programs = strings.HasSuffix(e.Command, programsFlag)
	return o
}
