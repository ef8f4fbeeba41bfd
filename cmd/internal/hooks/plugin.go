package hooks

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
)

// pluginFormat is the format of a file that belongs to handex alone, in the folder whose
// files OpenCode runs as plugins.
type pluginFormat struct{}

//go:embed plugin.ts
var plugin string

const (
	// pluginMark begins the file in every version.
	pluginMark = "// handex:"
	// pluginProgram is how the line begins that says which program is run.
	pluginProgram = "const program = "
)

var errNotOurs = errors.New("line 1, column 1: it is not a plugin of handex, and handex does not change other plugins")

// Read returns the command that the plugin runs as an entry, none if the text is not a
// plugin of handex.
func (pluginFormat) Read(text []byte) (contents, error) {
	if !bytes.HasPrefix(text, []byte(pluginMark)) {
		return contents{}, nil
	}
	_, rest, _ := strings.Cut(string(text), "\n"+pluginProgram)
	line, _, _ := strings.Cut(rest, "\n")
	var program string
	if err := json.Unmarshal([]byte(strings.TrimSpace(line)), &program); err != nil {
		program = "handex" // it was edited; the next installation mends it
	}
	return contents{Entries: []Entry{{Event: "plugin", Command: POSIX.Quote(program) + " brief --for opencode"}}}, nil
}

// Install returns the text of the plugin. It returns an error if text is a file that is not
// of handex.
func (pluginFormat) Install(text []byte, want []Entry) ([]byte, error) {
	if len(bytes.TrimSpace(text)) > 0 && !bytes.HasPrefix(text, []byte(pluginMark)) {
		return nil, errNotOurs
	}
	program := Words(want[0].Command)[0]
	return []byte(strings.Replace(plugin, pluginProgram+`"handex"`, pluginProgram+quoted(program), 1)), nil
}

// Uninstall returns nil if the text is a plugin of handex, else the text.
func (pluginFormat) Uninstall(text []byte) ([]byte, error) {
	if bytes.HasPrefix(text, []byte(pluginMark)) {
		return nil, nil
	}
	return text, nil
}
