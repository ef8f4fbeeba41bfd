package write

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/scan"
)

// A yamlText is a YAML mapping in the making.
type yamlText struct {
	*writer
	strings.Builder
	used map[string]bool
}

// yaml returns the draft as a YAML mapping: the keys of the specification, then further keys
// for the rest of the draft.
func (w *writer) yaml() string {
	k := &yamlText{writer: w, used: map[string]bool{}}
	for _, s := range k.layout.Keys {
		k.slot(s)
	}
	for _, s := range k.layout.Keys {
		k.used[s.Key] = true // not for anything else either
	}
	if k.remaining.Title != "" {
		k.extra("title", YAMLSet{Key: "title", Values: []string{k.remaining.Title}})
	}
	for len(k.remaining.Fields) > 0 {
		f := k.remaining.Fields[0]
		k.field(f, k.take(f.Key))
	}
	if len(k.remaining.WorkItems) > 0 {
		k.extra("work items", YAMLSet{Key: "work_queue_items", Values: k.remaining.WorkItems, List: true})
	}
	k.actions()
	kept := func(key string) string { return fmt.Sprintf("the key %q", k.free(key)) }
	k.namedSections(k.isKey, k.isFreeKey, kept, func(key, text string) {
		k.put(YAMLSet{Key: k.free(key), Values: []string{text + "\n"}})
	})
	return k.String()
}

// put writes a key with its value, on lines of their own.
func (k *yamlText) put(s YAMLSet) {
	k.used[s.Key] = true
	if len(s.Values) == 1 && !s.List && strings.Contains(s.Values[0], "\n") {
		k.WriteString(yamlScalar(s.Key) + ": " + yamlBlock(s.Values[0]) + "\n")
		return
	}
	k.WriteString(s.entry(""))
}

// extra writes a key that the specification does not have, which is a loss; what names the
// value in its message.
func (k *yamlText) extra(what string, s YAMLSet) {
	s.Key = k.free(s.Key)
	k.addLoss(what, fmt.Sprintf("the key %q", s.Key))
	k.put(s)
}

// free returns the key, with a number behind it if an entry has the key already.
func (k *yamlText) free(key string) string {
	for n, base := 2, key; k.used[key]; n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	return key
}

// slot takes the value of a key of the specification from the draft and writes both. Without
// a value it writes the one that the slot has, null, or nothing.
func (k *yamlText) slot(s parse.Slot) {
	v := YAMLSet{Key: s.Key, quoted: s.Form == parse.AsText || s.Form == parse.AsDay}
	switch kind, isText := textFields[s.Field]; {
	case s.Field == parse.FileList:
		for _, f := range k.remaining.Files {
			v.Values = append(v.Values, f.Path)
		}
		v.List = true
	case s.Field == parse.ItemList:
		v.Values, v.List, k.remaining.WorkItems = k.remaining.WorkItems, true, nil
	case isText && !k.has(s.Field):
		if text := k.takeLead(kind); text != "" {
			v.Values = []string{text}
		}
	default:
		v.Values = slices.DeleteFunc(k.take(s.Field), func(v string) bool { return v == "" })
	}
	switch {
	case len(v.Values) > 0:
	case s.Value != "":
		v.Values = []string{s.Value}
	case s.Form == parse.OrNull || s.With != "" && k.used[s.With]:
	default:
		return
	}
	switch s.Form {
	case parse.AsDay:
		k.day(v.Values)
	case parse.AsNumber:
		v.Plain = []bool{isNumber(v.Values[0])}
	}
	k.put(v)
}

// day changes the first of values, a time, to its day. The time is kept as a further field,
// and is a loss.
func (k *yamlText) day(values []string) {
	st, ok := date.Find(values[0], time.UTC)
	if !ok || st.Precision == "month" {
		return
	}
	if day := st.Time.Format("2006-01-02"); day != values[0] {
		k.remaining.Fields = append(k.remaining.Fields,
			parse.Field{Key: "meta.generated_time", Label: "generated_time", Value: values[0]})
		k.addLoss("the time of date", `the key "generated_time"`)
		values[0] = day
	}
}

