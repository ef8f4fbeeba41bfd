package source

import (
	"fmt"
	"slices"
)

// Severity ranks problems.
type Severity int

// A handoff with a problem of severity Error is invalid.
const (
	Warning Severity = iota + 1
	Error
)

func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Problem is a rule the handoff breaks, or a fault of the file.
type Problem struct {
	Severity Severity
	// Rule is the ID of one of Rules.
	Rule string
	// Line is the line of Span, 0 for the file as a whole.
	Line    int
	Message string
	// Span is the place, empty where something is missing or only the offset
	// is known; the zero Span where Line is 0.
	Span Span
}

// MaxPerRule bounds the problems of one rule, for a file may contain a fault in each
// of its lines.
const MaxPerRule = 20

// Rule is something a handoff can break. Its ID does not change.
type Rule struct {
	// ID is lower case: the format's name or what was being read, a dot, and
	// what is wrong ("flow-guardian.goal-required", "yaml.syntax").
	ID string
	// Severity is that of a file that is found, Strict that of a file about
	// to be written (Source.Strict), which is never less.
	Severity, Strict Severity
	// About says what is wanted, Fix how to mend a handoff that breaks it.
	About, Fix string
	// Source is where it is written: the specification and its section, or
	// "handex" for what any file can have.
	Source string
}

// NewProblem returns a problem found while reading, of the rule of ReadingRules with an ID.
func NewProblem(rule string, at Span, format string, args ...any) Problem {
	return ReadingRules[slices.IndexFunc(ReadingRules, func(r Rule) bool { return r.ID == rule })].Problem(at, format,
		args...)
}

// Problem returns a problem that breaks the rule, with its place and a message as
// fmt.Sprintf makes it.
func (r Rule) Problem(at Span, format string, args ...any) Problem {
	return Problem{r.Severity, r.ID, at.Line, fmt.Sprintf(format, args...), at}
}
