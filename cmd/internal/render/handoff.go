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

// Handoff writes a whole handoff: a card of its facts, its text by sections,
// and what is wrong with it.
func Handoff(w io.Writer, h *index.Handoff, o Options) error {
	p := &printer{Options: o, w: w}
	p.card(h)
	p.body(h)
	p.problems(h.Problems)
	return p.err
}

// HandoffText writes a handoff without the card: what it says in a line each, its text by
// sections, the files, links and work items it names, and what is wrong with it.
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

func (p *printer) body(h *index.Handoff) {
	p.text(Head(h))
	for _, s := range h.Sections {
		p.section(s)
	}
}

// Head returns the text before the first section. Of YAML and JSON it leaves out the keys
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

// fact is a line of a card. A fact without a value is left out.
type fact struct {
	name  string
	value []Span
}

// card writes the title and the facts that are known.
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

// besideStatus returns the states of a handoff, on a terminal but for the one that is its
// status and is written as that.
func (p *printer) besideStatus(h *index.Handoff) []string {
	if p.Width == 0 {
		return h.States
	}
	return slices.DeleteFunc(slices.Clone(h.States), func(s string) bool { return s == h.Status && s != "blocked" })
}

// statements returns the goal and what else formats say in a line instead of a section.
func statements(h *index.Handoff) []fact {
	return []fact{
		{"goal", goal(h)},
		{"now", plainly(lineOf(h, parse.State))},
		{"hypothesis", plainly(lineOf(h, "hypothesis"))},
		{"outcome", plainly(lineOf(h, "outcome"))},
	}
}

// lineOf returns what a handoff says in a line of a kind, "" if it says nothing.
func lineOf(h *index.Handoff, kind parse.Kind) string {
	if i := slices.IndexFunc(h.Lines, func(f parse.Field) bool { return f.Key == string(kind) }); i >= 0 {
		return h.Lines[i].Value
	}
	return ""
}

// versionOf returns what an earlier version is of, and the commit it was in.
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

// goal returns the goal, or "" where a section says it in full.
func goal(h *index.Handoff) []Span {
	if slices.ContainsFunc(h.Sections, func(s parse.Section) bool { return s.Kind == parse.Goal }) {
		return nil
	}
	return plainly(h.Goal)
}

// files returns the files that a handoff names, with what was done to each.
func files(files []parse.File) []Span {
	names := Each(files, func(f parse.File) string { return strings.TrimSpace(f.Path + " " + f.Action) })
	return plainly(strings.Join(names, ", "))
}

// links returns the handoffs that a handoff names, with how it is related to them.
func links(links []parse.Link) []Span {
	names := Each(links, func(l parse.Link) string { return l.Relation + " " + l.Target })
	return plainly(strings.Join(names, ", "))
}

// plainly returns a text as the value of a fact.
func plainly(text string) []Span {
	if text == "" {
		return nil
	}
	return []Span{{Text: Line(text)}}
}

// pathIn returns a folder as a remark.
func pathIn(path string) string {
	if path == "" {
		return ""
	}
	return "  (" + Path(path) + ")"
}

// paren returns a remark behind a value.
func paren(text string) Span {
	if text == "" {
		return Span{}
	}
	return Span{"  (" + Line(text) + ")", Dim}
}

// section writes a heading and the text below it.
func (p *printer) section(s parse.Section) {
	heading := cmp.Or(s.Heading, string(s.Kind))
	p.print("\n")
	p.line(Span{p.heading(strings.Repeat("#", max(s.Level, 2)) + " " + Line(heading)), Bold})
	p.text(s.Body)
}

// text writes a text below a blank line: on a terminal as Markdown, elsewhere as it is, but
// for blank lines at its ends. The signal that a human must look is marked.
func (p *printer) text(text string) {
	text = Clean(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) != "" && p.Width > 0 {
		p.print("\n")
		p.markdown(text)
	} else if strings.TrimSpace(text) != "" {
		p.print("\n" + strings.ReplaceAll(text, parse.EscalationSignal, p.colored(parse.EscalationSignal, Alarm)) + "\n")
	}
}

// problems writes a line for each rule that is broken.
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

// severityStyle returns how a problem looks.
func severityStyle(s parse.Severity) Look {
	if s == parse.Error {
		return Red
	}
	return Yellow
}

// Sections returns the parts of a handoff about name: a kind, or a heading as
// it is written or in lower case with dashes. Where a section's lines are of
// several kinds, it is cut to those asked for.
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

// partsOf returns the text of a section that is of one kind.
func partsOf(s parse.Section, kind parse.Kind) string {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Kind == kind {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// SectionNames lists what Sections finds in a handoff, each once.
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

// SectionText writes the text of sections without their headings, a blank line between
// them. A terminal gets it as Markdown.
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

// IsKind reports whether sections can be about name.
func IsKind(name string) bool { return slices.Contains(kinds, parse.Kind(strings.ToLower(name))) }
