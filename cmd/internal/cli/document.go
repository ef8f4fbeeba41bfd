package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"handex/parse"
	"handex/parse/write"
)

// document reads the JSON document, if there is to be one. What flags say goes
// before it. spent: the standard input was read for something else.
func (w *writing) document(spent bool) error {
	c := w.cmd
	silent := len(c.Set)+len(c.Section)+len(c.Item)+len(c.File) == 0 && c.To == "" && !c.Editor
	switch {
	case c.Document != "" && c.Document != "-":
		return hinted{fmt.Errorf("unexpected argument %s", c.Document), "a document is read from the standard input, which - stands for"}
	case c.Document == "-" && spent:
		return errTwice
	case c.Document == "" && (!silent || w.typed()):
		w.unread = w.piped() && !spent
		return nil
	}
	text, err := w.standardInput()
	if err != nil || strings.TrimSpace(text) == "" {
		return err
	}
	members, err := readObject([]byte(text))
	if err != nil {
		return fmt.Errorf("the document: %w", err)
	}
	if hook, ok := readHook([]byte(text)); ok {
		w.hook = hook
		return nil
	}
	given := w.draft
	for _, m := range members {
		if err := w.member(m, given); err != nil {
			return fmt.Errorf("the document: %s: %w", m.key, err)
		}
	}
	return nil
}

// piped reports whether something may wait on the standard input.
func (a *app) piped() bool {
	f, ok := a.env.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// member takes what the document says under one key; given is what flags say.
func (w *writing) member(m member, given write.Draft) error {
	switch m.key {
	case "sections":
		return w.documentSections(m.value, given)
	case "files":
		return w.documentFiles(m.value)
	case "work_items":
		ids, err := scalars(m.value)
		w.draft.WorkItems = append(w.draft.WorkItems, ids...)
		return err
	case "fields":
		fields, err := readObject(m.value)
		for _, f := range fields {
			if err == nil {
				err = w.documentField(f, given)
			}
		}
		return err
	}
	return w.documentField(m, given)
}

// documentField takes a key as --set does, unless a flag has set it.
func (w *writing) documentField(m member, given write.Draft) error {
	values, err := scalars(m.value)
	if err != nil {
		return err
	}
	name := parse.FieldOf(w.format(), m.key)
	if name == "title" && given.Title != "" || slices.ContainsFunc(given.Fields, func(f parse.Field) bool { return f.Key == name }) {
		return nil
	}
	if len(values) == 0 {
		values = []string{""}
	}
	for _, v := range values {
		w.set(m.key, v)
	}
	return nil
}

// documentSections takes sections: texts by kind or heading, or a list of them.
// Those of a kind that a flag gives are left out.
func (w *writing) documentSections(raw json.RawMessage, given write.Draft) error {
	type section struct {
		Kind    string `json:"kind"`
		Heading string `json:"heading"`
		Body    string `json:"body"`
	}
	var list []section
	if json.Unmarshal(raw, &list) != nil {
		list = nil
		members, err := readObject(raw)
		if err != nil {
			return errors.New("neither an object of texts nor a list of objects with kind, heading and body")
		}
		for _, m := range members {
			s := section{Heading: m.key}
			if err := json.Unmarshal(m.value, &s.Body); err != nil {
				return fmt.Errorf("%s: not a text", m.key)
			}
			list = append(list, s)
		}
	}
	for _, s := range list {
		section, err := sectionOf(s.Kind, s.Heading, s.Body)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(given.Sections, func(g write.DraftSection) bool { return g.Kind == section.Kind && g.Kind != parse.Other }) {
			w.addSection(section)
		}
	}
	return nil
}

// sectionOf is a section by its kind, its heading or both. A heading that only
// names a kind is left to the format.
func sectionOf(kind, heading, body string) (write.DraftSection, error) {
	name := kind
	if kind == "" {
		name = heading
	}
	k, known := parse.KindOf(name)
	switch {
	case kind != "" && !known:
		return write.DraftSection{}, fmt.Errorf("no kind of section is called %q", kind)
	case kind == "" && strings.EqualFold(string(k), heading):
		heading = ""
	}
	return write.DraftSection{Kind: k, Heading: heading, Body: body}, nil
}

// documentFiles takes files: paths, or objects with path and action.
func (w *writing) documentFiles(raw json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return errors.New("not a list")
	}
	w.filesGiven = true
	for _, item := range list {
		var path string
		var file struct {
			Path   string `json:"path"`
			Action string `json:"action"`
		}
		switch {
		case json.Unmarshal(item, &path) == nil && path != "":
			w.addFile(fileOf(path))
		case json.Unmarshal(item, &file) == nil && file.Path != "":
			w.addFile(parse.File{Path: file.Path, Action: file.Action})
		default:
			return errors.New("neither a path nor an object with path and action")
		}
	}
	return nil
}
