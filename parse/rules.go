package parse

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// Rules lists all rules: those of the formats in the order of FormatNames, in
// the order of their specifications, then what can go wrong in reading.
func Rules() []Rule {
	var all []Rule
	for i := range formats {
		for _, r := range formats[i].rules {
			id, where := formats[i].name+"."+r.what, formats[i].spec+", "+r.where
			all = append(all, Rule{
				ID: id, Severity: r.severity, Strict: r.strict, About: r.about, Fix: r.fix, Source: where,
			})
		}
	}
	return append(all, source.ReadingRules...)
}

var allRules = sync.OnceValue(Rules)

// RuleOf returns the rule with an ID, and whether there is one.
func RuleOf(id string) (Rule, bool) {
	if i := slices.IndexFunc(allRules(), func(r Rule) bool { return r.ID == id }); i >= 0 {
		return allRules()[i], true
	}
	return Rule{}, false
}

// FixOf returns how to correct a problem. For invalid YAML this follows from the message, if
// that names a known cause; otherwise it is the Fix of the rule.
func FixOf(p Problem) string {
	if p.Rule == "yaml.syntax" {
		if fix := source.FixOfYAML(p.Message); fix != "" {
			return fix
		}
	}
	r, _ := RuleOf(p.Rule)
	return r.Fix
}

// A rule is a rule of a format's specification, and the function that finds where a document
// breaks it.
type rule struct {
	what             string // the ID behind the format's name
	severity, strict Severity
	where            string // the section of the specification
	// find reports each place where a document breaks the rule; nil where the
	// reader does so itself (see addProblem).
	find       func(s *subject)
	about, fix string
}

func newRule(what string, severity, strict Severity, where string, find func(*subject), about, fix string) rule {
	return rule{what, severity, strict, where, find, about, fix}
}

// A subject is a document while it is checked against one rule.
type subject struct {
	*reader
	doc      *Document
	raws     []outline.Field
	rule     *rule
	reported int
}

// validate adds to a document the problems found by the rules of its format. A legacy
// document is checked only against the first rule, which reports that it is one. An entry of
// a log whose format has versions has no version itself, and is not checked.
func (r *reader) validate(d *Document, raws []outline.Field) {
	rules := r.format.rules
	if d.Legacy {
		rules = rules[:1]
	} else if r.format.legacyWithout != "" && d.Key != "" {
		return
	}
	for i := range rules {
		s := &subject{reader: r, doc: d, raws: raws, rule: &rules[i]}
		if s.rule.find == nil {
			continue
		}
		s.rule.find(s)
		if more := s.reported - source.MaxPerRule; more > 0 {
			d.Problems[len(d.Problems)-1].Message += fmt.Sprintf(" (and %d more)", more)
		}
	}
}

// report adds a problem of the rule that is being checked. It only counts those beyond
// source.MaxPerRule.
func (s *subject) report(at Span, format string, args ...any) {
	if s.reported++; s.reported <= source.MaxPerRule {
		s.doc.Problems = append(s.doc.Problems, s.rule.problem(s.format, at, format, args...))
	}
}

// addProblem adds a problem that the reader found itself, by what, the ID of a rule without
// the format's name. It adds nothing if the format has no such rule.
func (r *reader) addProblem(d *Document, what string, at Span, format string, args ...any) {
	for _, e := range r.format.rules {
		if e.what == what {
			d.Problems = append(d.Problems, e.problem(r.format, at, format, args...))
		}
	}
}

// problem returns a problem that breaks the rule, which is one of format f.
func (e *rule) problem(f *format, at Span, format string, args ...any) Problem {
	return Rule{ID: f.name + "." + e.what, Severity: e.severity}.Problem(at, format, args...)
}

// top returns the place where something is reported missing that could be anywhere in the
// document: the first line with text, in YAML the first that is no comment or marker.
func (s *subject) top() Span {
	start := s.doc.Span.Start
	for at := start + scan.BlankLen(s.text[start:]); at < s.doc.Span.End; at = scan.LineEnd(s.text, at) {
		line := s.lines.Content(s.text, s.lines.Line(at))
		if s.format.shape != YAML || line.Start < line.End && s.text[line.Start] != '#' &&
			!outline.IsMarker(s.text[line.Start:line.End]) {
			return line
		}
	}
	return s.lines.Content(s.text, s.lines.Line(start))
}

// label returns the place of a field's key, or an empty span where the field starts if the
// key is not found there.
func (s *subject) label(f outline.Field) Span {
	at := s.text[f.Start:]
	if i := strings.Index(at[:min(len(at), maxLine)], f.Label); i >= 0 && i <= 1 {
		return s.lines.Span(f.Start+i, f.Start+i+len(f.Label))
	}
	return s.lines.Span(f.Start, f.Start)
}

// Field returns the first field with a canonical name, and whether the document has one.
func (d *Document) Field(name string) (Field, bool) {
	if i := slices.IndexFunc(d.Fields, func(f Field) bool { return f.Key == name }); i >= 0 {
		return d.Fields[i], true
	}
	return Field{}, false
}

// says reports whether the document has a field with a name and its value is not empty.
func (d *Document) says(name string) bool {
	f, ok := d.Field(name)
	return ok && f.Value != ""
}
