package hooks_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the packages for agents to the files of the repository")

// top is the folder of the repository.
const top = "../../.."

// These describe handex where people choose among packages. Registries take at most 100
// characters.
const (
	title       = "handex"
	description = "Start each session where the last one stopped: search and briefings over handoffs of agents"
)

// A server is the entry of handex in a list of MCP servers.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// The skill of the plugin writes with the server; the extension has no skill.
var (
	writingServer = map[string]server{"handex": {"handex", []string{"mcp", "--write"}}}
	readingServer = map[string]server{"handex": {"handex", []string{"mcp"}}}
)

// A person is the author or the owner of a package.
type person struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// packages returns the generated files by path: the hooks are those that handex hooks
// install adds to the settings of the agent.
func packages(t *testing.T) map[string][]byte {
	t.Helper()
	module := string(firstMatch(t, "go.mod", `(?m)^module (\S+)$`))
	url, owner := "https://"+module, person{title, "https://" + module}
	version := string(firstMatch(t, "CHANGELOG.md", `(?m)^## v?(\d+\.\d+\.\d+)\b`))
	plugin := claudePlugin{
		title, version, description, owner, url, url, "MIT", []string{"handoff", "session", "memory", "context"},
	}
	files := map[string]any{
		"plugins/claude/.claude-plugin/plugin.json": plugin,
		"plugins/claude/.mcp.json":                  map[string]any{"mcpServers": writingServer},
		"plugins/gemini/gemini-extension.json":      geminiExtension{title, version, description, readingServer},
		"plugins/mcp/server.json":                   newServerJSON(module, version),
		".claude-plugin/marketplace.json": marketplace{
			title, owner, description, []marketplaceEntry{{title, "./plugins/claude", description}},
		},
	}
	texts := map[string][]byte{
		"plugins/claude/hooks/hooks.json": snippet(t, "claude"),
		"plugins/gemini/hooks/hooks.json": snippet(t, "gemini"),
	}
	for name, value := range files {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(value); err != nil {
			t.Fatal(err)
		}
		texts[name] = text.Bytes()
	}
	return texts
}

type (
	claudePlugin struct {
		Name        string   `json:"name"`
		Version     string   `json:"version"`
		Description string   `json:"description"`
		Author      person   `json:"author"`
		Homepage    string   `json:"homepage"`
		Repository  string   `json:"repository"`
		License     string   `json:"license"`
		Keywords    []string `json:"keywords"`
	}
	marketplace struct {
		Name        string             `json:"name"`
		Owner       person             `json:"owner"`
		Description string             `json:"description"`
		Plugins     []marketplaceEntry `json:"plugins"`
	}
	marketplaceEntry struct {
		Name        string `json:"name"`
		Source      string `json:"source"`
		Description string `json:"description"`
	}
	geminiExtension struct {
		Name        string            `json:"name"`
		Version     string            `json:"version"`
		Description string            `json:"description"`
		MCPServers  map[string]server `json:"mcpServers"`
	}
	serverJSON struct {
		Schema      string     `json:"$schema"`
		Name        string     `json:"name"`
		Title       string     `json:"title"`
		Description string     `json:"description"`
		Version     string     `json:"version"`
		Repository  repository `json:"repository"`
		WebsiteURL  string     `json:"websiteUrl"`
	}
	repository struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	}
)

// newServerJSON returns the entry for the MCP registry. It names no package, because the
// registry has no type for Go modules.
func newServerJSON(module, version string) serverJSON {
	url := "https://" + module
	return serverJSON{
		Schema:      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:        "io.github." + strings.TrimPrefix(module, "github.com/"),
		Title:       title,
		Description: description, Version: version,
		Repository: repository{url, "github"}, WebsiteURL: url + "/blob/main/docs/mcp.md",
	}
}

// snippet returns a file with the hooks of an agent and nothing else.
func snippet(t *testing.T, agent string) []byte {
	t.Helper()
	text, err := file(t, agent, 0).Install(nil, entries(agent, "handex", false))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// firstMatch returns the first group of a pattern that a file of the repository must match.
func firstMatch(t *testing.T, name, pattern string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no %s", name, pattern)
	}
	return m[1]
}

// TestPackages checks that the packages for agents in the repository are those that the
// rows of agents generate, and that they have no other files than these and the texts
// that people write. With -update it writes them.
func TestPackages(t *testing.T) {
	want := packages(t)
	for name, text := range want {
		path := filepath.Join(top, filepath.FromSlash(name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(text), string(got)); diff != "" {
			t.Errorf("%s (-generated +there); run go test ./cmd/internal/hooks -run Packages -update:\n%s", name, diff)
		}
	}
	written := []string{
		"plugins/README.md", "plugins/claude/README.md", "plugins/claude/skills/handoff/SKILL.md",
		"plugins/gemini/README.md",
	}
	err := fs.WalkDir(os.DirFS(top), "plugins", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && want[name] == nil && !slices.Contains(written, name) {
			t.Errorf("%s is in a package, but nothing generates it", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPackagesFitTheSchemas checks the hooks of the packages, and the entry for the MCP
// registry, against what their readers document.
func TestPackagesFitTheSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"plugins/claude/hooks/hooks.json": "claude",
		"plugins/gemini/hooks/hooks.json": "gemini",
		"plugins/mcp/server.json":         "server",
	} {
		checkSchema(t, schema, plainValue(t, packages(t)[name]))
	}
}
