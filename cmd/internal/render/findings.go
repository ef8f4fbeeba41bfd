package render

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Finding is a rule that a handoff breaks, and the place where it does.
type Finding struct {
	Path   string // absolute
	Shown  string // Path as people and programs of CI know it
	ID     string // of the handoff, "" where no index was asked
	Entry  int    // which of the file's handoffs it is, from 0
	Format string
	parse.Problem
	Place parse.Excerpt // zero for the file as a whole
}

// Checked is the result of checking files. Unread are the files that could not be read.
type Checked struct {
	Files    int
	Findings []Finding
	Unread   []index.Trouble
	Program  string // the version of handex
}

// Count returns how many findings have the given severity.
func (c Checked) Count(s parse.Severity) int {
	n := 0
	for _, f := range c.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Summary returns the numbers of files, errors, warnings and unread files in one line.
func (c Checked) Summary() string {
	text := fmt.Sprintf("%s, %s, %s", Several(c.Files, "file"), Several(c.Count(parse.Error), "error"),
		Several(c.Count(parse.Warning), "warning"))
	if n := len(c.Unread); n > 0 {
		text += fmt.Sprintf("; %d could not be read", n)
	}
	return text
}

// Several returns a number with a noun, such as "1 file" or "2 files". what is the singular
// of a noun whose plural ends in s.
func Several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Thousands returns a number with a comma before each three digits, such as "1,234,567".
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Findings writes the findings for people: the place, what is wrong, the line with a mark
// under the place, and how to fix it.
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

// finding writes one finding: its place and message, the line with a mark, and the fix.
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

// Widths in an excerpt, in cells.
const (
	// tabWidth is the width of a tab.
	tabWidth = 4
	// excerptWidth is the width of an excerpt that is not written to a terminal.
	excerptWidth = 120
)

// excerpt returns two lines: the line of the file at a place, cut to the width, and marks
// below the place. It returns nil if the place is the whole file or its line is blank.
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

// oneLine returns a part of a line of a file, made safe to print, with spaces for each tab.
func oneLine(text string) string {
	return Path(strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth)))
}

// FindingsPlain writes a line for each finding, tab-separated: path, line, column,
// severity, rule, message. The line is 0 if the finding is about the file as a whole.
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

// FindingsJSON writes the result of a check as one JSON object.
func FindingsJSON(w io.Writer, c Checked) error {
	return JSON(w, append(object{{"schema", Schema}}, c.object(all(c.Findings, findingObject))...))
}

// FindingsJSONL writes one JSON object per line: each finding with type "finding", and last
// the counts with type "summary".
func FindingsJSONL(w io.Writer, c Checked) error {
	for _, f := range c.Findings {
		if err := JSON(w, append(object{{"type", "finding"}}, findingObject(f)...)); err != nil {
			return err
		}
	}
	return JSON(w, append(object{{"schema", Schema}, {"type", "summary"}}, c.object(nil)...))
}

// object returns the counts and the unread files of a check as a JSON object, with the
// given value as its findings; nil leaves them out.
func (c Checked) object(findings any) object {
	return object{
		{"files", c.Files},
		{"errors", c.Count(parse.Error)},
		{"warnings", c.Count(parse.Warning)},
		{"findings", findings},
		{"unread", Each(c.Unread, troubleObject)},
	}
}

// findingObject returns a finding as a JSON object, with how to fix it.
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

// The escapes of GitHub's workflow commands: a command ends with its line, a
// property at a comma or colon.
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// FindingsGitHub writes the findings as workflow commands, which GitHub shows
// beside the lines of a change. Files that could not be read are errors.
func FindingsGitHub(w io.Writer, c Checked) error {
	var b strings.Builder
	for _, f := range c.Findings {
		place := f.Place
		if place.EndLine != place.Line {
			place.EndColumn = 0 // it counts on the last line
		}
		text := f.Message
		if fix := parse.FixOf(f.Problem); fix != "" {
			text += ". " + fix
		}
		b.WriteString(command(f.Severity.String(), f.Shown, f.Rule, text, place))
	}
	for _, t := range c.Unread {
		b.WriteString(command("error", t.Path, "unread", "could not be read: "+t.Reason, parse.Excerpt{}))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command returns one workflow command of GitHub, with its newline.
func command(name, file, title, text string, p parse.Excerpt) string {
	properties := []string{"file=" + commandProperty.Replace(clean(filepath.ToSlash(file), "\r\n"))}
	for _, n := range []struct {
		name  string
		value int
	}{{"line", p.Line}, {"endLine", p.EndLine}, {"col", p.Column}, {"endColumn", p.EndColumn}} {
		if n.value > 0 {
			properties = append(properties, n.name+"="+strconv.Itoa(n.value))
		}
	}
	properties = append(properties, "title="+commandProperty.Replace(Line(title)))
	return "::" + name + " " + strings.Join(properties, ",") + "::" + commandText.Replace(Line(text)) + "\n"
}

// FindingsSARIF writes the findings as a SARIF 2.1.0 log, for services that collect the
// results of checkers. Files that could not be read are notifications.
func FindingsSARIF(w io.Writer, c Checked) error {
	at := map[string]int{}
	for i, r := range parse.Rules() {
		at[r.ID] = i
	}
	driver := object{{"name", "handex"}, {"version", c.Program}, {"rules", all(parse.Rules(), func(r parse.Rule) object {
		return object{
			{"id", r.ID},
			{"shortDescription", sarifText(r.About)},
			{"help", sarifText(r.Fix)},
			{"defaultConfiguration", object{{"level", r.Severity.String()}}},
			{"properties", object{{"source", always{r.Source}}}},
		}
	})}}
	results := all(c.Findings, func(f Finding) object {
		var rule any
		if i, ok := at[f.Rule]; ok {
			rule = i
		}
		return object{
			{"ruleId", f.Rule},
			{"ruleIndex", rule},
			{"level", f.Severity.String()},
			{"message", sarifText(f.Message)},
			{"locations", sarifLocations(f.Shown, f.Place)},
		}
	})
	var notices []object
	for _, t := range c.Unread {
		notices = append(notices, object{
			{"level", "error"},
			{"message", sarifText("could not be read: " + t.Reason)},
			{"locations", sarifLocations(t.Path, parse.Excerpt{})},
		})
	}
	run := object{
		{"tool", object{{"driver", driver}}},
		{"columnKind", "unicodeCodePoints"},
		{"results", results},
		{"invocations", []object{{{"executionSuccessful", len(c.Unread) == 0}, {"toolExecutionNotifications", notices}}}},
	}
	return JSON(w, object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
		{"version", "2.1.0"},
		{"runs", []object{run}},
	})
}

// sarifText returns a message of SARIF with the given text.
func sarifText(text string) object { return object{{"text", always{text}}} }

// sarifLocations returns the list of locations of SARIF for one place in a file, or for the
// whole file if the place has no line.
func sarifLocations(path string, p parse.Excerpt) []object {
	var region object
	if p.Line > 0 {
		region = object{{"startLine", p.Line}, {"startColumn", p.Column}, {"endLine", p.EndLine}, {"endColumn", p.EndColumn}}
	}
	return []object{{{"physicalLocation", object{
		{"artifactLocation", object{{"uri", always{URI(path)}}}},
		{"region", region},
	}}}}
}

// URI returns a path as a URI: a relative reference for a relative path, else a file URI.
func URI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		if u.Path[0] != '/' { // a drive
			u.Path = "/" + u.Path
		}
		u.Scheme = "file"
	}
	return u.String()
}
