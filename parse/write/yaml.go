package write

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

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

// yaml writes the draft as a mapping: the keys of the specification, then what it
// has no key for.
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

// extra writes what the specification has no key for.
func (k *yamlText) extra(what string, s YAMLSet) {
	s.Key = k.free(s.Key)
	k.addLoss(what, fmt.Sprintf("the key %q", s.Key))
	k.put(s)
}

// free returns a key that no entry has.
func (k *yamlText) free(key string) string {
	for n, base := 2, key; k.used[key]; n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	return key
}

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

// day cuts a time down to its day; the time is beside it.
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

// field writes a field the specification has no key for.
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
	return !k.used[key] && k.read.Field(key) == "" && metadata.Relations()[scan.NormalKey(key)] == "" &&
		k.read.TextKind(key) == kind
}

// yamlScalar returns s as a scalar on one line which every reader of YAML, 1.1 or 1.2,
// takes for that string: as it is where it can be nothing else, otherwise in double
// quotes.
func yamlScalar(s string) string {
	if isPlainScalar(s) {
		return s
	}
	return yamlQuoted(s)
}

// yamlWords are the words that are no strings in YAML 1.1.
var yamlWords = scan.Set("y n yes no on off true false null")

// isPlainScalar reports whether s is one word that begins with a letter: no
// number, date, mark or comment does.
func isPlainScalar(s string) bool {
	if s == "" || len(s) > 100 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c|0x20 < 'a' || c|0x20 > 'z') && !scan.IsDigit(c) && strings.IndexByte("_-./@+", c) < 0 {
			return false
		}
	}
	return !yamlWords[strings.ToLower(s)]
}

// yamlQuoted returns s in double quotes, on one line. Characters that readers refuse,
// break lines at or show as something else are escaped.
func yamlQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case yamlEscapes[r] != "":
			b.WriteString(yamlEscapes[r])
		case r < 0x20, 0x7f <= r && r < 0xa0:
			fmt.Fprintf(&b, `\x%02X`, r)
		case isUnseen(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

var yamlEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`}

// isUnseen reports whether r ends a line, turns the direction of a text, or is
// no character at all.
func isUnseen(r rune) bool {
	switch {
	case 0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	}
	return r == 0xfeff || r == 0xfffe || r == 0xffff
}

func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// yamlBlock returns a text of several lines: as a block where every reader of YAML
// takes that for the same text.
func yamlBlock(s string) string {
	body, ok := strings.CutSuffix(s, "\n")
	if !isBlockText(body) {
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

// isBlockText reports whether a block of lines contains a text as it is: it has no
// lines of white space alone, none that are blank at its ends, and no character
// that must be escaped.
func isBlockText(s string) bool {
	if s == "" || strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.Trim(line, " \t") == "" {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || isUnseen(r)
	})
}
