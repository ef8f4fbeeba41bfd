package render

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Handoff writes a whole handoff for people: a card of its facts, its text by sections, and
// its problems.
func Handoff(w io.Writer, h *index.Handoff, o Options) error {
	p := &printer{Options: o, w: w}
	p.card(h)
	p.body(h)
	p.problems(h.Problems)
	return p.err
}

// HandoffText writes a handoff without the card: its statements of one line, its text by
// sections, the files, links and work items it names, and its problems.
func HandoffText(w io.Writer, h *index.Handoff, o Options) error {
	p := &printer{Options: o, w: w}
	p.facts(statements(h)...)
	p.body(h)
	if len(h.Files)+len(h.Links)+len(h.WorkItems) > 0 {
		p.print("\n")
	}
	p.facts(fact{"items", plainly(strings.Join(h.WorkItems, ", "))}, fact{"files", files(h.Files)},
		fact{"links", links(h.Links)})
	p.problems(h.Problems)
	return p.err
}

// body writes the text of a handoff: the text before the first section, and each section.
func (p *printer) body(h *index.Handoff) {
	p.text(Head(h))
	for _, s := range h.Sections {
		p.section(s)
	}
}

// Head returns the text before the first section. For YAML and JSON it leaves out keys
// without a value: they are empty, or their value is a fact or a section.
func Head(h *index.Handoff) string {
	ext := filepath.Ext(cmp.Or(h.VersionOf, h.Path))
	if !slices.Contains([]string{".yaml", ".yml", ".json"}, ext) {
		return h.Head
	}
	var kept []string
	lines := strings.Split(h.Head, "\n")
	for i, line := range lines {
		hasMore := i+1 < len(lines) && strings.TrimLeft(lines[i+1], " \t-") != lines[i+1]
		if hasMore || !strings.HasSuffix(strings.TrimSpace(line), ":") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// fact is a line of a card: a name and a value. A fact without a value is not written.
type fact struct {
	name  string
	value []Span
}

// card writes the title of a handoff and the facts that are known about it.
func (p *printer) card(h *index.Handoff) {
	p.line(Span{Title(h.Summary), Bold})
	p.facts(slices.Concat([]fact{
		{"id", []Span{{h.ID, Yellow}}},
		{"states", p.states(p.besideStatus(h))},
		{"project", []Span{{Line(h.Project), Cyan}, {pathIn(h.Root), Dim}}},
		{"member", plainly(h.Member)},
		{"format", plainly(h.Format)},
		{"date", []Span{{Text: p.Date(h.Date, h.DatePrecision)}, paren(h.DateSource)}},
		{"status", plainly(h.Status)},
		{"session", plainly(h.Session)},
		{"from", plainly(h.From)},
		{"to", plainly(h.To)},
		{"branch", plainly(h.Branch)},
		{"items", plainly(strings.Join(h.WorkItems, ", "))},
	}, statements(h), []fact{
		{"path", []Span{{Path(h.Path), Dim}}},
		{"version of", versionOf(h.Summary)},
		{"files", files(h.Files)},
		{"links", links(h.Links)},
	})...)
}

// besideStatus returns the states to show beside the status of a handoff. On a terminal, it
// leaves out the state that repeats the status.
func (p *printer) besideStatus(h *index.Handoff) []string {
	if p.Width == 0 {
		return h.States
	}
	return slices.DeleteFunc(slices.Clone(h.States), func(s string) bool { return s == h.Status && s != "blocked" })
}

// statements returns the facts that a format states in one line instead of a section: goal,
// now, hypothesis, outcome.
func statements(h *index.Handoff) []fact {
	return []fact{
		{"goal", goal(h)},
		{"now", plainly(lineOf(h, parse.State))},
		{"hypothesis", plainly(lineOf(h, "hypothesis"))},
		{"outcome", plainly(lineOf(h, "outcome"))},
	}
}

// lineOf returns the statement of one line that a handoff makes of a kind, "" if it has
// none.
func lineOf(h *index.Handoff, kind parse.Kind) string {
	if i := slices.IndexFunc(h.Lines, func(f parse.Field) bool { return f.Key == string(kind) }); i >= 0 {
		return h.Lines[i].Value
	}
	return ""
}

// versionOf returns the path of the file that an earlier version belongs to, with its git
// commit if it has one; nil if the handoff is not an earlier version.
func versionOf(h index.Summary) []Span {
	if h.VersionOf == "" {
		return nil
	}
	pieces := []Span{{Path(h.VersionOf), Dim}}
	if h.Revision != "" {
		pieces = append(pieces, paren("git "+h.Revision))
	}
	return pieces
}

// goal returns the goal as the value of a fact, or nil if a section states it in full.
func goal(h *index.Handoff) []Span {
	if slices.ContainsFunc(h.Sections, func(s parse.Section) bool { return s.Kind == parse.Goal }) {
		return nil
	}
	return plainly(h.Goal)
}

// files returns the files that a handoff names, each with the action on it, as the value of
// a fact.
func files(files []parse.File) []Span {
	names := Each(files, func(f parse.File) string { return strings.TrimSpace(f.Path + " " + f.Action) })
	return plainly(strings.Join(names, ", "))
}

// links returns the links of a handoff to others, each as relation and target, as the value
// of a fact.
func links(links []parse.Link) []Span {
	names := Each(links, func(l parse.Link) string { return l.Relation + " " + l.Target })
	return plainly(strings.Join(names, ", "))
}

// plainly returns a text as the value of a fact, in one line without a look; nil if it is
// empty.
func plainly(text string) []Span {
	if text == "" {
		return nil
	}
	return []Span{{Text: Line(text)}}
}

// pathIn returns a path in parentheses, to be written behind a value; "" if it is empty.
func pathIn(path string) string {
	if path == "" {
		return ""
	}
	return "  (" + Path(path) + ")"
}

// paren returns a text in parentheses, dimmed, to be written behind a value.
func paren(text string) Span {
	if text == "" {
		return Span{}
	}
	return Span{"  (" + Line(text) + ")", Dim}
}

// section writes the heading of a section and the text below it.
func (p *printer) section(s parse.Section) {
	heading := cmp.Or(s.Heading, string(s.Kind))
	p.print("\n")
	p.line(Span{p.heading(strings.Repeat("#", max(s.Level, 2)) + " " + Line(heading)), Bold})
	p.text(s.Body)
}

// text writes a text below a blank line: on a terminal as Markdown, elsewhere unchanged
// except for blank lines at its ends. The signal that a human must look is highlighted.
func (p *printer) text(text string) {
	text = Clean(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) != "" && p.Width > 0 {
		p.print("\n")
		p.markdown(text)
	} else if strings.TrimSpace(text) != "" {
		p.print("\n" + strings.ReplaceAll(text, parse.EscalationSignal, p.colored(parse.EscalationSignal, Alarm)) + "\n")
	}
}

// problems writes a line for each problem of a handoff, below a heading.
func (p *printer) problems(problems []parse.Problem) {
	if len(problems) == 0 {
		return
	}
	p.print("\n")
	p.line(Span{"Problems", Bold})
	for _, problem := range problems {
		where := ""
		if problem.Line > 0 {
			where = " line " + strconv.Itoa(problem.Line)
		}
		p.line(
			Span{Text: "  "}, Span{problem.Severity.String(), severityStyle(problem.Severity)},
			Span{Text: where + ": " + Line(problem.Message) + " "}, Span{"(" + Line(problem.Rule) + ")", Dim},
		)
	}
}

// severityStyle returns the look of a severity: red for errors, else yellow.
func severityStyle(s parse.Severity) Look {
	if s == parse.Error {
		return Red
	}
	return Yellow
}

// Sections returns the sections of a handoff with a name. The name is a kind, or a heading,
// as it is written or in lower case with dashes. A section with lines of several kinds is
// cut to the lines of the kind asked for.
func Sections(h *index.Handoff, name string) []parse.Section {
	var found []parse.Section
	slug := strings.ToLower(name)
	for _, s := range h.Sections {
		if string(s.Kind) == slug || s.Slug == slug || strings.EqualFold(s.Heading, name) {
			found = append(found, s)
			continue
		}
		if text := partsOf(s, parse.Kind(slug)); text != "" {
			s.Kind, s.Body, s.Parts = parse.Kind(slug), text, nil
			found = append(found, s)
		}
	}
	return found
}

// partsOf returns the parts of a section that are of one kind, joined as one text.
func partsOf(s parse.Section, kind parse.Kind) string {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Kind == kind {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// SectionNames returns the names with which Sections finds the sections of a handoff, each
// once.
func SectionNames(h *index.Handoff) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range h.Sections {
		if s.Kind == parse.Other {
			add(s.Slug)
			continue
		}
		add(string(s.Kind))
		for _, p := range s.Parts {
			add(string(p.Kind))
		}
	}
	return names
}

// SectionText writes the text of sections without their headings, separated by blank lines.
// A terminal gets it as Markdown.
func SectionText(w io.Writer, sections []parse.Section, o Options) error {
	p := &printer{Options: o, w: w}
	for i, s := range sections {
		if i > 0 {
			p.print("\n")
		}
		if text := Clean(strings.Trim(s.Body, "\n")); o.Width > 0 {
			p.markdown(text)
		} else {
			p.print(text + "\n")
		}
	}
	return p.err
}

// IsKind reports whether name, in any case, is a kind of sections.
func IsKind(name string) bool { return slices.Contains(kinds, parse.Kind(strings.ToLower(name))) }
