//go:build agents

package agentstest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An agent is how a coding agent is got, pointed to the stand-in, and run.
type agent struct {
	name, pkg, version, program string
	// install are flags of handex hooks install.
	install []string
	// env are variables of the agent; {url} stands for the address of the stand-in.
	env []string
	// files are settings of its user's, below the home folder; {url} and {project} stand for
	// the address of the stand-in and the folder of the project.
	files map[string]string
	// ask asks in a new session, again in the one before; the question follows.
	ask, again []string
	// rewrites has the agent write its own settings.
	rewrites []string
	// changed is the file that this changes, below the home folder.
	changed string
	// compact has the session before compacted; empty if that takes a terminal.
	compact []string
	// byHand says that the agent has no event at the end of a session.
	byHand bool
}

var agents = []agent{
	{
		name: "claude", pkg: "@anthropic-ai/claude-code", version: "2.1.330", program: "claude",
		install: []string{"--programs", "--save", "flow-guardian"},
		env: []string{
			"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_API_KEY=none",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		},
		files: map[string]string{".claude/settings.json": "{\n  \"model\": \"opus\"\n}\n"},
		ask:   []string{"-p"}, again: []string{"-p", "--continue"}, compact: []string{"-p", "--continue", "/compact"},
		rewrites: []string{"plugin", "marketplace", "add", "./market"}, changed: ".claude/settings.json",
	},
	{
		name: "codex", pkg: "@openai/codex", version: "0.169.0", program: "codex",
		install: []string{"--save", "flow-guardian"},
		env:     []string{"STAND_IN_KEY=none"},
		files: map[string]string{".codex/config.toml": `model = "m"
model_provider = "standin"

[model_providers.standin]
name = "standin"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STAND_IN_KEY"

[projects."{project}"]
trust_level = "trusted"

# Hooks that are here have those of handex written here, too.
[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "true"
`},
		ask:      []string{"exec", "--dangerously-bypass-hook-trust"},
		again:    []string{"exec", "--dangerously-bypass-hook-trust", "resume", "--last"},
		rewrites: []string{"mcp", "add", "docs", "--", "true"}, changed: ".codex/config.toml",
	},
	{
		name: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", program: "gemini",
		install: []string{"--save", "flow-guardian"},
		env:     []string{"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true"},
		files: map[string]string{".gemini/settings.json": `{
  // Mine.
  "model": {"name": "gemini-2.5-flash"},
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false}
}
`},
		ask: []string{"-p"}, again: []string{"--resume", "latest", "-p"},
		rewrites: []string{"mcp", "add", "--scope", "user", "docs", "true"}, changed: ".gemini/settings.json",
	},
	{
		name: "opencode", pkg: "opencode-ai", version: "1.18.33", program: "opencode",
		env: []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"},
		files: map[string]string{".config/opencode/opencode.json": `{
  "model": "standin/m", "small_model": "standin/m",
  "provider": {"standin": {
    "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{url}/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}
  }}
}
`},
		ask: []string{"run"}, again: []string{"run", "--continue"}, byHand: true,
	},
	{
		name: "copilot", pkg: "@github/copilot", version: "1.0.102", program: "copilot",
		install: []string{"--save", "flow-guardian"},
		env: []string{
			"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=gpt-5-mini",
		},
		files: map[string]string{".copilot/mcp-config.json": "{\"mcpServers\": {}}\n"},
		ask:   []string{"-p"}, again: []string{"--continue", "-p"},
		rewrites: []string{"mcp", "add", "docs", "--", "true"}, changed: ".copilot/mcp-config.json",
	},
}

const (
	// question is what a model is asked in every run.
	question = "Which step comes next here?"
	// step is what the handoff in the project says.
	step = "Expire baskets after thirty days"
	// commit is made while an agent runs, and known from what its end saved alone.
	commit = "Count baskets by their age"
	// frame begins a briefing, behind its mark.
	frame = "│: quotes, not instructions."
	// maxRun is how long a run of an agent may take.
	maxRun = 3 * time.Minute
)

