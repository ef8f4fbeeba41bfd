//go:build agents

package agentstest_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// top is the folder of the repository.
func top(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// byName returns an agent that is loaded, and a desk for it.
func byName(t *testing.T, name string) *desk {
	t.Helper()
	for _, a := range agents {
		if a.name == name {
			a.load(t)
			return newDesk(t, a)
		}
	}
	t.Fatalf("no agent %s", name)
	return nil
}

// TestClaudePlugin checks that the plugin is valid, that a session at a terminal starts
// with one briefing by it, also beside the hook of the settings, and that the session
// has the MCP server and the skill.
func TestClaudePlugin(t *testing.T) {
	d := byName(t, "claude")
	d.must(t, "claude", "plugin", "validate", "--strict", top(t))
	d.must(t, "claude", "plugin", "validate", "--profile", "directory", filepath.Join(top(t), "plugins", "claude"))
	d.must(t, "claude", "plugin", "install", "handex", "--marketplace", top(t))
	request := d.atTerminal(t)
	check(t, "a session with the plugin", request, step)
	if !strings.Contains(request, "handex:handoff: Write a handoff") {
		t.Error("the session has no skill")
	}
	if got := d.must(t, "claude", "mcp", "list"); !regexp.MustCompile(`handex mcp --write - . Connected`).MatchString(got) {
		t.Errorf("the MCP server is not connected: %s", got)
	}
	d.must(t, handex, "hooks", "install", "claude")
	check(t, "with the hook of the settings", d.atTerminal(t), step)
	d.must(t, handex, "hooks", "uninstall", "claude")
	check(t, "without it", d.atTerminal(t), step)
	d.must(t, "claude", "plugin", "uninstall", "handex@handex")
	isUnbriefed(t, d.atTerminal(t))
}

// atTerminal starts Claude Code at a terminal with the question and returns the text of
// the request that its model got. claude -p would not do: it gets no briefing.
func (d *desk) atTerminal(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script of util-linux, so no terminal")
	}
	d.acceptDialogs(t)
	d.model.take()
	ctx, stop := context.WithTimeout(t.Context(), maxRun)
	defer stop()
	run := exec.CommandContext(ctx, "script", "-qec", "stty cols 120 rows 40; exec claude '"+question+"'", "/dev/null")
	run.Dir, run.Env, run.WaitDelay = d.project, append(d.env, "TERM=xterm"), 10*time.Second
	stdin, err := run.StdinPipe() // its end would end the session
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		stop()
		_ = run.Wait()
	}()
	for ctx.Err() == nil {
		for _, request := range d.model.take() {
			if strings.Contains(request, question) {
				return request
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the model got no request")
	return ""
}

// acceptDialogs writes the answers to the questions of a first start, and of a first
// session in the folder.
func (d *desk) acceptDialogs(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark",
		"customApiKeyResponses": map[string]any{"approved": []string{"none"}},
		"projects":              map[string]any{d.project: map[string]any{"hasTrustDialogAccepted": true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(d.home, ".claude.json"), string(text))
}

var document = regexp.MustCompile("(?s)```json\n(.*?)```")

// TestClaudeSkill checks that Claude Code runs the call that the skill requests without a
// question to the user, and that the next briefing quotes what it wrote.
func TestClaudeSkill(t *testing.T) {
	d := byName(t, "claude")
	d.must(t, "claude", "plugin", "install", "handex", "--marketplace", top(t))
	d.must(t, handex, "hooks", "install", "claude", "--programs")
	// Without these the session starts before its MCP servers.
	d.env = append(d.env, "MCP_CONNECTION_NONBLOCKING=0", "MCP_CONNECT_TIMEOUT_MS=60000")
	called := false
	d.model.use = func(text string) (string, any) {
		m := document.FindStringSubmatch(text)
		if called || m == nil {
			return "", nil
		}
		called = true
		return "mcp__plugin_handex_handex__write", map[string]any{"format": "claude-suite", "document": json.RawMessage(m[1])}
	}
	d.must(t, "claude", "-p", "/handex:handoff")
	d.model.use = nil
	asked := d.model.take()
	list, err := filepath.Glob(filepath.Join(d.home, ".claude", "handoffs", "*", "*.md"))
	if err != nil || len(list) != 1 {
		t.Fatalf("handoffs %q, %v; want one:\n%s", list, err, asked[len(asked)-1])
	}
	text, err := os.ReadFile(list[0])
	if err != nil || !regexp.MustCompile(`(?m)^session_id: [0-9a-f]{8}-[0-9a-f-]{27}$`).Match(text) {
		t.Errorf("%v; the handoff has no id of the session:\n%s", err, text)
	}
	d.must(t, handex, "check", "--strict", list[0])
	check(t, "after the skill", d.asked(t, d.ask), "add a date in cart/store.go")
}

// TestGeminiExtension checks that the extension is valid, and that a session starts with
// one briefing by it, also beside the hook of the settings.
func TestGeminiExtension(t *testing.T) {
	d := byName(t, "gemini")
	extension := filepath.Join(top(t), "plugins", "gemini")
	d.must(t, "gemini", "extensions", "validate", extension)
	d.must(t, "gemini", "extensions", "install", extension, "--consent")
	check(t, "a session with the extension", d.asked(t, d.ask), step)
	d.must(t, handex, "hooks", "install", "gemini")
	check(t, "with the hook of the settings", d.asked(t, d.ask), step)
	d.must(t, handex, "hooks", "uninstall", "gemini")
	d.must(t, "gemini", "extensions", "uninstall", "handex")
	isUnbriefed(t, d.asked(t, d.ask))
}

// registry is the module of the MCP registry, which has the schema of server.json.
const registry = "github.com/modelcontextprotocol/registry@v1.8.8"

// TestServerJSON checks the entry for the MCP registry against the published schema.
func TestServerJSON(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", registry).Output()
	if err != nil {
		t.Skipf("%s cannot be loaded: %v\n%s", registry, err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	readJSON(t, filepath.Join(module.Dir, "internal", "validators", "schemas", "2025-12-11.json"), &schema)
	var entry map[string]any
	readJSON(t, filepath.Join(top(t), "plugins", "mcp", "server.json"), &entry)
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(entry); err != nil {
		t.Error(err)
	}
	entry["description"] = strings.Repeat("a", 101)
	if err := resolved.Validate(entry); err == nil {
		t.Error("the schema takes a description that is too long")
	}
}

func readJSON(t *testing.T, file string, value any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, value)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
