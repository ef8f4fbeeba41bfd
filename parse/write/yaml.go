package write

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"handex/parse"
	"handex/parse/internal/date"
	"handex/parse/internal/metadata"
	"handex/parse/internal/scan"
)

// A yamlText is a YAML mapping in the making.
type yamlText struct {
	*writer
	strings.Builder
	used map[string]bool
}

// A yamlValue is null without values, a list with several.
type yamlValue struct {
	values []string
	list   bool
	text   bool // a block of text
	form   parse.SlotForm
}

// yaml writes the draft as a mapping: the keys of the specification, then what it
// has no key for.
func (w *writer) yaml() string {
	k := &yamlText{writer: w, used: map[string]bool{}}
	k.all()
	return k.String()
}

func (k *yamlText) all() {
	for _, s := range k.layout.Keys {
		k.slot(s)
	}
	for _, s := range k.layout.Keys {
		k.used[s.Key] = true // not for anything else either
	}
	if k.remaining.Title != "" {
		k.extra("title", "title", yamlValue{values: []string{k.remaining.Title}})
	}
	for len(k.remaining.Fields) > 0 {
		f := k.remaining.Fields[0]
		k.field(f, k.take(f.Key))
	}
	if len(k.remaining.WorkItems) > 0 {
		k.extra("work items", "work_queue_items", yamlValue{values: k.remaining.WorkItems, list: true})
	}
	k.actions()
	k.namedSections(k.isKey, k.isFreeKey, func(key string) string { return fmt.Sprintf("the key %q", k.free(key)) }, k.putText)
}

func (k *yamlText) put(key string, v yamlValue) {
	k.used[key] = true
	k.WriteString(yamlEntry(key, v))
}

// extra puts what the specification has no key for.
func (k *yamlText) extra(what, key string, v yamlValue) {
	key = k.free(key)
	k.addLoss(what, fmt.Sprintf("the key %q", key))
	k.put(key, v)
}

// free is a key no entry has.
func (k *yamlText) free(key string) string {
	for n, base := 2, key; k.used[key]; n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	return key
}

func (k *yamlText) slot(s parse.Slot) {
	var v yamlValue
	switch kind, isText := textFields[s.Field]; {
	case s.Field == parse.FileList:
		for _, f := range k.remaining.Files {
			v.values = append(v.values, f.Path)
		}
		v.list = true
	case s.Field == parse.ItemList:
		v.values, v.list, k.remaining.WorkItems = k.remaining.WorkItems, true, nil
	case isText && !k.has(s.Field):
		if text := k.takeLead(kind); text != "" {
			v.values = []string{text}
		}
	default:
		v.values = slices.DeleteFunc(k.take(s.Field), func(v string) bool { return v == "" })
	}
	v.form, v.list = s.Form, v.list || len(v.values) > 1
	switch {
	case len(v.values) > 0:
	case s.Value != "":
		v.values = []string{s.Value}
	case s.Form == parse.OrNull || s.With != "" && k.used[s.With]:
	default:
		return
	}
	if s.Form == parse.AsDay {
		k.day(&v)
	}
	k.put(s.Key, v)
}

// day cuts a time down to its day; the time stands beside it.
func (k *yamlText) day(v *yamlValue) {
	st, ok := date.Find(v.values[0], time.UTC)
	if !ok || st.Precision == "month" {
		return
	}
	if day := st.Time.Format("2006-01-02"); day != v.values[0] {
		k.remaining.Fields = append(k.remaining.Fields, parse.Field{Key: "meta.generated_time", Label: "generated_time", Value: v.values[0]})
		k.addLoss("the time of day of date", `the key "generated_time"`)
		v.values[0] = day
	}
}

// field puts a field the specification has no key for.
func (k *yamlText) field(f parse.Field, values []string) {
	v := yamlValue{values: values, list: len(values) > 1}
	if len(values) == 1 && values[0] == "" {
		v.values = nil
	}
	if strings.HasPrefix(f.Key, "meta.") {
		k.put(k.free(f.Label), v)
		return
	}
	own := k.read.Field(f.Label, f.Label)
	if kind, ok := textFields[f.Key]; ok && own != f.Key && v.values != nil {
		k.remaining.Sections = append([]DraftSection{{Kind: kind, Body: strings.Join(values, "\n\n")}}, k.remaining.Sections...)
		return
	}
	k.extra(f.Key, f.Label, v)
}

// actions lists what was done to files, beside the list of paths.
func (k *yamlText) actions() {
	paths := func(action string) []string {
		var paths []string
		for _, f := range k.remaining.Files {
			if f.Action == action || action == "" {
				paths = append(paths, f.Path)
			}
		}
		return paths
	}
	if all := paths(""); all != nil && !k.hasKey(parse.FileList) {
		k.extra("files", "files", yamlValue{values: all, list: true})
	}
	for _, action := range []string{"created", "modified", "deleted", "renamed"} {
		if found := paths(action); found != nil {
			k.extra("which files were "+action, "files_"+action, yamlValue{values: found, list: true})
		}
	}
}

// putText puts a text under a key that no entry has.
func (k *yamlText) putText(key, text string) {
	k.put(k.free(key), yamlValue{values: []string{text}, text: true})
}

// isKey reports whether a heading is a word that reads as a key of its kind.
func (k *yamlText) isKey(s DraftSection) bool {
	if s.Heading == "" || s.Body == "" || len(s.Heading) > 40 || strings.ContainsFunc(s.Heading, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}) {
		return false
	}
	return k.isFreeKey(s.Heading, s.Kind)
}

// isFreeKey reports whether a key that no entry has is read as a text of a kind.
func (k *yamlText) isFreeKey(key string, kind parse.Kind) bool {
	return !k.used[key] && k.read.Field(key, key) == "" && metadata.Relations[scan.NormalKey(key)] == "" && k.read.TextKind(key) == kind
}
