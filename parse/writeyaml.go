package parse

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A keyed is the text of a format of keys and values in the making. YAML and
// JSON differ in how an entry is written.
type keyedText struct {
	*writer
	used  map[string]bool
	entry func(key string, v keyedValue)
}

// A keyedValue is null without values, a list with several.
type keyedValue struct {
	values []string
	list   bool
	text   bool // a block of text
	form   slotForm
}

// yaml lays the draft out as a mapping.
func (w *writer) yaml() string {
	var b strings.Builder
	k := keyedText{w, map[string]bool{}, func(key string, v keyedValue) { b.WriteString(yamlEntry(key, v)) }}
	k.all()
	return b.String()
}

// all writes the keys of the specification, then what it has no key for.
func (k *keyedText) all() {
	for _, s := range k.layout.keys {
		k.slot(s)
	}
	for _, s := range k.layout.keys {
		k.used[s.key] = true // not for anything else either
	}
	if k.rest.Title != "" {
		k.extra("title", "title", keyedValue{values: []string{k.rest.Title}})
	}
	for len(k.rest.Fields) > 0 {
		f := k.rest.Fields[0]
		k.field(f, k.take(f.Key))
	}
	if len(k.rest.WorkItems) > 0 {
		k.extra("work items", "work_queue_items", keyedValue{values: k.rest.WorkItems, list: true})
	}
	k.actions()
	k.sections()
}

func (k *keyedText) put(key string, v keyedValue) {
	k.used[key] = true
	k.entry(key, v)
}

// extra puts what the specification has no key for.
func (k *keyedText) extra(what, key string, v keyedValue) {
	key = k.free(key)
	k.lose(what, fmt.Sprintf("the key %q", key))
	k.put(key, v)
}

// free is a key no entry has.
func (k *keyedText) free(key string) string {
	for n, base := 2, key; k.used[key]; n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	return key
}

func (k *keyedText) slot(s slot) {
	var v keyedValue
	switch kind, isText := textFields[s.field]; {
	case s.field == fileList:
		for _, f := range k.rest.Files {
			v.values = append(v.values, f.Path)
		}
		v.list = true
	case s.field == itemList:
		v.values, v.list, k.rest.WorkItems = k.rest.WorkItems, true, nil
	case isText && !k.has(s.field):
		if text := k.takeLead(kind); text != "" {
			v.values = []string{text}
		}
	default:
		v.values = slices.DeleteFunc(k.take(s.field), func(v string) bool { return v == "" })
	}
	v.form, v.list = s.form, v.list || len(v.values) > 1
	switch {
	case len(v.values) > 0:
	case s.value != "":
		v.values = []string{s.value}
	case s.form == orNull || s.with != "" && k.used[s.with]:
	default:
		return
	}
	if s.form == asDay {
		k.day(&v)
	}
	k.put(s.key, v)
}

// day cuts a time down to its day; the time stands beside it.
func (k *keyedText) day(v *keyedValue) {
	st, ok := parseDate(v.values[0], k.read.src.Zone)
	if !ok || st.precision == "month" {
		return
	}
	if day := st.at.Format("2006-01-02"); day != v.values[0] {
		k.rest.Fields = append(k.rest.Fields, Field{Key: "meta.generated_time", Label: "generated_time", Value: v.values[0]})
		k.lose("the time of day of date", `the key "generated_time"`)
		v.values[0] = day
	}
}

// field puts a field the specification has no key for.
func (k *keyedText) field(f Field, values []string) {
	v := keyedValue{values: values, list: len(values) > 1}
	if len(values) == 1 && values[0] == "" {
		v.values = nil
	}
	if strings.HasPrefix(f.Key, "meta.") {
		k.put(k.free(f.Label), v)
		return
	}
	own, _ := k.read.fieldName(rawField{key: f.Label, label: f.Label})
	if kind, ok := textFields[f.Key]; ok && own != f.Key && v.values != nil {
		k.rest.Sections = append([]DraftSection{{Kind: kind, Body: strings.Join(values, "\n\n")}}, k.rest.Sections...)
		return
	}
	k.extra(f.Key, f.Label, v)
}

// actions tells what was done to files, in lists beside the one of paths.
func (k *keyedText) actions() {
	if !k.layout.hasKey(fileList) && len(k.rest.Files) > 0 {
		var all []string
		for _, f := range k.rest.Files {
			all = append(all, f.Path)
		}
		k.extra("files", "files", keyedValue{values: all, list: true})
	}
	for _, action := range []string{"created", "modified", "deleted", "renamed"} {
		var paths []string
		for _, f := range k.rest.Files {
			if f.Action == action {
				paths = append(paths, f.Path)
			}
		}
		if paths != nil {
			k.extra("which files were "+action, "files_"+action, keyedValue{values: paths, list: true})
		}
	}
}

// sections puts texts, those of one kind under one key; a heading that is a key
// already stays one.
func (k *keyedText) sections() {
	for len(k.rest.Sections) > 0 {
		s := k.rest.Sections[0]
		if k.isKey(s) {
			k.rest.Sections = k.rest.Sections[1:]
			k.put(s.Heading, keyedValue{values: []string{s.Body}, text: true})
			continue
		}
		text := k.takeKind(s.Kind, k.isKey)
		if text != "" {
			k.extra("section "+sectionName(s), k.kindKey(s.Kind), keyedValue{values: []string{text}, text: true})
		}
	}
}

// takeKind takes all sections of a kind as one text, but those that have a place of
// their own.
func (w *writer) takeKind(kind Kind, isOwn func(DraftSection) bool) string {
	all := []DraftSection{{Kind: kind, Body: w.takeLead(kind)}}
	w.rest.Sections = slices.DeleteFunc(w.rest.Sections, func(s DraftSection) bool {
		if s.Kind != kind || isOwn(s) {
			return false
		}
		all = append(all, s)
		return true
	})
	var parts []string
	for i, s := range all {
		if i+1 < len(all) {
			s.Body = w.contained(s)
		}
		if s.Heading != "" {
			s.Body = strings.TrimRight(strings.Repeat("#", min(max(3, s.Level), 6))+" "+s.Heading+"\n\n"+s.Body, "\n")
		}
		if s.Body != "" {
			parts = append(parts, s.Body)
		}
	}
	return strings.Join(parts, "\n\n")
}

// isKey reports whether a heading is a word that reads as a key of its kind.
func (k *keyedText) isKey(s DraftSection) bool {
	if s.Heading == "" || s.Body == "" || len(s.Heading) > 40 || k.used[s.Heading] || strings.ContainsFunc(s.Heading, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}) {
		return false
	}
	return k.reads(s.Heading, s.Kind)
}

// reads reports whether a key is read as a text of the kind.
func (k *keyedText) reads(key string, kind Kind) bool {
	f := rawField{key: key, label: key}
	own, _ := k.read.fieldName(f)
	return own == "" && relations[normalKey(key)] == "" && k.read.textKey(f) == kind
}

// kindKey is the key for texts of a kind.
func (k *keyedText) kindKey(kind Kind) string {
	for _, name := range kindNames[kind] {
		if key := asKey(name); !k.used[key] && k.reads(key, kind) {
			return key
		}
	}
	return asKey(kindNames[kind][0]) + "_text"
}
