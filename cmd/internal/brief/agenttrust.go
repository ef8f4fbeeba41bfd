package brief

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"handex/index"
)

// maxSettings is the size of the largest file in which an agent keeps what it trusts
// that is read.
const maxSettings = 8 << 20

// A place is a folder that an agent begins in. All paths are without links.
type place struct {
	dir, top, main string // the folder, its work tree, and the main one of the repository
	home           string // the user's
}

// An agentTrust says where an agent keeps the user's answers to whether it may trust a
// folder, and what they say of one. file is relative to the folder that the variable
// names, or else to the user's home. What cannot be read trusts nothing.
type agentTrust struct {
	variable, inVariable string
	file                 string
	trusts               func(text []byte, p place) bool
}

var agentTrusts = map[string]agentTrust{
	"claude": {"CLAUDE_CONFIG_DIR", ".claude.json", ".claude.json", claudeTrusts},
	"codex":  {"CODEX_HOME", "config.toml", ".codex/config.toml", codexTrusts},
	"gemini": {"GEMINI_CLI_TRUSTED_FOLDERS_PATH", "", ".gemini/trustedFolders.json", geminiTrusts},
}

// AgentTrusts reports whether the user told an agent that it may trust a folder. A file
// in the folder or its work tree does not say so, whatever it is named.
func AgentTrusts(agent, dir, home string, getenv func(string) string) bool {
	a, ok := agentTrusts[agent]
	p := place{dir: dir, top: dir, main: dir, home: home}
	if w := index.FindWorkTree(dir); w != nil {
		p.top, p.main = w.Top, w.InMain(w.Top)
	}
	file := filepath.Join(home, filepath.FromSlash(a.file))
	if from := getenv(a.variable); from != "" {
		file = filepath.Join(from, a.inVariable)
	}
	if !ok || !filepath.IsAbs(file) {
		return false
	}
	file, err := filepath.EvalSymlinks(file)
	if err != nil || isIn(file, p.top) || isIn(file, p.main) {
		return false
	}
	text, err := readSettings(file)
	return err == nil && a.trusts(text, p)
}

func readSettings(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSettings {
		return nil, os.ErrInvalid
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxSettings))
}

// claudeTrusts reads what Claude Code keeps: an answer for a folder, or for the
// repository it is in. An answer for a folder above is for all in it, but for the home
// folder, and for a project with settings of its own, about which Claude Code asks again.
func claudeTrusts(text []byte, p place) bool {
	var config struct {
		Projects map[string]struct {
			Accepted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	if json.Unmarshal(text, &config) != nil {
		return false
	}
	accepted := func(dir string) bool { return config.Projects[filepath.ToSlash(dir)].Accepted }
	if slices.ContainsFunc([]string{p.dir, p.top, p.main}, accepted) {
		return true
	}
	for _, own := range []string{".claude/settings.json", ".claude/settings.local.json", ".mcp.json"} {
		if _, err := os.Lstat(filepath.Join(p.top, own)); err == nil {
			return false
		}
	}
	for dir := p.dir; dir != p.home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if accepted(dir) {
			return true
		}
	}
	return false
}

// codexTrusts reads what Codex keeps: an answer for a folder goes before that for its
// work tree, and that before the one for the repository. None is for the folders in it.
func codexTrusts(text []byte, p place) bool {
	var config struct {
		Projects map[string]struct {
			Level string `toml:"trust_level"`
		} `toml:"projects"`
	}
	if toml.Unmarshal(text, &config) != nil {
		return false
	}
	level := func(dir string) string { return config.Projects[dir].Level }
	return cmp.Or(level(p.dir), level(p.top), level(p.main)) == "trusted"
}

// geminiTrusts reads what Gemini CLI keeps: of the rules for folders that the folder is
// in, the one with the longest path applies. TRUST_PARENT is for the folder above.
func geminiTrusts(text []byte, p place) bool {
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
		if filepath.IsAbs(dir) && isIn(p.dir, dir) && len(path) >= longest {
			trusted = rules[path] != "DO_NOT_TRUST" && (trusted || len(path) > longest)
			longest = len(path)
		}
	}
	return trusted
}
