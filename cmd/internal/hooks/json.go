package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonForm is a settings file that is a JSON object, comments and commas at ends
// allowed:
//
//	{"hooks": {"SessionStart": [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
//
// Where flat is set the lists hold the commands themselves and the object has a
// version, as Cursor has it.
type jsonForm struct {
	agent    string
	flat     bool
	switches []offSwitch
}

// An offSwitch is a setting and the value by which it has no hook run. The names of
// objects in objects are joined by points.
type offSwitch struct{ name, value string }

const (
	byteOrderMark = "\ufeff"
	// maxBrackets bounds how deep a text can be nested: the parser recurses.
	maxBrackets = 100_000
)

// A document is JSON that was read. Offsets are those in text, which has no byte
// order mark.
type document struct {
	text []byte
	root hujson.Value
	wide layout
}

// tooDeep reports whether a text may be nested deeper than is safe to follow.
func tooDeep(text []byte) bool {
	return bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets
}

// read reads a text that is not blank.
func (f jsonForm) read(text []byte) (document, error) {
	d := document{text: text}
	if tooDeep(text) {
		return d, fmt.Errorf("more than %d brackets are no settings", maxBrackets)
	}
	var err error
	if d.root, err = hujson.Parse(text); err != nil {
		// A comment at the end needs no line end.
		ended, errEnded := hujson.Parse(append(slices.Clip(text), '\n'))
		if errEnded != nil {
			return d, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
		}
		d.root = ended
	}
	if _, ok := d.root.Value.(*hujson.Object); !ok {
		return d, d.misfit(d.root, "the file", "object")
	}
	d.wide = layout{newlineOf(text), "", usualUnit}
	if b := boxOf(text, d.root); len(b.items) > 0 {
		if indent, ok := b.indent(b.open, b.items[0].start); ok && indent != "" {
			d.wide.unit = indent
		}
	}
	return d, nil
}

// misfit is the error of a value that is of another kind than it has to be.
func (d document) misfit(v hujson.Value, what, want string) error {
	before := d.text[:v.StartOffset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	kinds := map[hujson.Kind]string{'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null"}
	return fmt.Errorf("line %d, column %d: %s is %s, where an %s is needed", line, column, what, kinds[v.Value.Kind()], want)
}

// lookup is the member of a name, the last of several, as programs read it.
func lookup(v hujson.Value, name string) (at int, found hujson.Value) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return -1, found
	}
	for i, m := range slices.Backward(o.Members) {
		if key, ok := m.Name.Value.(hujson.Literal); ok && key.String() == name {
			return i, m.Value
		}
	}
	return -1, found
}

func stringOf(v hujson.Value, name string) (string, hujson.Value) {
	_, found := lookup(v, name)
	if l, ok := found.Value.(hujson.Literal); ok && l.Kind() == '"' {
		return l.String(), found
	}
	return "", hujson.Value{}
}

// A place is where an entry of ours stands: the boxes that lead to its command,
// with the item to take in each, the root first.
type place struct {
	entry   Entry
	literal hujson.Value // the command
	boxes   []box
	items   []int
}

func (p place) in(text []byte, v hujson.Value, i int) place {
	p.boxes = append(slices.Clip(p.boxes), boxOf(text, v))
	p.items = append(slices.Clip(p.items), i)
	return p
}

// places finds the entries of ours.
func (f jsonForm) places(d document) []place {
	at, hooks := lookup(d.root, "hooks")
	events, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	var list []place
	for _, name := range eventNames(events) {
		i, found := lookup(hooks, name)
		entries, ok := found.Value.(*hujson.Array)
		if !ok {
			continue
		}
		p := place{entry: Entry{Event: name}}.in(d.text, d.root, at).in(d.text, hooks, i)
		for j, e := range entries.Elements {
			list = append(list, f.placesIn(d, p.in(d.text, found, j), e)...)
		}
	}
	return list
}

// placesIn finds those in an element of an event's list.
func (f jsonForm) placesIn(d document, p place, v hujson.Value) []place {
	if !f.flat {
		p.entry.Matcher, _ = stringOf(v, "matcher")
		_, hooks := lookup(v, "hooks")
		handlers, ok := hooks.Value.(*hujson.Array)
		if !ok {
			return nil
		}
		var list []place
		for i, h := range handlers.Elements {
			list = append(list, f.handler(p.in(d.text, hooks, i), h)...)
		}
		return list
	}
	return f.handler(p, v)
}

// handler is what runs a command, if it is ours.
func (f jsonForm) handler(p place, v hujson.Value) []place {
	p.entry.Command, p.literal = stringOf(v, "command")
	if !ours(p.entry.Event, f.agent, p.entry.Command) {
		return nil
	}
	if _, found := lookup(v, "timeout"); found.Value != nil {
		if l, ok := found.Value.(hujson.Literal); ok {
			p.entry.Timeout, _ = strconv.Atoi(string(l)) // 0 is none
		}
	}
	return []place{p}
}

// eventNames are the names of an object's members, each once.
func eventNames(o *hujson.Object) []string {
	var names []string
	for _, m := range o.Members {
		if key, ok := m.Name.Value.(hujson.Literal); ok && !slices.Contains(names, key.String()) {
			names = append(names, key.String())
		}
	}
	return names
}

// element is an entry as an element of its event's list.
func (f jsonForm) element(e Entry) value {
	handler := object{{"command", scalar(quoted(e.Command))}, {"timeout", scalar(strconv.Itoa(e.Timeout))}}
	if f.flat {
		return handler
	}
	group := object{{"hooks", array{append(object{{"type", scalar(`"command"`)}}, handler...)}}}
	if e.Matcher != "" {
		group = append(object{{"matcher", scalar(quoted(e.Matcher))}}, group...)
	}
	return group
}

// version is the member that a file needs beside the hooks.
func (f jsonForm) version() object {
	if f.flat {
		return object{{"version", scalar("1")}}
	}
	return nil
}

func (f jsonForm) snippet(entries []Entry) string {
	var hooks object
	for _, e := range entries {
		hooks = append(hooks, member{e.Event, array{f.element(e)}})
	}
	all := append(f.version(), member{"hooks", hooks})
	return laidOut(all, layout{"\n", "", usualUnit}) + "\n"
}

func (f jsonForm) off(text []byte) string {
	_, text = cutMark(text)
	d, err := f.read(text)
	if err != nil {
		return ""
	}
	for _, s := range f.switches {
		v := d.root
		for name := range strings.SplitSeq(s.name, ".") {
			_, v = lookup(v, name)
		}
		if l, ok := v.Value.(hujson.Literal); ok && string(l) == s.value {
			return s.name + " is " + s.value
		}
	}
	return ""
}

func (f jsonForm) holds(text []byte) bool { return len(bytes.TrimSpace(text)) > 0 }
