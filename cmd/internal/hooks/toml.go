package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// tomlForm is Codex's config.toml: a block of [[hooks.EVENT]] tables at its end,
// where a table goes on to the next.
type tomlForm struct{ agent string }

// tomlHooks is what of the file is looked at.
type tomlHooks struct {
	Hooks map[string]any `toml:"hooks"`
}

var errNoRoom = errors.New("its hooks are not written as [[hooks.EVENT]] tables, so none can be added")

func (tomlForm) body(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "[[hooks.%s]]\n", e.Event)
		if e.Matcher != "" {
			fmt.Fprintf(&b, "matcher = %s\n", quoted(e.Matcher))
		}
		fmt.Fprintf(&b, "\n[[hooks.%s.hooks]]\ntype = \"command\"\ncommand = %s\ntimeout = %d\n", e.Event, quoted(e.Command), e.Timeout)
	}
	return b.String()
}

func (f tomlForm) snippet(entries []Entry) string {
	return tomlBlock.write(f.body(entries), "\n") + "\n"
}

func (f tomlForm) entries(text []byte) ([]Entry, error) {
	if err := readTOML(text, &map[string]any{}); err != nil {
		return nil, err
	}
	from, to, ok, err := tomlBlock.find(text)
	if err != nil || !ok {
		return nil, err
	}
	var found struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Command string
				Timeout int
			}
		}
	}
	if err := toml.Unmarshal(text[from:to], &found); err != nil {
		return nil, fmt.Errorf("the block of handex: %w", err)
	}
	var list []Entry
	for event, groups := range found.Hooks {
		for _, g := range groups {
			for _, h := range g.Hooks {
				list = append(list, Entry{event, g.Matcher, h.Command, h.Timeout})
			}
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Event, b.Event) })
	return list, nil
}

// maxPoints bounds how deep the tables of a dotted key are: comparing them recurses.
const maxPoints = 100_000

// readTOML reads a file; an error says where it is wrong.
func readTOML(text []byte, into any) error {
	_, text = cutMark(text)
	if bytes.Count(text, []byte(".")) > maxPoints {
		return fmt.Errorf("more than %d points are no settings", maxPoints)
	}
	err := toml.Unmarshal(text, into)
	if fault, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := fault.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(fault.Error(), "toml: "))
	}
	return err
}

// install makes sure that an edit adds what it is to add and changes nothing else:
// there are more ways to write a table than are known here.
func (f tomlForm) install(text []byte, want []Entry) ([]byte, error) {
	if _, err := f.entries(text); err != nil {
		return nil, err
	}
	after, err := tomlBlock.with(text, f.body(want))
	if err != nil {
		return nil, err
	}
	rest, err := tomlBlock.without(text)
	if err != nil {
		return nil, err
	}
	var was, is map[string]any
	if readTOML(rest.Text, &was) != nil || readTOML(after, &is) != nil || !reflect.DeepEqual(plus(was, f.body(want)), is) {
		return nil, errNoRoom
	}
	return after, nil
}

// plus is a file's value with the tables of a text behind its own.
func plus(value map[string]any, text string) map[string]any {
	var more tomlHooks
	if err := toml.Unmarshal([]byte(text), &more); err != nil {
		return nil
	}
	if value == nil {
		value = map[string]any{}
	}
	hooks, _ := value["hooks"].(map[string]any)
	if hooks == nil {
		hooks = map[string]any{}
	}
	for event, groups := range more.Hooks {
		own, _ := hooks[event].([]any)
		added, _ := groups.([]any)
		hooks[event] = append(own, added...)
	}
	value["hooks"] = hooks
	return value
}

func (f tomlForm) uninstall(text []byte) (Undone, error) {
	if _, err := f.entries(text); err != nil {
		return Undone{}, err
	}
	return tomlBlock.without(text)
}

func (tomlForm) off(text []byte) string {
	var file struct {
		Features struct {
			Hooks *bool `toml:"hooks"`
		} `toml:"features"`
	}
	if readTOML(text, &file) == nil && file.Features.Hooks != nil && !*file.Features.Hooks {
		return "features.hooks is false"
	}
	return ""
}

// holds reports whether there are hooks of the user's; what Codex itself keeps
// under that name are none.
func (tomlForm) holds(text []byte) bool {
	var file tomlHooks
	if readTOML(text, &file) != nil {
		return false
	}
	delete(file.Hooks, "state")
	return len(file.Hooks) > 0
}
