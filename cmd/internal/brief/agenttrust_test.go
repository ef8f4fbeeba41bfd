package brief_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/OWNER/handex/cmd/internal/brief"
)

// An agent's own settings say whether its user trusts a folder; ~ is the home folder.
func TestAgentTrusts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, file, text string
		want              bool
	}{
		"claude":                 {"claude", ".claude.json", `{"numStartups":3,"projects":{"~/code/app":{"allowedTools":[],"hasTrustDialogAccepted":true}}}`, true},
		"claude, no":             {"claude", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":false}}}`, false},
		"claude, above":          {"claude", ".claude.json", `{"projects":{"~/code":{"hasTrustDialogAccepted":true}}}`, true},
		"claude, home":           {"claude", ".claude.json", `{"projects":{"~":{"hasTrustDialogAccepted":true},"/":{"hasTrustDialogAccepted":true}}}`, false},
		"claude, another":        {"claude", ".claude.json", `{"projects":{"~/code/ap":{"hasTrustDialogAccepted":true}}}`, false},
		"claude, below":          {"claude", ".claude.json", `{"projects":{"~/code/app/sub":{"hasTrustDialogAccepted":true}}}`, false},
		"claude, at the top":     {"claude", ".claude.json", `{"~/code/app":{"hasTrustDialogAccepted":true}}`, false},
		"claude, no boolean":     {"claude", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":"true"}}}`, false},
		"claude, cut short":      {"claude", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":true}}`, false},
		"claude, too large":      {"claude", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":true}}}` + strings.Repeat(" ", 9<<20), false},
		"claude, for codex":      {"codex", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":true}}}`, false},
		"claude, for nobody":     {"plain", ".claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":true}}}`, false},
		"claude, in the clone":   {"claude", "code/app/.claude.json", `{"projects":{"~/code/app":{"hasTrustDialogAccepted":true}}}`, false},
		"codex":                  {"codex", ".codex/config.toml", "model = \"x\"\n[projects.\"~/code/app\"]\ntrust_level = \"trusted\"\n", true},
		"codex, no":              {"codex", ".codex/config.toml", "[projects.\"~/code/app\"]\ntrust_level = \"untrusted\"\n", false},
		"codex, above":           {"codex", ".codex/config.toml", "[projects.\"~/code\"]\ntrust_level = \"trusted\"\n", false},
		"codex, malformed":       {"codex", ".codex/config.toml", "[projects.\"~/code/app\"]\ntrust_level = \"trusted\"\n[", false},
		"codex, of another kind": {"codex", ".codex/config.toml", "projects = \"trusted\"\n", false},
		"gemini":                 {"gemini", ".gemini/trustedFolders.json", `{"~/code/app":"TRUST_FOLDER"}`, true},
		"gemini, above":          {"gemini", ".gemini/trustedFolders.json", `{"~/code":"TRUST_FOLDER"}`, true},
		"gemini, parent":         {"gemini", ".gemini/trustedFolders.json", `{"~/code/other":"TRUST_PARENT"}`, true},
		"gemini, no":             {"gemini", ".gemini/trustedFolders.json", `{"~/code":"TRUST_FOLDER","~/code/app":"DO_NOT_TRUST"}`, false},
		"gemini, no above":       {"gemini", ".gemini/trustedFolders.json", `{"~/code":"DO_NOT_TRUST","~/code/app":"TRUST_FOLDER"}`, true},
		"gemini, another":        {"gemini", ".gemini/trustedFolders.json", `{"~/code/app2":"TRUST_FOLDER"}`, false},
		"gemini, unknown rule":   {"gemini", ".gemini/trustedFolders.json", `{"~/code/app":"TRUST_FOLDER","/x":"TRUST_ALL"}`, false},
		"gemini, a list":         {"gemini", ".gemini/trustedFolders.json", `["~/code/app"]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, app := newHome(t)
			writeFile(t, filepath.Join(home, c.file), strings.ReplaceAll(c.text, "~", home))
			none := func(string) string { return "" }
			if got := brief.AgentTrusts(c.agent, app, home, none); got != c.want {
				t.Errorf("trusted: %v, want %v", got, c.want)
			}
		})
	}
}

// newHome makes a home folder with a work tree of git in it.
func newHome(t *testing.T) (home, app string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app = filepath.Join(home, "code", "app")
	writeFile(t, filepath.Join(app, ".git", "HEAD"), "ref: refs/heads/main\n")
	return home, app
}

func TestAgentTrustsElsewhere(t *testing.T) {
	t.Parallel()
	home, app := newHome(t)
	trusts := func(agent, dir, variable, value string) bool {
		return brief.AgentTrusts(agent, dir, home, func(name string) string { return map[string]string{variable: value}[name] })
	}
	yes := `{"projects":{"` + app + `":{"hasTrustDialogAccepted":true},"` + filepath.Dir(app) + `":{"hasTrustDialogAccepted":true}}}`
	writeFile(t, filepath.Join(home, "conf", ".claude.json"), yes)
	if !trusts("claude", app, "CLAUDE_CONFIG_DIR", filepath.Join(home, "conf")) {
		t.Error("CLAUDE_CONFIG_DIR is not looked in")
	}
	if !trusts("claude", filepath.Join(app, "sub"), "CLAUDE_CONFIG_DIR", filepath.Join(home, "conf")) {
		t.Error("the answer for a work tree is not for the folders in it")
	}
	// Settings of its own make Claude Code ask about a project itself.
	other := filepath.Join(home, "code", "other")
	writeFile(t, filepath.Join(other, ".git", "HEAD"), "")
	if !trusts("claude", other, "CLAUDE_CONFIG_DIR", filepath.Join(home, "conf")) {
		t.Error("the answer for a folder is not for those in it")
	}
	writeFile(t, filepath.Join(other, ".claude", "settings.json"), "{}")
	if trusts("claude", other, "CLAUDE_CONFIG_DIR", filepath.Join(home, "conf")) {
		t.Error("the answer for a folder above is taken for a project with settings")
	}
	// The clone itself has no say, by whatever name it is reached.
	writeFile(t, filepath.Join(app, "conf", ".claude.json"), yes)
	if err := os.Symlink(filepath.Join(app, "conf"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(app, "conf"), filepath.Join(home, "link"), "conf"} {
		if trusts("claude", app, "CLAUDE_CONFIG_DIR", dir) {
			t.Errorf("a file of the clone grants trust by %s", dir)
		}
	}
	if err := os.Mkdir(filepath.Join(home, ".claude.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if trusts("claude", app, "", "") {
		t.Error("a folder grants trust")
	}
}
