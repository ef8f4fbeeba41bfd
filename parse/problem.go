package parse

import "fmt"

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
	// Span is the place, empty where something is missing or only the spot
	// is known; the zero Span where Line is 0.
	Span Span
}

// newProblem tells a fault found while reading.
func newProblem(rule string, at Span, format string, args ...any) Problem {
	return Problem{Severity: readingRule(rule).Severity, Rule: rule, Line: at.Line, Message: fmt.Sprintf(format, args...), Span: at}
}

// raise makes errors of what only a file that is found may do.
func (d *Document) raise() {
	for i := range d.Problems {
		p := &d.Problems[i]
		if r, ok := RuleOf(p.Rule); ok {
			p.Severity = max(p.Severity, r.Strict)
		}
	}
}

// content is the place of a line's text, without the blanks around it. A line
// below 1 is the file as a whole.
func (x lineIndex) content(text string, line int) Span {
	if line < 1 {
		return Span{}
	}
	start := x[min(line, len(x))-1]
	end := start
	for end < len(text) && text[end] != '\n' {
		end++
	}
	for start < end && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	for end > start && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return x.span(start, end)
}
