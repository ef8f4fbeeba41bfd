package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hookFiles are the files of each agent that an installation may change, with what
// people have in them: comments, other hooks. An empty text stands for no file.
var hookFiles = []struct {
	agent, file string // below the project
	texts       []string
	says        string // the briefing, as the agent is given it
}{
	{"claude", ".claude/settings.json", []string{
		"", "{}\n", "{\n  // mine\n  \"env\": {\"A\": \"b\"}, /* c */\n}\n",
		"{\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t{ \"matcher\": \"startup|resume|clear|compact\", \"hooks\": [{ \"type\": \"command\", \"command\": \"true\" }] }\n\t\t]\n\t}\n}",
	}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<handex `},
	{"codex", ".codex/hooks.json", []string{"", "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}],\"SessionStart\":[]}}"}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<handex `},
	{"codex", ".codex/config.toml", []string{"# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\" # c\ncommand = \"true\"\n"}, ""},
	{"gemini", ".gemini/settings.json", []string{"", "// mine\n{\n    \"theme\": \"Dark\",\n    \"hooks\": {\"AfterTool\": []},\n}\n"}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<handex `},
	{"cursor", ".cursor/hooks.json", []string{"", "{\n  \"version\": 1, // always\n  \"hooks\": {\n    \"sessionStart\": [{ \"command\": \"true\" }],\n  }\n}\n"}, `{"additional_context":"<handex `},
	{"opencode", ".opencode/plugins/handex.ts", []string{""}, ""},
	{"copilot", ".github/hooks/handex.json", []string{"", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"agentStop\": [{ \"type\": \"command\", \"bash\": \"true\" }]\n  }\n}\n"}, `{"additionalContext":"<handex `},
	{"agents-md", "AGENTS.md", []string{"", "# Rules\n\nBe brief.\n", "Be brief.", "# Rules\n\n```json\n{}\n```\n"}, ""},
}

// ways are how such a file may lie on the disk.
var ways = []struct {
	name string
	lay  func(t *testing.T, file, text string)
}{
	{"plain", func(t *testing.T, file, text string) {
		t.Helper()
		put(t, file, text, 0o644)
	}},
	{"CRLF", func(t *testing.T, file, text string) {
		t.Helper()
		put(t, file, strings.ReplaceAll(text, "\n", "\r\n"), 0o600)
	}},
	{"byte order mark", func(t *testing.T, file, text string) {
		t.Helper()
		put(t, file, "\ufeff"+text, 0o664)
	}},
	{"relative link", func(t *testing.T, file, text string) {
		t.Helper()
		put(t, filepath.Join(filepath.Dir(file), "kept", "as.is"), text, 0o640)
		link(t, filepath.Join("kept", "as.is"), file)
	}},
	{"absolute links", func(t *testing.T, file, text string) {
		t.Helper()
		put(t, filepath.Join(filepath.Dir(file), "kept"), text, 0o644)
		link(t, filepath.Join(filepath.Dir(file), "kept"), file+".2")
		link(t, file+".2", file)
	}},
}

func put(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// Whatever lies where an agent looks: it is installed, says the briefing to the
// agent, is uninstalled, and everything is as it was.
func TestHooksOfEveryAgent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh, modes and symbolic links")
	}
	for _, f := range hookFiles {
		for i, text := range f.texts {
			for _, way := range ways {
				if text == "" && way.name != "plain" {
					continue
				}
				t.Run(fmt.Sprint(f.agent, i, way.name), func(t *testing.T) {
					t.Parallel()
					m := newMachine(t)
					m.work, _ = filepath.EvalSymlinks(m.work)
					m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
					m.save(t, "HANDOFF.md", handoffText)
					if text != "" {
						way.lay(t, filepath.Join(m.work, f.file), text)
					}
					before := everythingIn(t, m.work)
					m.must(t, 0, "hooks", "install", f.agent, "--project")
					m.checkInstalled(t, f.agent, filepath.Join(m.work, f.file), f.says)
					m.must(t, 0, "hooks", "uninstall", f.agent, "--project")
					if diff := cmp.Diff(before, everythingIn(t, m.work)); diff != "" {
						t.Errorf("(-before +after):\n%s", diff)
					}
				})
			}
		}
	}
}

// checkInstalled checks the one entry, and runs its command as the agent does.
func (m *machine) checkInstalled(t *testing.T, agent, file, says string) {
	t.Helper()
	var answer struct {
		Hooks []struct{ File, State, Command string }
	}
	out := m.must(t, 0, "hooks", "status", agent, "--project", "--json")
	if err := json.Unmarshal([]byte(out.stdout), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Hooks) != 1 || answer.Hooks[0].State != "installed" || answer.Hooks[0].File != file {
		t.Fatalf("%+v, want one in %s", answer.Hooks, file)
	}
	if says == "" {
		return
	}
	run := exec.CommandContext(t.Context(), "sh", "-c", answer.Hooks[0].Command+" --timeout 1m") // however slow the machine is
	run.Dir = m.home                                                                             // the folder comes with the input
	run.Env = append(os.Environ(), "HOME="+m.home, "XDG_CACHE_HOME="+m.home, "XDG_STATE_HOME="+m.home, "XDG_CONFIG_HOME="+m.home)
	input, err := json.Marshal(map[string]any{"hook_event_name": "SessionStart", "source": "startup", "cwd": m.work, "workspace_roots": []string{m.work}})
	if err != nil {
		t.Fatal(err)
	}
	run.Stdin = strings.NewReader(string(input))
	told, err := run.Output()
	if err != nil || !strings.HasPrefix(string(told), says) || !strings.Contains(string(told), "Write the price rules") {
		t.Errorf("%v\n%s", err, told)
	}
}

// everythingIn is what lies in a folder: modes, texts, where links lead.
func everythingIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		switch {
		case d.Type() == fs.ModeSymlink:
			to, err := os.Readlink(path)
			all[path] = what + " " + to
			return err
		case d.Type().IsRegular():
			text, err := os.ReadFile(path)
			all[path] = what + " " + string(text)
			return err
		}
		all[path] = what
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}
