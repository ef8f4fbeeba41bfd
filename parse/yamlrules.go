package parse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/outline"
)

// A mapEntry is a top-level key of a YAML mapping with its value.
type mapEntry struct {
	what valueKind
	outline.Field
	at Span // of the key
}

type valueKind int

const (
	absent valueKind = iota
	empty            // null, or nothing but blanks
	scalar
	list   // of scalars
	nested // a mapping, or a list of more than scalars
)

func (k valueKind) String() string {
	return [...]string{"missing", "empty", "a string", "a list", "a mapping or a list of mappings"}[k]
}

// entry returns the entry with a key, exactly so written, of the file's top-level mapping.
// If there is none, it is absent and placed where to report that.
func (s *subject) entry(name string) mapEntry {
	for _, f := range s.raws {
		if f.Key == name {
			return mapEntry{kindOfValue(f), f, s.label(f)}
		}
	}
	for _, sec := range s.doc.Sections {
		if sec.Level == 0 && sec.Heading == name {
			return mapEntry{what: nested, at: s.lines.Span(sec.Span.Start, sec.Span.Start+len(name))}
		}
	}
	return mapEntry{at: s.top()}
}

func kindOfValue(f outline.Field) valueKind {
	switch {
	case f.List != nil:
		return list
	case f.Null || strings.TrimSpace(f.Value) == "":
		return empty
	}
	return scalar
}

// tag returns the YAML type of a field's value as the file has it, such as "!!str", "!!int"
// or "!!timestamp". Values in quotes, in blocks or with a tag are strings.
func (s *subject) tag(f outline.Field) string {
	behind := min(f.Start+len(f.Label), f.Span.Start)
	if s.text[f.Span.Start:f.Span.End] != f.Value || strings.ContainsAny(s.text[behind:f.Span.Start], "|>!") {
		return "!!str" // in quotes, a block, or said to be one
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Value: f.Value}
	return n.ShortTag()
}

// typeNames are the types of scalars that are no texts.
var typeNames = map[string]string{
	"!!int": "a whole number", "!!float": "a number", "!!bool": "true or false",
	"!!timestamp": "a time",
}

// one returns the entry with a key, and whether its value is a scalar. It reports a list or
// a mapping; want says in the message what the value should be. Missing and empty values are
// not reported.
func (s *subject) one(name, want string) (e mapEntry, ok bool) {
	e = s.entry(name)
	if e.what == list || e.what == nested {
		s.report(e.at, "%s is %s, not %s", name, e.what, want)
	}
	return e, e.what == scalar
}

// textOrNone returns whether a key has a string as its value. It reports any other value,
// but not a missing or empty one.
func (s *subject) textOrNone(name string) (ok bool) {
	e, ok := s.one(name, "a string")
	if not := typeNames[s.tag(e.Field)]; ok && not != "" {
		s.report(e.Span, "%s is %s, not a string: put it in quotes", name, not)
		return false
	}
	return ok
}

// wantText returns whether a key has a string as its value, and reports one that is missing,
// empty or anything else.
func (s *subject) wantText(name string) bool {
	present(name)(s)
	return s.textOrNone(name)
}

// required returns a rule that reports a key that is missing, empty or not a string.
func required(name string) func(*subject) {
	return func(s *subject) { s.wantText(name) }
}

// present returns a rule that reports a key that is missing or empty; other rules check its
// value.
func present(name string) func(*subject) {
	return func(s *subject) {
		if e := s.entry(name); e.what == absent {
			s.report(e.at, "no %s", name)
		} else if e.what == empty {
			s.report(e.at, "%s is empty", name)
		}
	}
}

// oneOf returns a rule that reports a key whose value is not one of some words. A missing or
// empty one is not reported.
func oneOf(name string, words ...string) func(*subject) {
	want := "one of " + strings.Join(words, ", ")
	return func(s *subject) {
		if e, ok := s.one(name, want); ok && !slices.Contains(words, e.Value) {
			s.report(e.Span, "%s is %q, not %s", name, e.Value, want)
		}
	}
}

