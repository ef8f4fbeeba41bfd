package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat is a settings file that is a JSON object, comments and commas at ends
// allowed:
//
//	{"hooks": {"SessionStart": [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
//
// If flat is set, the lists contain the commands themselves and the object has a
// version, as Cursor and Copilot CLI have it; typed says that these have a type, too.
type jsonFormat struct {
	agent       string
	flat, typed bool
	// off is the place of a setting, and offValue the value by which it has no hook
	// run.
	off, offValue string
}

// A group is an element of an event's list, a handler one of its commands.
type (
	group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
	handler struct {
		Type    string `json:"type,omitempty"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
)

// element returns an entry in the form in which it is added to the list of its event.
func (f jsonFormat) element(e Entry) any {
	h := handler{"command", e.Command, e.Timeout}
	if !f.flat {
		return group{e.Matcher, []handler{h}}
	}
	if !f.typed {
		h.Type = ""
	}
	return h
}

// maxBrackets bounds how deep a text can be nested: the parser recurses.
const maxBrackets = 100_000

// white is what JSON counts as white space.
const white = " \t\r\n"

// readJSON parses a JSON object that can have comments and trailing commas. The text must
// not begin with a byte order mark; a blank one is an empty object.
func readJSON(text []byte) (root *hujson.Value, err error) {
	if len(bytes.Trim(text, white)) == 0 {
		text = []byte("{}\n")
	}
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("too large for a settings file: more than %d brackets", maxBrackets)
	}
	// A comment at the end needs no line end.
	v, err := hujson.Parse(append(slices.Clip(text), '\n'))
	if err != nil {
		_, err = hujson.Parse(text) // its error has the right place
		return nil, errors.New(strings.TrimPrefix(fmt.Sprint(err), "hujson: "))
	}
	for part := range v.All() {
		if err := uniqueNames(text, part); err != nil {
			return nil, err
		}
	}
	return &v, mustBe(text, &v, '{', "the file")
}

// uniqueNames returns an error if v is an object with two members of the same name, as
// programs differ in which one they use.
func uniqueNames(text []byte, v *hujson.Value) error {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for _, m := range o.Members {
		name := fmt.Sprint(m.Name.Value)
		if seen[name] {
			return fmt.Errorf("%s: the key %q occurs twice", position(text, m.Name), name)
		}
		seen[name] = true
	}
	return nil
}

// position returns the line and column at which a value begins, as text.
func position(text []byte, v hujson.Value) string {
	before := text[:v.StartOffset]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}

// mustBe returns an error if a value is not of the given kind. what is the name of the
// value in the message.
func mustBe(text []byte, v *hujson.Value, kind hujson.Kind, what string) error {
	kinds := map[hujson.Kind]string{
		'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null",
	}
	if v.Value.Kind() == kind {
		return nil
	}
	return fmt.Errorf("%s: %s is %s, but must be %s", position(text, *v), what, kinds[v.Value.Kind()], kinds[kind])
}

// cutMark splits a text into its byte order mark, nil if it has none, and the rest.
func cutMark(text []byte) (mark, rest []byte) {
	const byteOrderMark = "\ufeff"
	if rest, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		return []byte(byteOrderMark), rest
	}
	return nil, text
}

// Read returns the entries of handex in the text, and whether hooks are switched off.
func (f jsonFormat) Read(text []byte) (c contents, err error) {
	_, text = cutMark(text)
	c.HasHooks = len(bytes.TrimSpace(text)) > 0
	root, err := readJSON(text)
	if err != nil {
		return c, err
	}
	if v := root.Find(f.off); f.off != "" && v != nil && literal(v).String() == f.offValue {
		c.Off = strings.ReplaceAll(f.off[1:], "/", ".") + " is " + f.offValue
	}
	f.edit(root, func(e Entry, _ *hujson.Value) bool {
		c.Entries = append([]Entry{e}, c.Entries...)
		return true
	})
	return c, nil
}

// edit calls keep with each entry of handex and its command, the last one first, and
// removes the entries for which keep returns false. Objects and lists that become empty are
// removed, too.
func (f jsonFormat) edit(root *hujson.Value, keep func(Entry, *hujson.Value) bool) {
	hooks := root.Find("/hooks")
	if hooks == nil {
		return
	}
	for _, event := range slices.Backward(events) {
		list := hooks.Find("/" + event)
		if list == nil {
			continue
		}
		removed := false
		elements := elementsOf(list)
		for i := len(elements) - 1; i >= 0; i-- {
			if f.flat {
				removed = f.editAt(list, i, Entry{Event: event}, keep) || removed
				continue
			}
			e := Entry{Event: event, Matcher: textAt(&elements[i], "/matcher")}
			inner := elements[i].Find("/hooks")
			emptied := false
			for k := range slices.Backward(elementsOf(inner)) {
				emptied = f.editAt(inner, k, e, keep) || emptied
			}
			if emptied && isEmpty(inner) && !hasComment(elements[i].Pack()) {
				remove(list, i)
				removed = true
			}
		}
		if removed && isEmpty(list) {
			removeMember(hooks, event)
			if isEmpty(hooks) {
				removeMember(root, "hooks")
			}
		}
	}
}

// editAt calls keep with element i of a list if its command is one of handex. If keep
// returns false, it removes the element and returns true. e has the event and matcher.
func (f jsonFormat) editAt(list *hujson.Value, i int, e Entry, keep func(Entry, *hujson.Value) bool) bool {
	h := &elementsOf(list)[i]
	e.Command = textAt(h, "/command")
	if timeout := h.Find("/timeout"); timeout != nil {
		e.Timeout = int(literal(timeout).Int())
	}
	if !ours(e.Event, f.agent, e.Command) || keep(e, h.Find("/command")) {
		return false
	}
	remove(list, i)
	return true
}

// Install returns the text with the entries want and no other entries of handex. If there
// is an entry for the event, only its command is replaced.
func (f jsonFormat) Install(text []byte, want []Entry) ([]byte, error) {
	mark, text := cutMark(text)
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	there := map[string]int{}
	f.edit(root, func(e Entry, _ *hujson.Value) bool {
		there[e.Event]++
		return true
	})
	f.edit(root, func(e Entry, command *hujson.Value) bool {
		there[e.Event]--
		i := slices.IndexFunc(want, func(w Entry) bool { return w.Event == e.Event })
		if i < 0 || there[e.Event] > 0 {
			return false // it is not wanted, or another one is before it
		}
		if e.Command != want[i].Command {
			command.Value = hujson.String(want[i].Command)
		}
		return true
	})
	for _, e := range want {
		if _, ok := there[e.Event]; ok {
			continue
		}
		if hooks := root.Find("/hooks"); hooks != nil {
			if err := mustBe(text, hooks, '{', "hooks"); err != nil {
				return nil, err
			}
			if list := hooks.Find("/" + e.Event); list != nil && list.Value.Kind() != '[' {
				return nil, mustBe(text, list, '[', "hooks."+e.Event)
			}
		}
		f.add(root, e, newlineOf(text))
	}
	return append(mark, bytes.TrimSuffix(root.Pack(), []byte("\n"))...), nil
}

// Uninstall returns the text without entries of handex.
func (f jsonFormat) Uninstall(text []byte) ([]byte, error) { return f.Install(text, nil) }

// add adds an entry to the object of a file, with the lists and objects that lead to it.
func (f jsonFormat) add(root *hujson.Value, e Entry, newline string) {
	l := layout{newline, "  "}
	if before, _, _ := extras(root); len(before) > 0 && bytes.ContainsRune(*before[0], '\n') {
		l.unit = cmp.Or(indentAt(*before[0], len(*before[0])), l.unit)
	}
	if before, _, _ := extras(root); len(before) == 0 && f.flat {
		l.add(root, root, "version", 1)
	}
	hooks := root.Find("/hooks")
	if hooks == nil {
		l.add(root, root, "hooks", map[string]any{e.Event: []any{f.element(e)}})
	} else if list := hooks.Find("/" + e.Event); list == nil {
		l.add(root, hooks, e.Event, []any{f.element(e)})
	} else {
		l.add(root, list, "", f.element(e))
	}
}