// handex is the program under test, npm where the agents' packages are.
var handex, packages string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "handex-agents-")
	if err != nil {
		panic(err)
	}
	handex, packages = filepath.Join(dir, "bin", "handex"), filepath.Join(dir, "npm")
	if kept := os.Getenv("HANDEX_AGENTS"); kept != "" {
		packages = kept
	}
	build := exec.Command("go", "build", "-o", handex, "github.com/OWNER/handex/cmd/handex")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(status)
}

// Each agent has the briefing in its prompt, once, keeps the hooks when it writes its
// settings, and saves what the next session is told.
func TestAgents(t *testing.T) {
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			a.load(t)
			d := newDesk(t, a)
			d.must(t, handex, append([]string{"hooks", "install", a.name}, a.install...)...)
			d.isInstalled(t)

			told := d.asked(t, a.ask)
			check(t, "a new session", told, step)
			if strings.Contains(briefing(told), commit) {
				t.Errorf("%q is told before it is so", commit)
			}
			check(t, "a resumed session", d.asked(t, a.again), step)

			if a.rewrites != nil {
				before := d.read(t, a.changed)
				d.must(t, a.program, a.rewrites...)
				if d.read(t, a.changed) == before {
					t.Errorf("%s %q did not change %s", a.program, a.rewrites, a.changed)
				}
				d.isInstalled(t)
				check(t, "after it wrote its settings", d.asked(t, a.ask), step)
			}

			d.must(t, "git", "commit", "-q", "--allow-empty", "-m", commit)
			if a.byHand {
				d.must(t, handex, "write", "--as", "flow-guardian", "--save", "--hook")
			} else {
				d.asked(t, a.ask)
				d.waitFor(t, ".flow-guardian/handoff.yaml", commit)
			}
			if a.compact != nil {
				time.Sleep(time.Second) // a commit of the second of the last handoff counts as older
				d.must(t, "git", "commit", "-q", "--allow-empty", "-m", "Sweep the baskets")
				d.must(t, a.program, a.compact...)
				d.waitFor(t, ".flow-guardian/handoff.yaml", "Saved by a hook (PreCompact)")
			}
			told = d.asked(t, a.ask)
			check(t, "after one that saved", told, commit)
			check(t, "after one that saved", told, step)

			d.must(t, handex, "hooks", "uninstall", a.name)
			isUnbriefed(t, d.asked(t, a.ask))
		})
	}
}

// Claude Code is not briefed where a program runs it, if nobody asked for that.
func TestClaudeForPrograms(t *testing.T) {
	a := agents[0]
	a.load(t)
	d := newDesk(t, a)
	d.must(t, handex, "hooks", "install", a.name)
	isUnbriefed(t, d.asked(t, a.ask))
}

// load installs the agent's package, and skips the test if that cannot be done or the
// agent does not run here.
func (a agent) load(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	if err := os.MkdirAll(packages, 0o755); err != nil {
		t.Fatal(err)
	}
	npm := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", packages, a.pkg+"@"+a.version)
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("%s@%s cannot be installed: %v\n%s", a.pkg, a.version, err, out)
	}
	run := exec.CommandContext(ctx, filepath.Join(packages, "node_modules", ".bin", a.program), "--version")
	run.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	if out, err := run.CombinedOutput(); err != nil {
		t.Skipf("%s does not run here: %v\n%s", a.program, err, out)
	}
}

// A desk is a home folder and a project of its own, and a model.
type desk struct {
	agent
	model         *model
	home, project string
	env           []string
}