// field writes a field that the specification has no key for. A field that is a text becomes
// a section if its label would not read as that field.
func (k *yamlText) field(f parse.Field, values []string) {
	v := YAMLSet{Key: f.Label, Values: values}
	if len(values) == 1 && values[0] == "" {
		v.Values = nil
	}
	if strings.HasPrefix(f.Key, "meta.") {
		v.Key = k.free(f.Label)
		k.put(v)
		return
	}
	own := k.read.Field(f.Label)
	if kind, ok := textFields[f.Key]; ok && own != f.Key && v.Values != nil {
		k.remaining.Sections = append([]DraftSection{{Kind: kind, Body: strings.Join(values, "\n\n")}},
			k.remaining.Sections...)
		return
	}
	k.extra(f.Key, v)
}

// actions writes a list of the files for each action, and one of all files if the
// specification has no key for them.
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
	hasKey := slices.ContainsFunc(k.layout.Keys, func(s parse.Slot) bool { return s.Field == parse.FileList })
	if all := paths(""); all != nil && !hasKey {
		k.extra("files", YAMLSet{Key: "files", Values: all, List: true})
	}
	for _, action := range []string{"created", "modified", "deleted", "renamed"} {
		if found := paths(action); found != nil {
			k.extra("files that were "+action, YAMLSet{Key: "files_" + action, Values: found, List: true})
		}
	}
}

// isKey reports whether the heading of a section can be the key of the section: it is a word
// that no entry has as its key, and reads as one of the section's kind.
func (k *yamlText) isKey(s DraftSection) bool {
	return s.Body != "" && len(s.Heading) <= 40 && keyForm().MatchString(s.Heading) && k.isFreeKey(s.Heading, s.Kind)
}

var keyForm = scan.Pattern(`^[\pL\p{Nd}_-]+$`)

// isFreeKey reports whether a key can be used for a text of a kind: no entry has it, and it
// reads as one of that kind and not as a field or relation.
func (k *yamlText) isFreeKey(key string, kind parse.Kind) bool {
	return !k.used[key] && k.read.Field(key) == "" && metadata.Relations()[scan.NormalKey(key)] == "" &&
		k.read.TextKind(key) == kind
}

// yamlScalar returns s as a YAML string on one line, which every reader of YAML 1.1 or 1.2
// takes for s: as it is if it can be nothing else, otherwise in double quotes.
func yamlScalar(s string) string {
	if isPlainScalar(s) {
		return s
	}
	return yamlQuoted(s)
}

// yamlWords are the words that are no strings in YAML 1.1.
var yamlWords = scan.Set("y n yes no on off true false null")

// isPlainScalar reports whether YAML can read s only as a string: it is one word that begins
// with a letter, as no number, date, mark or comment does, and none of yamlWords.
func isPlainScalar(s string) bool {
	return plainForm().MatchString(s) && !yamlWords[strings.ToLower(s)]
}

// unseen are the characters that readers of YAML refuse, and those that end a line, turn
// the direction of a text, or are no character at all.
const unseen = `\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}` +
	`\x{feff}\x{fffe}\x{ffff}`

var (
	plainForm = scan.Pattern(`^[A-Za-z][A-Za-z0-9_./@+-]{0,99}$`)
	escaping  = scan.Pattern(`["\\\t\n` + unseen + `]`)
	// A block of lines does not contain as it is a text with lines of white space alone,
	// one that is blank at its ends, or one with a character that must be escaped.
	noBlock     = scan.Pattern(`\A\z|\A\n|\n\z|(?m:^[ \t]+$)|[` + unseen + `]`)
	yamlEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`}
)

// yamlQuoted returns s in double quotes, on one line.
func yamlQuoted(s string) string {
	return `"` + escaping().ReplaceAllStringFunc(s, func(char string) string {
		switch r, _ := utf8.DecodeRuneInString(char); {
		case yamlEscapes[r] != "":
			return yamlEscapes[r]
		case r < 0xa0:
			return fmt.Sprintf(`\x%02X`, r)
		default:
			return fmt.Sprintf(`\u%04X`, r)
		}
	}) + `"`
}

// isNumber reports whether s is a whole number above 0, without zeros in front.
func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// yamlBlock returns a text of several lines as a YAML value: as a block if every reader of
// YAML takes that for the same text, otherwise in double quotes on one line.
func yamlBlock(s string) string {
	body, ok := strings.CutSuffix(s, "\n")
	if noBlock().MatchString(body) {
		return yamlQuoted(s)
	}
	mark := "|"
	if body[0] == ' ' || body[0] == '\t' {
		mark += "2" // or the first line would set the indentation
	}
	if !ok {
		mark += "-"
	}
	var b strings.Builder
	b.WriteString(mark)
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}
