package brief

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// Trust is a file of the folders that the user trusts, so that handoffs that came with a
// clone are quoted in full. Lines are only appended; the last line for a folder applies,
// as long as it is the same folder with the same remotes.
type Trust struct {
	// File is its absolute path. The file and its folder need not exist.
	File string
	// Getenv is os.Getenv or a substitute.
	Getenv func(string) string
}

// A trustLine is a line of the file. It says that a folder is trusted, or is no longer
// trusted.
type trustLine struct {
	At      time.Time `json:"at"`
	Trust   string    `json:"trust,omitempty"`
	Of      string    `json:"of,omitempty"` // the identity of the folder to trust
	Untrust string    `json:"untrust,omitempty"`
}

// read returns the trusted folders, each with its identity. Malformed lines are ignored.
func (t Trust) read() (map[string]string, error) {
	text, err := os.ReadFile(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	held := map[string]string{}
	for line := range bytes.Lines(text) {
		var l trustLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		if filepath.IsAbs(l.Trust) {
			held[l.Trust] = l.Of
		}
		delete(held, l.Untrust)
	}
	return held, err
}

// List returns the trusted folders, sorted. It leaves out folders that were replaced since.
func (t Trust) List(ctx context.Context) ([]string, error) {
	held, err := t.read()
	maps.DeleteFunc(held, func(dir, of string) bool { return !t.isSame(ctx, dir, of) })
	return slices.Sorted(maps.Keys(held)), err
}

// isSame reports whether a folder still has the identity that it had when it was trusted.
func (t Trust) isSame(ctx context.Context, dir, of string) bool {
	return of != "" && of == index.FolderIdentity(ctx, dir, t.Getenv)
}

// Holds reports whether dir or a folder that contains it is trusted.
func (t Trust) Holds(ctx context.Context, dir string) (bool, error) {
	held, err := t.read()
	return slices.ContainsFunc(slices.Sorted(maps.Keys(held)), func(trusted string) bool {
		return save.Within(dir, trusted) && t.isSame(ctx, trusted, held[trusted])
	}), err
}

// Set records that a folder is trusted, or is no longer trusted. It reports whether that
// changed anything.
func (t Trust) Set(ctx context.Context, dir string, trusted bool, at time.Time) (bool, error) {
	held, err := t.read()
	of, isHeld := held[dir]
	if err != nil || isHeld == trusted && (!trusted || t.isSame(ctx, dir, of)) {
		return false, err
	}
	l := trustLine{At: at.UTC().Truncate(time.Second), Untrust: dir}
	if trusted {
		l.Trust, l.Of, l.Untrust = dir, index.FolderIdentity(ctx, dir, t.Getenv), ""
		if l.Of == "" {
			return false, fmt.Errorf("%s cannot be trusted: it does not exist, or git cannot read its remotes", dir)
		}
	}
	line, err := json.Marshal(l)
	if err != nil {
		return false, err
	}
	err = save.AppendFile(ctx, t.File, append(line, '\n'))
	return err == nil, err
}

// sessionFolders are the folders for which a user can trust an agent in a session. All
// paths are without links.
type sessionFolders struct {
	start    string // the folder the session begins in
	top      string // its work tree
	mainTree string // the main work tree of the repository
	home     string // the user's home folder
}

// An agentTrust is the file in which an agent records the folders that the user trusts.
type agentTrust struct {
	variable, inVariable string // an environment variable for the folder, and the file in it
	file                 string // the file in the home folder if the variable is not set
	trusts               func(text []byte, folders sessionFolders) bool
}

// agentTrusts are the files of trusted folders by the names of agents.
var agentTrusts = map[string]agentTrust{
	"claude": {"CLAUDE_CONFIG_DIR", ".claude.json", ".claude.json", claudeTrusts},
	"codex":  {"CODEX_HOME", "config.toml", ".codex/config.toml", codexTrusts},
	"gemini": {"GEMINI_CLI_TRUSTED_FOLDERS_PATH", "", ".gemini/trustedFolders.json", geminiTrusts},
}

// AgentTrusts reports whether an agent has recorded that the user trusts dir. A record
// that is inside the repository itself does not count, nor does one that cannot be read.
func AgentTrusts(agent, dir, home string, getenv func(string) string) bool {
	a, ok := agentTrusts[agent]
	folders := sessionFolders{start: dir, top: dir, mainTree: dir, home: home}
	if w := index.FindWorkTree(dir); w != nil {
		folders.top, folders.mainTree = w.Top, w.InMain(w.Top)
	}
	file := filepath.Join(home, filepath.FromSlash(a.file))
	if from := getenv(a.variable); from != "" {
		file = filepath.Join(from, a.inVariable)
	}
	if !ok || !filepath.IsAbs(file) {
		return false
	}
	file, err := filepath.EvalSymlinks(file)
	if err != nil || save.Within(file, folders.top) || save.Within(file, folders.mainTree) {
		return false
	}
	text, err := save.ReadFile(file)
	return err == nil && a.trusts(text, folders)
}

// claudeTrusts reports whether the config of Claude Code, text, says that a folder is
// trusted: the folder itself, its repository or a folder above. Claude Code ignores the
// trust of a folder above if that is the home folder, or if the project has settings of its
// own.
func claudeTrusts(text []byte, folders sessionFolders) bool {
	var config struct {
		Projects map[string]struct {
			Accepted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	if json.Unmarshal(text, &config) != nil {
		return false
	}
	accepted := func(dir string) bool { return config.Projects[filepath.ToSlash(dir)].Accepted }
	if slices.ContainsFunc([]string{folders.start, folders.top, folders.mainTree}, accepted) {
		return true
	}
	for _, own := range []string{".claude/settings.json", ".claude/settings.local.json", ".mcp.json"} {
		if _, err := os.Lstat(filepath.Join(folders.top, own)); err == nil {
			return false
		}
	}
	for dir := folders.start; dir != folders.home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if accepted(dir) {
			return true
		}
	}
	return false
}

// codexTrusts reports whether the config of Codex, text, says that a folder is trusted. The
// entry of the folder has precedence over that of its work tree, and that over the entry of
// the repository. Folders above do not count.
func codexTrusts(text []byte, folders sessionFolders) bool {
	var config struct {
		Projects map[string]struct {
			Level string `toml:"trust_level"`
		} `toml:"projects"`
	}
	if toml.Unmarshal(text, &config) != nil {
		return false
	}
	level := func(dir string) string { return config.Projects[dir].Level }
	return cmp.Or(level(folders.start), level(folders.top), level(folders.mainTree)) == "trusted"
}

// geminiTrusts reports whether the record of Gemini CLI, text, says that a folder is
// trusted. Of the rules for the folder and those above it, the one with the longest path
// applies. TRUST_PARENT applies to the parent folder.
func geminiTrusts(text []byte, folders sessionFolders) bool {
	var rules map[string]string
	if json.Unmarshal(text, &rules) != nil {
		return false
	}
	longest, trusted := -1, false
	for _, path := range slices.Sorted(maps.Keys(rules)) {
		dir := filepath.Clean(path)
		switch rules[path] {
		case "TRUST_PARENT":
			dir = filepath.Dir(dir)
		case "TRUST_FOLDER", "DO_NOT_TRUST":
		default:
			return false
		}
		if filepath.IsAbs(dir) && save.Within(folders.start, dir) && len(path) >= longest {
			trusted = rules[path] != "DO_NOT_TRUST" && (trusted || len(path) > longest)
			longest = len(path)
		}
	}
	return trusted
}
