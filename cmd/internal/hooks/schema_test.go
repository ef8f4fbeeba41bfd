package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"
)

// What is made where nothing is, and added to what is there, is what the agents
// document.
func TestSettingsFitTheSchemas(t *testing.T) {
	for _, c := range []struct {
		agent string
		saves bool
		texts []string
	}{
		{"claude", true, []string{"{}", `{"hooks":{"Stop":[{"hooks":[]}]}}`, ""}},
		{"codex", true, []string{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`, `{"description":"mine"}`}},
		{"gemini", true, []string{"{}", "", `{"hooks":{"SessionEnd":[]}}`}},
		{"copilot", true, []string{"{}", "", `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"x"}]}}`}},
		{"cursor", false, []string{"{}", "", " \n", `{"version":1}`, `{"version":1,"hooks":{"stop":[{"command":"x"}]}}`}},
	} {
		want := entries(c.agent, "'/my tools/handex'", c.saves)
		fresh, err := file(t, c.agent, 0).Install(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		checkSchema(t, c.agent, plainValue(t, fresh))
		for _, text := range c.texts {
			got, err := file(t, c.agent, 0).Install([]byte(text), want)
			if err != nil {
				t.Fatal(err)
			}
			checkSchema(t, c.agent, plainValue(t, got))
		}
	}
	got, err := file(t, "codex", 1).Install([]byte("[[hooks.Stop]]\nhooks = [{type = 'command', command = 'x'}]\n"), entries("codex", "handex", true))
	var value any
	if err := toml.Unmarshal(got, &value); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	checkSchema(t, "codex", value)
}

func checkSchema(t *testing.T, agent string, value any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "schemas", agent+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%s: %v in %v", agent, err, value)
	}
	if err := resolved.Validate(map[string]any{"hooks": map[string]any{"SessionStart": []any{map[string]any{"command": 1.0}}}}); err == nil {
		t.Errorf("the schema of %s takes anything", agent)
	}
}
