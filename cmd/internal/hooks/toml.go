package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// tomlFormat is Codex's config.toml: a block of [[hooks.EVENT]] tables at its end,
// where a table goes on to the next.
type tomlFormat struct{ blockFormat }

var codexTOML = tomlFormat{blockFormat{
	begin: "# handex:begin", end: "# handex:end", write: writeTables, read: readTables,
	check: func(text []byte) error {
		_, err := readTOML(text)
		return err
	},
}}

// errNoRoom is the only way in which TOML that was TOML before cannot be added to.
var errNoRoom = errors.New("its hooks are not written as [[hooks.EVENT]] tables, so none can be added")

func writeTables(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "[[hooks.%s]]\n", e.Event)
		if e.Matcher != "" {
			fmt.Fprintf(&b, "matcher = %s\n", quoted(e.Matcher))
		}
		fmt.Fprintf(&b, "\n[[hooks.%s.hooks]]\ntype = \"command\"\n", e.Event)
		fmt.Fprintf(&b, "command = %s\ntimeout = %d\n", quoted(e.Command), e.Timeout)
	}
	return b.String()
}

func readTables(block []byte) ([]Entry, error) {
	var found struct{ Hooks map[string][]group }
	if err := toml.Unmarshal(block, &found); err != nil {
		return nil, fmt.Errorf("the block of handex: %w", err)
	}
	var list []Entry
	for _, event := range slices.Sorted(maps.Keys(found.Hooks)) {
		for _, g := range found.Hooks[event] {
			for _, h := range g.Hooks {
				list = append(list, Entry{event, g.Matcher, h.Command, h.Timeout})
			}
		}
	}
	return list, nil
}

// maxPoints bounds how deep the tables of a dotted key are: the parser recurses.
const maxPoints = 100_000

// readTOML reads a file; an error says where it is wrong.
func readTOML(text []byte) (file map[string]any, err error) {
	_, text = cutMark(text)
	if bytes.Count(text, []byte(".")) > maxPoints {
		return nil, fmt.Errorf("more than %d points are no settings", maxPoints)
	}
	err = toml.Unmarshal(text, &file)
	if fault, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := fault.Position()
		err = fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(fault.Error(), "toml: "))
	}
	return file, err
}

// Read returns the entries of the block, and whether there are hooks of the user's; what
// Codex itself keeps under that name are none.
func (f tomlFormat) Read(text []byte) (contents, error) {
	c, err := f.blockFormat.Read(text)
	file, _ := readTOML(text) // its error is that of the block
	hooks, _ := file["hooks"].(map[string]any)
	delete(hooks, "state")
	c.HasHooks = len(hooks) > 0
	if features, _ := file["features"].(map[string]any); features["hooks"] == false {
		c.Off = "features.hooks is false"
	}
	return c, err
}
