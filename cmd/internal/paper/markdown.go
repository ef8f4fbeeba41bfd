package paper

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
)

// Markdown writes a report as CommonMark, for a pull request or a mail: each figure
// with its query, and nothing in it that a handoff's text could make a link, a
// mention, an image or HTML of.
func Markdown(w io.Writer, r *report.Report, o render.Options) error {
	o.Width, o.Color = 0, false
	if slices.Contains([]render.Dates{{}, render.DatesRelative, render.DatesISO}, o.Dates) {
		o.Dates = render.DatesShort // a mail is read on another day
	}
	m := &markdown{o: o}
	m.printf("# %s\n\n%s of %s", inert(r.Title), inert(said(r.Handoffs)), inert(said(r.Projects)))
	if r.Query != "" {
		m.printf(", %s", code(r.Query))
	}
	m.printf(".\n")
	for i := range r.Sections {
		m.section(&r.Sections[i])
	}
	for _, note := range closing(r) {
		m.printf("\n%s\n", inert(note))
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

type markdown struct {
	b strings.Builder
	o render.Options
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

func (m *markdown) section(s *report.Section) {
	m.printf("\n## %s\n", inert(s.Title))
	for i, n := range s.Numbers {
		if i == 0 {
			m.printf("\n")
		}
		m.printf("%s%s  \n", inert(said(n)), asked(n))
	}
	m.items(s)
	if s.Days != nil {
		m.days(s.Days)
	}
	if len(s.Flow) > 0 {
		m.printf("\n")
	}
	for _, e := range s.Flow {
		m.printf("- %s → %s: %d%s\n", inert(e.From), inert(e.To), e.Value, asked(e.Number))
	}
	if s.Table != nil {
		m.table(s.Table)
	}
	if s.Omitted > 0 {
		m.printf("\nand %s more\n", render.Thousands(s.Omitted))
	}
}

// asked is the query of a number behind it.
func asked(n report.Number) string {
	if n.Query == "" {
		return ""
	}
	return " (" + code(n.Query) + ")"
}

func (m *markdown) items(s *report.Section) {
	at, grouped := 0, len(s.Groups) > 0
	if !grouped && len(s.Items) > 0 {
		m.printf("\n")
	}
	for _, g := range s.Groups {
		n := g.Handoffs
		n.Label = "handoffs"
		m.printf("\n### %s\n\n%s%s\n\n", inert(g.Name), said(n), asked(n))
		for at < len(s.Items) && s.Items[at].Group == g.Name {
			m.item(&s.Items[at], false)
			at++
		}
		if g.Omitted > 0 {
			m.printf("- and %s more\n", render.Thousands(g.Omitted))
		}
	}
	for ; at < len(s.Items); at++ {
		m.item(&s.Items[at], true)
	}
}

// item writes an item: where, what, since when, which handoff.
func (m *markdown) item(it *report.Item, project bool) {
	m.printf("- ")
	if project && it.Project != "" {
		m.printf("**%s**: ", inert(it.Project))
	}
	text := it.Text
	if text == "" {
		text = "(no title)"
	}
	m.printf("%s (%s", inert(text), m.o.Date(it.When, it.Precision))
	if it.State != "" {
		m.printf(", %s", inert(it.State))
	}
	if it.Who != "" {
		m.printf(", %s", inert(it.Who))
	}
	m.printf(", %s)\n", code(it.ID))
	if it.Count == nil {
		return
	}
	since := ""
	if !it.Since.IsZero() {
		since = " since " + m.o.Date(it.Since, it.Precision)
	}
	m.printf("  - in %d handoffs%s%s\n", it.Count.Value, since, asked(*it.Count))
}

// days writes a table of days, or of projects where there are many days.
func (m *markdown) days(d *report.Days) {
	const few = 31
	if len(d.Days) <= few {
		m.printf("\n| day | handoffs |\n| --- | ---: |\n")
		for _, day := range d.Days {
			m.printf("| %s | %d |\n", day.When.Format("Mon "+time.DateOnly), day.Value)
		}
	}
	m.printf("\n| project | handoffs | by day |\n| --- | ---: | --- |\n")
	for _, r := range d.Rows {
		counts, most := squeezed(r.Counts, few)
		m.printf("| %s | %d%s | %s |\n", inert(r.Label), r.Value, pipes(asked(r.Number)), spark(counts, most))
	}
	if d.Omitted > 0 {
		m.printf("\nand %s more projects\n", render.Thousands(d.Omitted))
	}
}

func (m *markdown) table(t *report.Table) {
	m.printf("\n|")
	for _, c := range t.Columns {
		m.printf(" %s |", inert(c.Title))
	}
	m.printf("\n|")
	for _, c := range t.Columns {
		m.printf(" %s |", map[bool]string{true: "---:", false: "---"}[c.Right])
	}
	m.printf("\n")
	for _, row := range t.Rows {
		m.printf("|")
		for _, c := range row {
			text := inert(cell(&c, m.o))
			if c.Number != nil && c.Number.Value > 0 {
				text += pipes(asked(*c.Number))
			}
			m.printf(" %s |", text)
		}
		m.printf("\n")
	}
}

// pipes keeps the cells of a table apart: even in code a pipe ends one.
func pipes(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// inert is a line that means nothing but what it says. What stands between
// backticks stays code, which nothing is made of.
func inert(text string) string {
	parts := strings.Split(render.Line(text), "`")
	paired := len(parts)%2 == 1
	for i := 1; i < len(parts); i += 2 {
		paired = paired && strings.TrimSpace(parts[i]) != ""
	}
	if !paired {
		return escaped(render.Line(text))
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			b.WriteString(pipes("`" + part + "`"))
			continue
		}
		b.WriteString(escaped(part))
	}
	return b.String()
}

// escaped takes the meaning from a text: what could begin mark-up is escaped. Hosts
// make links, mentions and references of the bare text, too: in what they look for
// an empty character stands.
func escaped(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && strings.ContainsRune("#+-=>", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case (r == '.' || r == ')') && i > 0 && i < 10 && strings.Trim(text[:i], "0123456789") == "":
			b.WriteByte('\\') // a numbered list
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if r == '@' || r == '#' || r == ':' && strings.HasPrefix(text[i:], "://") || isHost(text, i) {
			b.WriteString(empty)
		}
	}
	return b.String()
}

// empty is a character without a shape, that parts what it stands in.
const empty = "&#8203;"

// isHost reports whether the w at i is the last before the dot of "www.".
func isHost(text string, i int) bool {
	return (text[i] == 'w' || text[i] == 'W') && i >= 2 && i+1 < len(text) && text[i+1] == '.' && strings.EqualFold(text[i-2:i+1], "www")
}

// code is a text as code: a fence longer than any in it.
func code(text string) string {
	text = render.Line(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