// isoTime returns a rule that reports a key whose value is not an ISO 8601 time. A missing
// or empty one is not reported.
func isoTime(name string) func(*subject) {
	return func(s *subject) {
		if e, ok := s.one(name, "a time"); ok && !date.IsISO8601(e.Value) {
			s.report(e.Span, "%s is %q, not an ISO 8601 time", name, e.Value)
		}
	}
}

// types returns a rule that reports those keys of texts whose value is not a string, and
// those of lists whose value is not a list of strings. All of them may be missing.
func types(texts, lists []string) func(*subject) {
	return func(s *subject) {
		for _, name := range texts {
			s.textOrNone(name)
		}
		for _, name := range lists {
			switch e := s.entry(name); e.what {
			case scalar:
				s.report(e.Span, "%s is a string, not a list", name)
			case nested:
				s.report(e.at, "%s is not a list of strings", name)
			}
		}
	}
}

// listed returns the places of the elements of a list. An element that is not found as
// written has the place of the whole list.
func (s *subject) listed(f outline.Field) []Span {
	at := make([]Span, len(f.List))
	from := f.Span.Start
	for i, text := range f.List {
		at[i] = f.Span
		if n := strings.Index(s.text[from:min(from+maxLine, f.Span.End)], text); n >= 0 && text != "" {
			at[i] = s.lines.Span(from+n, from+n+len(text))
			from = at[i].End
		}
	}
	return at
}

// namesIn returns the set of ids in the list or mapping under a top-level key of a YAML
// text: the id of each mapping and each scalar of a list, or the keys of the mapping. The
// error says what is wrong with the text, as in "is not YAML".
func namesIn(text, key string) (map[string]bool, error) {
	if len(text) > outline.MaxYAML {
		return nil, fmt.Errorf("has more than %d KiB", outline.MaxYAML>>10)
	}
	o := outline.ReadYAML(text)
	if o.Trees == nil {
		return nil, errors.New("is not YAML")
	}
	if n := outline.EntryOf(o.Trees, key); n.Kind != outline.ScalarNode {
		return names(n), nil
	}
	return nil, fmt.Errorf("has no list named %s", key)
}

// names returns the set of ids in a list or mapping, as namesIn describes.
func names(n outline.Node) map[string]bool {
	out := map[string]bool{}
	for _, el := range n.Children {
		switch {
		case n.Kind == outline.DictNode:
			out[el.Key] = true
		case el.Kind == outline.ScalarNode:
			out[el.Text] = true
		}
		for _, c := range el.Children {
			if n.Kind == outline.ListNode && c.Key == "id" && c.Kind == outline.ScalarNode {
				out[c.Text] = true
			}
		}
	}
	return out
}

// flowRules are the rules in the Validation section of the specification, and the types of
// its schema.
var flowRules = []rule{
	newRule("goal-required", Error, Error, "Validation", required("goal"),
		"goal is a non-empty string.", "Write into goal what the user wants to accomplish."),
	newRule("status-required", Error, Error, "Validation", present("status"),
		"status is given.", "Set status to in_progress, completed or blocked."),
	newRule("status-enum", Error, Error, "Validation", oneOf("status", "in_progress", "completed", "blocked"),
		"status is in_progress, completed or blocked.", "Set status to one of these three words, in lower case."),
	newRule("now-required", Error, Error, "Validation", required("now"),
		"now is a non-empty string.", "Write into now what is being worked on."),
	newRule("timestamp-required", Error, Error, "Validation", present("timestamp"),
		"timestamp is given.", "Set timestamp to the time of writing, such as 2026-01-17T10:30:00Z."),
	newRule("timestamp-iso8601", Error, Error, "Field Definitions", isoTime("timestamp"),
		"timestamp is an ISO 8601 time.", "Write it as 2026-01-17T10:30:00Z."),
	newRule("field-type", Warning, Error, "Field Definitions",
		types([]string{"hypothesis", "outcome", "branch", "session_id"}, []string{"files"}),
		"hypothesis, outcome, branch and session_id are strings; files is a list of strings.", "Quote the string, or "+
			"write the files as a list."),
}
