package author

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// A Draft is the content of a new handoff, as far as the person has given it.
type Draft struct {
	write.Draft
	Hook Hook // of the document that was read

	name       string // of the format or family
	format     string // for the names of keys
	filesGiven bool   // also where there are none
}

// NewDraft returns an empty draft for a format or a family of formats.
func NewDraft(format string) *Draft { return &Draft{name: format, format: MemberOf(format)} }

// Set adds a field, title, work item or file, whichever label means in the format. An empty
// value says that there is none, so that none is filled in.
func (d *Draft) Set(label, value string) {
	switch name := parse.FieldOf(d.format, label); name {
	case "title":
		d.Title = value
	case "item":
		if value != "" {
			d.WorkItems = append(d.WorkItems, value)
		}
	case string(parse.Files):
		d.AddFile(value)
	default:
		f := parse.Field{Key: name, Value: value}
		if strings.HasPrefix(name, "meta.") {
			f.Label = label
		}
		d.Fields = append(d.Fields, f)
	}
}

// AddSection adds a section unless its text is blank.
func (d *Draft) AddSection(s write.DraftSection) {
	if strings.TrimSpace(s.Body) != "" {
		d.Sections = append(d.Sections, s)
	}
}

var fileAction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+?)\s+\((created|modified|deleted|renamed)\)$`)
})

// AddFile adds a changed file, written as "path" or "path (action)", where the action is
// created, modified, deleted or renamed. An empty text says that there are none, so that
// none are filled in.
func (d *Draft) AddFile(text string) {
	d.filesGiven = true
	if m := fileAction().FindStringSubmatch(text); m != nil {
		d.Files = append(d.Files, parse.File{Path: m[1], Action: m[2]})
	} else if text != "" {
		d.Files = append(d.Files, parse.File{Path: text})
	}
}

// has reports whether the draft has a field.
func (d *Draft) has(name string) bool {
	return slices.ContainsFunc(d.Fields, func(f parse.Field) bool { return f.Key == name })
}

// hasSection reports whether the draft has a section of a kind.
func (d *Draft) hasSection(kind parse.Kind) bool {
	return slices.ContainsFunc(d.Sections, func(s write.DraftSection) bool { return s.Kind == kind })
}

// give adds a field, unless the draft has it or the value is empty.
func (d *Draft) give(name, value string) {
	if value != "" && !d.has(name) {
		d.Fields = append(d.Fields, parse.Field{Key: name, Value: value})
	}
}

// ReadDocument adds the content of a JSON document to the draft. Fields and kinds of
// sections that the draft already has stay as they are. If the document is the input of a
// hook, it is only stored in d.Hook.
func (d *Draft) ReadDocument(text []byte) error {
	members, err := readObject(text)
	if err != nil {
		return fmt.Errorf("the document: %w", err)
	}
	if hook, ok := readHook(text); ok {
		d.Hook = hook
		return nil
	}
	given := *d
	for _, m := range members {
		if err := d.addMember(m, &given); err != nil {
			return fmt.Errorf("the document: %s: %w", m.key, err)
		}
	}
	return nil
}

// addMember adds the content of one key of a document: sections, files, work items or a
// field. given is the draft before the document, whose content has precedence.
func (d *Draft) addMember(m member, given *Draft) error {
	switch m.key {
	case "sections":
		return d.addSections(m.value, given)
	case "files":
		return d.addFiles(m.value)
	case "work_items":
		ids, err := scalars(m.value)
		d.WorkItems = append(d.WorkItems, ids...)
		return err
	case "fields":
		fields, err := readObject(m.value)
		for _, f := range fields {
			if err == nil {
				err = d.addField(f, given)
			}
		}
		return err
	}
	return d.addField(m, given)
}

// addField adds the value, or each of a list of values, of a key of a document, unless
// given has the field.
func (d *Draft) addField(m member, given *Draft) error {
	values, err := scalars(m.value)
	if err != nil {
		return err
	}
	if name := parse.FieldOf(d.format, m.key); name == "title" && given.Title != "" || given.has(name) {
		return nil
	}
	if len(values) == 0 {
		values = []string{""}
	}
	for _, v := range values {
		d.Set(m.key, v)
	}
	return nil
}

// addSections adds the sections of a document: an object with a text or a list of items for
// each kind or heading, or a list of objects with kind, heading and body. Kinds that given
// has are left out.
func (d *Draft) addSections(raw json.RawMessage, given *Draft) error {
	type section struct {
		Kind, Heading string
		Body          json.RawMessage
	}
	var list []section
	if json.Unmarshal(raw, &list) != nil {
		list = nil
		members, err := readObject(raw)
		if err != nil {
			return errors.New("neither an object of strings nor a list of objects with kind, heading and body")
		}
		for _, m := range members {
			list = append(list, section{Heading: m.key, Body: m.value})
		}
	}
	for _, s := range list {
		kind, known := parse.KindOf(cmp.Or(s.Kind, s.Heading))
		switch {
		case s.Kind != "" && !known:
			return fmt.Errorf("unknown kind of section %q", s.Kind)
		case s.Kind == "" && strings.EqualFold(string(kind), s.Heading):
			s.Heading = "" // it only names the kind: the format has its own
		}
		body, err := sectionBody(kind, s.Body)
		if err != nil {
			return fmt.Errorf("%s: %w", cmp.Or(s.Heading, s.Kind, string(kind)), err)
		}
		if kind == parse.Other || !given.hasSection(kind) {
			d.AddSection(write.DraftSection{Kind: kind, Heading: s.Heading, Body: body})
		}
	}
	return nil
}

// sectionBody returns the text of a section. In JSON it is a string, or a list of strings,
// which become list items.
func sectionBody(kind parse.Kind, raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	items, err := scalars(raw)
	if err != nil || raw[0] != '[' {
		return "", errors.New("neither a string nor a list of strings")
	}
	if kind == parse.Goal && len(items) == 1 {
		return items[0], nil // formats keep it as one line
	}
	for i, item := range items {
		item = strings.TrimSpace(item)
		if !strings.HasPrefix(item, "- ") {
			item = "- " + item
		}
		items[i] = strings.ReplaceAll(item, "\n", "\n  ")
	}
	return strings.Join(items, "\n"), nil
}

// addFiles adds the files of a document: a list of paths or of objects with path and
// action.
func (d *Draft) addFiles(raw json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return errors.New("not a list")
	}
	d.filesGiven = true
	for _, item := range list {
		var path string
		var file struct{ Path, Action string }
		switch {
		case json.Unmarshal(item, &path) == nil && path != "":
			d.AddFile(path)
		case json.Unmarshal(item, &file) == nil && file.Path != "":
			d.Files = append(d.Files, parse.File{Path: file.Path, Action: file.Action})
		default:
			return errors.New("neither a path nor an object with path and action")
		}
	}
	return nil
}

// A Hook is the part that a handoff can use of the JSON that agents pass to their hooks on
// the standard input.
type Hook struct {
	Event   string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Cwd     string `json:"cwd"`
}

// readHook reads the JSON input of a hook. ok is false if it lacks hook_event_name, which
// only hooks have.
func readHook(text []byte) (hook Hook, ok bool) {
	err := json.Unmarshal(text, &hook)
	return hook, err == nil && hook.Event != ""
}

// A member is a key of a JSON object and its value.
type member struct {
	key   string
	value json.RawMessage
}

// readObject returns the members of a JSON object in their order. It returns an error if a
// key occurs twice.
func readObject(text []byte) ([]member, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = nil // of another kind
	}
	if object == nil {
		return nil, errors.Join(errors.New("it is not a JSON object"), err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	_, _ = dec.Token() // the text is an object: no token can be wrong
	var list []member
	for dec.More() {
		key, _ := dec.Token()
		m := member{key: fmt.Sprint(key)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other member) bool { return other.key == m.key }) {
			return nil, fmt.Errorf("the key %q occurs twice", m.key)
		}
		list = append(list, m)
	}
	return list, nil
}

// scalars returns the texts of a JSON value: that of a string, number or boolean, those of
// a list of them, none for null. Other values are an error.
func scalars(raw json.RawMessage) ([]string, error) {
	texts, _, err := typedScalars(raw)
	return texts, err
}

// plainNumber matches the numbers that every reader of YAML takes for numbers.
var plainNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`) })

// typedScalars is like scalars, and plain reports for each text whether it is a number or
// boolean.
func typedScalars(raw json.RawMessage) (texts []string, plain []bool, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, nil, err
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, item := range list {
		isPlain := false
		switch v := item.(type) {
		case nil:
			continue
		case string:
		case bool:
			isPlain = true
		case json.Number:
			isPlain = plainNumber().MatchString(v.String())
		default:
			return nil, nil, errors.New("neither a string nor a list of strings")
		}
		texts = append(texts, fmt.Sprint(item))
		plain = append(plain, isPlain)
	}
	return texts, plain, nil
}
