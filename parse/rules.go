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

// RuleOf returns the rule of an ID.
func RuleOf(id string) (Rule, bool) {
	if i := slices.IndexFunc(allRules(), func(r Rule) bool { return r.ID == id }); i >= 0 {
		return allRules()[i], true
	}
	return Rule{}, false
}

// FixOf returns how to mend a problem: by its message where that says more than its rule.
func FixOf(p Problem) string {
	if p.Rule == "yaml.syntax" {
		if fix := source.FixOfYAML(p.Message); fix != "" {
			return fix
		}
	}
	r, _ := RuleOf(p.Rule)
	return r.Fix
}

// A rule is a row of a format's specification.
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

// A subject is a document that is checked against a rule.
type subject struct {
	*reader
	doc      *Document
	raws     []outline.Field
	rule     *rule
	reported int
}

// validate checks a document against the rules of its format; a legacy one only
// against the first, which says so, and an entry of a log that has versions, which
// has none of its own, against none.
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

// report adds a problem of the rule at hand.
func (s *subject) report(at Span, format string, args ...any) {
	if s.reported++; s.reported <= source.MaxPerRule {
		s.doc.Problems = append(s.doc.Problems, s.rule.problem(s.format, at, format, args...))
	}
}

// addProblem adds a problem the reader came upon itself.
func (r *reader) addProblem(d *Document, what string, at Span, format string, args ...any) {
	for _, e := range r.format.rules {
		if e.what == what {
			d.Problems = append(d.Problems, e.problem(r.format, at, format, args...))
		}
	}
}

func (e *rule) problem(f *format, at Span, format string, args ...any) Problem {
	return Rule{ID: f.name + "." + e.what, Severity: e.severity}.Problem(at, format, args...)
}

// top returns where something is missing that could be anywhere: the first line that
// says something.
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

// label returns the place of a field's key.
func (s *subject) label(f outline.Field) Span {
	at := s.text[f.Start:]
	if i := strings.Index(at[:min(len(at), maxLine)], f.Label); i >= 0 && i <= 1 {
		return s.lines.Span(f.Start+i, f.Start+i+len(f.Label))
	}
	return s.lines.Span(f.Start, f.Start)
}

// Field returns the first field of that name.
func (d *Document) Field(name string) (Field, bool) {
	if i := slices.IndexFunc(d.Fields, func(f Field) bool { return f.Key == name }); i >= 0 {
		return d.Fields[i], true
	}
	return Field{}, false
}

// says reports whether the document has a value for a field.
func (d *Document) says(name string) bool {
	f, ok := d.Field(name)
	return ok && f.Value != ""
}
