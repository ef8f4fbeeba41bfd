package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Finding is a rule that a handoff breaks, and where.
type Finding struct {
	Path   string // absolute
	Shown  string // Path as people and programs of CI know it
	ID     string // of the handoff, "" where no index was asked
	Entry  int    // which of the file's handoffs it is, from 0
	Format string
	parse.Problem
	Place parse.Excerpt // zero for the file as a whole
}

// Checked is what a check of files found. Unread are those it could not read.
type Checked struct {
	Files    int
	Findings []Finding
	Unread   []index.Trouble
	Program  string // the version of handex
}

// Count returns how many findings are of a severity.
func (c Checked) Count(s parse.Severity) int {
	n := 0
	for _, f := range c.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Summary returns the counts in one line.
func (c Checked) Summary() string {
	text := fmt.Sprintf("%s, %s, %s", Several(c.Files, "file"), Several(c.Count(parse.Error), "error"),
		Several(c.Count(parse.Warning), "warning"))
	if n := len(c.Unread); n > 0 {
		text += fmt.Sprintf("; %d could not be read", n)
	}
	return text
}

// Several counts things whose name takes an s.
func Several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Thousands writes a number with commas.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Findings writes the findings for people: the place, what is wrong, the line
// with a mark under the place, and how to mend it.
func Findings(w io.Writer, c Checked, o Options) error {
	p := &printer{Options: o, w: w}
	for i, f := range c.Findings {
		if i > 0 {
			p.print("\n")
		}
		p.finding(f)
	}
	return p.err
}

func (p *printer) finding(f Finding) {
	where := Path(f.Shown) + ":"
	if f.Place.Line > 0 {
		where += fmt.Sprintf("%d:%d:", f.Place.Line, f.Place.Column)
	}
	look := severityStyle(f.Severity)
	p.line(Span{where, Bold}, Span{Text: " "}, Span{f.Severity.String(), look}, Span{" " + Line(f.Rule) + ": ", Dim},
		Span{Text: Line(f.Message)})
	for _, line := range p.excerpt(f.Place, look) {
		p.line(line...)
	}
	if fix := parse.FixOf(f.Problem); fix != "" {
		p.line(Span{"  fix: ", Dim}, Span{Text: fix})
	}
}

const (
	// tabWidth is what a tab of the excerpt takes up.
	tabWidth = 4
	// excerptWidth is that of an excerpt where no terminal has one.
	excerptWidth = 120
)

// excerpt returns the line of a place and the marks below it, none for a file as a
// whole and for a line of blanks.
func (o Options) excerpt(p parse.Excerpt, look Look) [][]Span {
	before, at, after := oneLine(p.Before), oneLine(p.At), oneLine(p.After)
	if p.Line == 0 || strings.TrimSpace(before+at+after) == "" {
		return nil
	}
	number := strconv.Itoa(p.Line)
	width := excerptWidth
	if o.Width > 0 {
		width = o.Width
	}
	room := max(width-len(number)-len("  "+" | "), tabWidth*tabWidth)
	if over := Cells(before) - room/2; over > 0 {
		before = "…" + truncateLeft(before, over+1)
	}
	room -= Cells(before)
	if Cells(at) > room {
		at = truncate(at, room-1) + "…"
	}
	marks := strings.Repeat("^", max(Cells(at), 1))
	line := append([]Span{{"  " + number + " | ", Dim}, {Text: before}}, fit([]Span{{Text: at}, {Text: after}}, room)...)
	under := []Span{
		{"  " + strings.Repeat(" ", len(number)) + " | ", Dim},
		{Text: strings.Repeat(" ", Cells(before))},
		{marks, look},
	}
	return [][]Span{line, under}
}

// oneLine returns a part of a line of a file, clean, and as wide as cells counts it.
func oneLine(text string) string {
	return Path(strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth)))
}

// FindingsPlain writes a line each, tab-separated: path, line, column, severity,
// rule, message. The file as a whole is line 0.
func FindingsPlain(w io.Writer, c Checked) error {
	for _, f := range c.Findings {
		_, err := fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\n",
			Path(f.Shown), f.Place.Line, f.Place.Column, f.Severity, Line(f.Rule), Line(f.Message))
		if err != nil {
			return err
		}
	}
	return nil
}

// FindingsJSON writes all as one object.
func FindingsJSON(w io.Writer, c Checked) error {
	return JSON(w, append(object{{"schema", Schema}}, c.object(all(c.Findings, findingObject))...))
}

// FindingsJSONL writes an object a line: a "finding" each, and last a "summary".
func FindingsJSONL(w io.Writer, c Checked) error {
	for _, f := range c.Findings {
		if err := JSON(w, append(object{{"type", "finding"}}, findingObject(f)...)); err != nil {
			return err
		}
	}
	return JSON(w, append(object{{"schema", Schema}, {"type", "summary"}}, c.object(nil)...))
}

// object returns the counts of a check with its findings, nil for none.
func (c Checked) object(findings any) object {
	return object{
		{"files", c.Files},
		{"errors", c.Count(parse.Error)},
		{"warnings", c.Count(parse.Warning)},
		{"findings", findings},
		{"unread", each(c.Unread, troubleObject)},
	}
}

// findingObject returns a finding with how to fix it.
func findingObject(f Finding) object {
	rule, _ := parse.RuleOf(f.Rule)
	return object{
		{"path", always{f.Path}},
		{"id", f.ID},
		{"entry", nonzero(f.Entry)},
		{"format", always{f.Format}},
		{"severity", f.Severity.String()},
		{"rule", always{f.Rule}},
		{"line", nonzero(f.Place.Line)},
		{"column", nonzero(f.Place.Column)},
		{"end_line", nonzero(f.Place.EndLine)},
		{"end_column", nonzero(f.Place.EndColumn)},
		{"message", always{f.Message}},
		{"fix", parse.FixOf(f.Problem)},
		{"source", rule.Source},
	}
}
