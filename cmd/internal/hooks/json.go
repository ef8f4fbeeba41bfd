package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat is a settings file that is a JSON object, comments and commas at ends
// allowed:
//
//	{"hooks": {"SessionStart": [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
//
// Where flat is set the lists hold the commands themselves and the object has a
// version, as Cursor has it.
type jsonFormat struct {
	agent string
	flat  bool
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

// element is an entry as an element of its event's list.
func (f jsonFormat) element(e Entry) any {
	if f.flat {
		return handler{Command: e.Command, Timeout: e.Timeout}
	}
	return group{e.Matcher, []handler{{"command", e.Command, e.Timeout}}}
}

// maxBrackets bounds how deep a text can be nested: the parser recurses.
const maxBrackets = 100_000

// white is what JSON counts as white space.
const white = " \t\r\n"

// readJSON parses a text without a byte order mark. A blank one is an empty object.
func readJSON(text []byte) (root *hujson.Value, err error) {
	if len(bytes.Trim(text, white)) == 0 {
		text = []byte("{}")
	}
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("more than %d brackets are no settings", maxBrackets)
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

// packJSON returns the text of a value that readJSON returned.
func packJSON(root *hujson.Value) []byte { return bytes.TrimSuffix(root.Pack(), []byte("\n")) }

// uniqueNames returns an error if an object has two members of one name, as programs
// differ in which of them they take.
func uniqueNames(text []byte, v *hujson.Value) error {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for _, m := range o.Members {
		name := fmt.Sprint(m.Name.Value)
		if seen[name] {
			return fmt.Errorf("%s: a second member %q", position(text, m.Name), name)
		}
		seen[name] = true
	}
	return nil
}

// position is where a value begins, for people.
func position(text []byte, v hujson.Value) string {
	before := text[:v.StartOffset]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}

// mustBe returns an error if a value is of another kind than it has to be.
func mustBe(text []byte, v *hujson.Value, kind hujson.Kind, what string) error {
	kinds := map[hujson.Kind]string{
		'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null",
	}
	if v.Value.Kind() == kind {
		return nil
	}
	return fmt.Errorf("%s: %s is %s, where %s is needed", position(text, *v), what, kinds[v.Value.Kind()], kinds[kind])
}

// cutMark takes the byte order mark off a text.
func cutMark(text []byte) (mark, rest []byte) {
	const byteOrderMark = "\ufeff"
	if rest, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		return []byte(byteOrderMark), rest
	}
	return nil, text
}

// A place is where an entry of ours stands, as a JSON pointer to the object with the
// command.
type place struct {
	Entry
	pointer string
}

// places finds the entries of ours.
func (f jsonFormat) places(text []byte) ([]place, error) {
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	var list []place
	for _, event := range []string{sessionStart, cursorStart, preCompact, sessionEnd} {
		for i, element := range elementsAt(root, "/hooks/"+event) {
			pointer := "/hooks/" + event + "/" + strconv.Itoa(i)
			if f.flat {
				list = f.appendOurs(list, pointer, Entry{Event: event}, element)
				continue
			}
			e := Entry{Event: event, Matcher: stringAt(&element, "/matcher")}
			for k, h := range elementsAt(&element, "/hooks") {
				list = f.appendOurs(list, pointer+"/hooks/"+strconv.Itoa(k), e, h)
			}
		}
	}
	return list, nil
}

// appendOurs appends the place of what runs a command, if that is ours.
func (f jsonFormat) appendOurs(list []place, pointer string, e Entry, v hujson.Value) []place {
	e.Command = stringAt(&v, "/command")
	e.Timeout = int(literalAt(&v, "/timeout").Int())
	if ours(e.Event, f.agent, e.Command) {
		list = append(list, place{e, pointer})
	}
	return list
}

func elementsAt(v *hujson.Value, pointer string) []hujson.Value {
	if found := v.Find(pointer); found != nil {
		if list, ok := found.Value.(*hujson.Array); ok {
			return list.Elements
		}
	}
	return nil
}

func literalAt(v *hujson.Value, pointer string) hujson.Literal {
	if found := v.Find(pointer); found != nil {
		l, _ := found.Value.(hujson.Literal)
		return l
	}
	return nil
}

func stringAt(v *hujson.Value, pointer string) string {
	if l := literalAt(v, pointer); l.Kind() == '"' {
		return l.String()
	}
	return ""
}

// Entries returns those of ours in the text.
func (f jsonFormat) Entries(text []byte) ([]Entry, error) {
	_, text = cutMark(text)
	places, err := f.places(text)
	var list []Entry
	for _, p := range places {
		list = append(list, p.Entry)
	}
	return list, err
}

// Install makes the entries those of ours that the text holds: what stands there
// already has its command renewed, the rest is added or taken out.
func (f jsonFormat) Install(text []byte, want []Entry) ([]byte, error) {
	mark, text := cutMark(text)
	places, err := f.places(text)
	if err != nil {
		return nil, err
	}
	// Backward, as the pointers to what follows change.
	for i, p := range slices.Backward(places) {
		at := slices.IndexFunc(want, func(e Entry) bool { return e.Event == p.Event })
		again := slices.ContainsFunc(places[:i], func(q place) bool { return q.Event == p.Event })
		root, err := readJSON(text)
		switch {
		case err != nil:
			return nil, err
		case at < 0 || again:
			remove(text, root, p.pointer)
		case p.Command != want[at].Command:
			root.Find(p.pointer + "/command").Value = hujson.String(want[at].Command)
		}
		text = packJSON(root)
	}
	for _, e := range want {
		if slices.ContainsFunc(places, func(p place) bool { return p.Event == e.Event }) {
			continue
		}
		if text, err = f.add(text, e); err != nil {
			return nil, err
		}
	}
	return append(mark, text...), nil
}

// Uninstall takes out all entries of ours.
func (f jsonFormat) Uninstall(text []byte) ([]byte, error) { return f.Install(text, nil) }

// add returns the text with one entry more.
func (f jsonFormat) add(text []byte, e Entry) ([]byte, error) {
	if len(bytes.Trim(text, white)) == 0 {
		text = []byte("{}\n")
	}
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	l := layout{newline: newlineOf(text), unit: "  "}
	if before, _, _ := extras(root); len(before) > 0 && bytes.ContainsRune(*before[0], '\n') {
		l.unit = cmp.Or(indentAt(*before[0], len(*before[0])), l.unit)
	}
	hooks := root.Find("/hooks")
	switch object, _ := root.Value.(*hujson.Object); {
	case f.flat && len(object.Members) == 0:
		l.add(text, root, "version", 1)
		return f.add(packJSON(root), e)
	case hooks == nil:
		l.add(text, root, "hooks", map[string]any{e.Event: []any{f.element(e)}})
		return packJSON(root), nil
	}
	if err := mustBe(text, hooks, '{', "hooks"); err != nil {
		return nil, err
	}
	if list := hooks.Find("/" + e.Event); list == nil {
		l.add(text, hooks, e.Event, []any{f.element(e)})
	} else if err := mustBe(text, list, '[', "hooks."+e.Event); err != nil {
		return nil, err
	} else {
		l.add(text, list, "", f.element(e))
	}
	return packJSON(root), nil
}

// Off returns the setting of the text that switches all hooks off.
func (f jsonFormat) Off(text []byte) string {
	_, text = cutMark(text)
	root, err := readJSON(text)
	if err != nil || f.off == "" || string(literalAt(root, f.off)) != f.offValue {
		return ""
	}
	return strings.ReplaceAll(f.off[1:], "/", ".") + " is " + f.offValue
}

// HasHooks reports true of a file that is not blank.
func (f jsonFormat) HasHooks(text []byte) bool { return len(bytes.TrimSpace(text)) > 0 }
