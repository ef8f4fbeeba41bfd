package query

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/text"
)

// Error is one fault of a query and the part of the text it lies in.
type Error struct {
	// Code is stable and lower-case: "unknown-field", "bad-date".
	Code string `json:"code"`
	// Start and End are byte offsets into the query; Start <= End <= len.
	Start int `json:"start"`
	End   int `json:"end"`
	// Column is the character Start lies on, counted from 1.
	Column int `json:"column"`
	// Message says what is wrong, in one line.
	Message string `json:"message"`
	// Suggestions are names that were probably meant, best first.
	Suggestions []string `json:"suggestions,omitempty"`
	// Help is what to type instead, one line each.
	Help []string `json:"help,omitempty"`
}

func newError(code string, start, end int, message string, help ...string) *Error {
	return &Error{Code: code, Start: start, End: end, Message: message, Help: help}
}

func (e *Error) Error() string {
	return fmt.Sprintf("query:%d: %s", e.Column, e.Message)
}

// Errors are the faults of one query in the order of the text, at least one.
// It is the type of every error Parse and Find return.
type Errors []*Error

func (es Errors) Error() string {
	return strings.Join(each(es, (*Error).Error), "; ")
}

// Report describes a refused query for programs: the first error's code
// and message, and all errors with byte offsets.
type Report struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Query   string   `json:"query"`
	Errors  []*Error `json:"errors"`
}

// Report makes the form for programs.
func (es Errors) Report(query string) Report {
	return Report{Code: es[0].Code, Message: es[0].Message, Query: strings.ToValidUTF8(query, "\uFFFD"), Errors: es}
}

// More would bury the first, which is usually the cause of the rest.
const maxShown = 3

// Format makes the form for people: for each error one line that says what is
// wrong, the query with carets under the part, and at most two lines that say
// what to type. At most three errors are shown, and the rest counted.
func (es Errors) Format(query string) string {
	var b strings.Builder
	for i, e := range es {
		if i == maxShown {
			fmt.Fprintf(&b, "handex: query: errors not shown: %d\n", len(es)-maxShown)
			break
		}
		e.format(&b, query)
	}
	return b.String()
}

func (e *Error) format(b *strings.Builder, query string) {
	line, carets := text.Excerpt(query, e.Start, e.End)
	fmt.Fprintf(b, "handex: query:%d: %s\n    %s\n    %s\n", e.Column, text.Printable(e.Message), line, carets)
	for _, h := range e.lines() {
		fmt.Fprintf(b, "  %s\n", text.Printable(h))
	}
}

// lines returns what to type: the suggestions as one line, then the help.
func (e *Error) lines() []string {
	lines := e.Help
	if len(e.Suggestions) > 0 {
		lines = append([]string{"did you mean " + orList(e.Suggestions) + "?"}, lines...)
	}
	return lines[:min(len(lines), 2)]
}

// orList writes "a", "b" or "c".
func orList(names []string) string {
	quoted := each(names, func(n string) string { return `"` + n + `"` })
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// finish sorts errors in the order of the text and sets their columns.
func finish(text string, es Errors) Errors {
	sort.SliceStable(es, func(i, j int) bool { return es[i].Start < es[j].Start })
	for _, e := range es {
		e.Start = min(max(e.Start, 0), len(text))
		e.End = min(max(e.End, e.Start), len(text))
		e.Column = utf8.RuneCountInString(text[:e.Start]) + 1
	}
	return es
}
