package cli_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

var snippet = regexp.MustCompile("(?ms)^```(json|toml|sh)\n(.*?)^```$")

// Every snippet of settings parses, and starts the server.
func TestMCPSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, m := range snippet.FindAllStringSubmatch(string(text), -1) {
		kinds = append(kinds, m[1])
		var settings any
		switch m[1] {
		case "json":
			err = json.Unmarshal([]byte(m[2]), &settings)
		case "toml":
			err = toml.Unmarshal([]byte(m[2]), &settings)
		case "sh":
			if _, command, ok := strings.Cut(strings.TrimSpace(m[2]), " -- "); !ok || command != "handex mcp" {
				t.Errorf("it runs %q", command)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, m[2])
		}
		if got := commandIn(settings); !slices.Equal(got, []string{"handex", "mcp"}) {
			t.Errorf("it runs %q:\n%s", got, m[2])
		}
	}
	if diff := cmp.Diff([]string{"sh", "json", "toml", "json", "json", "json", "json"}, kinds); diff != "" {
		t.Errorf("the snippets (-want +got):\n%s", diff)
	}
}

// commandIn is the command of the server named handex in settings of any shape.
func commandIn(settings any) []string {
	table, _ := settings.(map[string]any)
	server, ok := table["handex"].(map[string]any)
	if !ok {
		for _, inner := range table {
			if command := commandIn(inner); command != nil {
				return command
			}
		}
		return nil
	}
	return append(stringsIn(server["command"]), stringsIn(server["args"])...)
}

// The tools that the page tells of are those that there are.
func TestMCPPageNamesTheTools(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := newOffice(t).agent(t, "--write").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var told, there []string
	for row := range strings.Lines(string(text)) {
		if cells := strings.Split(row, "|"); len(cells) == 4 && strings.HasPrefix(cells[1], " `") {
			for name := range strings.SplitSeq(cells[1], ",") {
				told = append(told, strings.Trim(name, " `"))
			}
		}
	}
	for _, tool := range list.Tools {
		there = append(there, tool.Name)
	}
	slices.Sort(told)
	if diff := cmp.Diff(there, told); diff != "" {
		t.Errorf("(-there +told):\n%s", diff)
	}
}