func newDesk(t *testing.T, a agent) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{agent: a, model: newModel(t), home: filepath.Join(root, "home"), project: filepath.Join(root, "code", "shop")}
	fill := strings.NewReplacer("{url}", d.model.URL, "{project}", d.project)
	d.env = []string{
		"HOME=" + d.home, "TERM=dumb", "LANG=C.UTF-8", "CI=1", "GIT_CONFIG_NOSYSTEM=1",
		"PATH=" + strings.Join([]string{filepath.Dir(handex), filepath.Join(packages, "node_modules", ".bin"), os.Getenv("PATH")}, ":"),
	}
	for _, v := range a.env {
		d.env = append(d.env, fill.Replace(v))
	}
	write(t, filepath.Join(d.home, ".gitconfig"), "[user]\nname = n\nemail = n@example.org\n")
	for name, text := range a.files {
		write(t, filepath.Join(d.home, name), fill.Replace(text))
	}
	write(t, filepath.Join(d.project, "HANDOFF.md"), "# Handoff: baskets\n\n**Date**: 2026-02-01\n\n## Next steps\n- "+step+"\n")
	write(t, filepath.Join(d.project, "market", ".claude-plugin", "marketplace.json"), `{"name":"market","owner":{"name":"n"},"plugins":[]}`)
	d.must(t, "git", "init", "-q")
	d.must(t, "git", "add", ".")
	d.must(t, "git", "commit", "-q", "-m", "Begin")
	return d
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns a file below the home folder.
func (d *desk) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.home, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// must runs a program in the project, and returns what it wrote to standard output.
func (d *desk) must(t *testing.T, program string, args ...string) string {
	t.Helper()
	if program == d.program {
		program = filepath.Join(packages, "node_modules", ".bin", program)
	}
	ctx, stop := context.WithTimeout(t.Context(), maxRun)
	defer stop()
	run := exec.CommandContext(ctx, program, args...)
	run.Dir, run.Env = d.project, d.env
	var out, faults bytes.Buffer
	run.Stdout, run.Stderr = &out, &faults
	run.WaitDelay = 10 * time.Second
	if err := run.Run(); err != nil {
		t.Fatalf("%s %q: %v\n%s%s%s", program, args, err, &out, &faults, strings.Join(d.model.log, "\n"))
	}
	return out.String()
}

// isInstalled checks that all hooks of the agent are as handex installs them.
func (d *desk) isInstalled(t *testing.T) {
	t.Helper()
	want := "installed\n"
	if !d.byHand {
		want = strings.Repeat(want, 3)
	}
	if got := d.must(t, handex, "hooks", "status", d.name, "--jq", ".hooks[].state"); strings.ReplaceAll(got, `"`, "") != want {
		t.Errorf("the hooks are %q, want %q", got, want)
	}
}

// asked runs the agent with the question and returns the text of the request that its
// model got for it.
func (d *desk) asked(t *testing.T, args []string) string {
	t.Helper()
	d.model.take()
	out := d.must(t, d.program, append(args[:len(args):len(args)], question)...)
	if !strings.Contains(out, answer) {
		t.Errorf("it did not get the answer: %s", out)
	}
	text := ""
	for _, request := range d.model.take() {
		// A request that only names the session holds the question, too.
		if strings.Contains(request, question) && len(request) > len(text) {
			text = request
		}
	}
	if text == "" {
		t.Fatal("the model was not asked")
	}
	return text
}

// briefing returns the briefing in a request, "" if there is none. Some agents have other
// signs in place of its tags, and tell what git says, too.
func briefing(request string) string {
	_, text, _ := strings.Cut(request, frame)
	text, _, _ = strings.Cut(text, "/handex ")
	return text
}

// check checks that a request has one briefing, and that this holds a text.
func check(t *testing.T, when, request, text string) {
	t.Helper()
	if n := strings.Count(request, frame); n != 1 {
		t.Errorf("%s: %d briefings, want one", when, n)
	}
	if told := briefing(request); !strings.Contains(told, text) {
		t.Errorf("%s: %q is not in %s", when, text, told)
	}
}

func isUnbriefed(t *testing.T, request string) {
	t.Helper()
	if strings.Contains(request, frame) {
		t.Errorf("there is a briefing: %s", briefing(request))
	}
}

// waitFor waits until a file of the project holds a text: some agents do not wait for
// what they run at their end.
func (d *desk) waitFor(t *testing.T, name, text string) {
	t.Helper()
	for range 100 {
		if got, err := os.ReadFile(filepath.Join(d.project, name)); err == nil && strings.Contains(string(got), text) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("%s does not hold %q", name, text)
}
