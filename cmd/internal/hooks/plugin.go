package hooks

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
)

// pluginForm is a file that is all ours: OpenCode runs what lies in its folder of
// plugins.
type pluginForm struct{}

//go:embed plugin.ts
var plugin string

const (
	// pluginMark begins the file in every version.
	pluginMark = "// handex:"
	// pluginProgram is how the line begins that says which program is run.
	pluginProgram = "const program = "
)

var errNotOurs = errors.New("line 1, column 1: it is not of handex, and nothing is added to another's plugin")

func (pluginForm) snippet(entries []Entry) string {
	program := Words(entries[0].Command)[0]
	return strings.Replace(plugin, pluginProgram+`"handex"`, pluginProgram+quoted(program), 1)
}

func (pluginForm) entries(text []byte) ([]Entry, error) {
	if !bytes.HasPrefix(text, []byte(pluginMark)) {
		return nil, nil
	}
	_, rest, _ := strings.Cut(string(text), "\n"+pluginProgram)
	line, _, _ := strings.Cut(rest, "\n")
	var program string
	if err := json.Unmarshal([]byte(strings.TrimSpace(line)), &program); err != nil {
		program = "handex" // it was edited; the next installation mends it
	}
	return []Entry{{Event: "plugin", Command: POSIX.Quote(program) + " brief --for opencode"}}, nil
}

func (f pluginForm) install(text []byte, want []Entry) ([]byte, error) {
	if len(bytes.TrimSpace(text)) > 0 && !bytes.HasPrefix(text, []byte(pluginMark)) {
		return nil, errNotOurs
	}
	return []byte(f.snippet(want)), nil
}

// uninstall leaves nothing of the file.
func (f pluginForm) uninstall(text []byte) (Undone, error) {
	entries, err := f.entries(text)
	if err != nil || len(entries) == 0 {
		return Undone{Text: text, Exact: true}, err
	}
	return Undone{Exact: f.snippet(entries) == string(text), Gone: true}, nil
}

func (pluginForm) off([]byte) string { return "" }

func (pluginForm) holds([]byte) bool { return false }
