package render

import (
	"io"
	"strconv"
	"strings"

	"handex/index"
	"handex/parse"
)

// Handoff writes a whole handoff: a card of its facts, its text by sections,
// and what is wrong with it.
func Handoff(w io.Writer, h *index.Handoff, o Options) error {
	if err := o.card(w, h); err != nil {
		return err
	}
	if err := o.body(w, h); err != nil {
		return err
	}
	return o.problems(w, h.Problems)
}

// HandoffText writes a handoff without the card: its text by sections, the files,
// links and work items it names, and what is wrong with it.
func HandoffText(w io.Writer, h *index.Handoff, o Options) error {
	if err := o.body(w, h); err != nil {
		return err
	}
	if len(h.Files)+len(h.Links)+len(h.WorkItems) > 0 {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	if err := o.facts(w, []fact{{"items", plainly(strings.Join(h.WorkItems, ", "))}, {"files", o.files(h.Files)}, {"links", o.links(h.Links)}}); err != nil {
		return err
	}
	return o.problems(w, h.Problems)
}

func (o Options) body(w io.Writer, h *index.Handoff) error {
	if err := o.text(w, h.Head); err != nil {
		return err
	}
	for _, s := range h.Sections {
		if err := o.section(w, s); err != nil {
			return err
		}
	}
	return nil
}

// fact is a line of a card. A fact without a value is left out.
type fact struct {
	name  string
	value []piece
}

func (o Options) card(w io.Writer, h *index.Handoff) error {
	if err := o.paint(w, []piece{{Title(h.Summary), bold}}); err != nil {
		return err
	}
	return o.facts(w, []fact{
		{"id", []piece{{h.ID, yellow}}},
		{"states", o.states(h.States)},
		{"project", []piece{{Line(h.Project), cyan}, {pathIn(h.Root), dim}}},
		{"format", plainly(h.Format)},
		{"date", []piece{{text: o.Date(h.Date, h.DatePrecision)}, paren(h.DateSource)}},
		{"status", plainly(h.Status)},
		{"session", plainly(h.Session)},
		{"from", plainly(h.From)},
		{"to", plainly(h.To)},
		{"branch", plainly(h.Branch)},
		{"items", plainly(strings.Join(h.WorkItems, ", "))},
		{"goal", o.goal(h)},
		{"path", []piece{{Path(h.Path), dim}}},
		{"version of", versionOf(h.Summary)},
		{"files", o.files(h.Files)},
		{"links", o.links(h.Links)},
	})
}

// versionOf tells what an earlier version is of, and the commit it was in.
func versionOf(h index.Summary) []piece {
	if h.VersionOf == "" {
		return nil
	}
	pieces := []piece{{Path(h.VersionOf), dim}}
	if h.Revision != "" {
		pieces = append(pieces, paren("git "+h.Revision))
	}
	return pieces
}

// goal is left out where a section says it in full.
func (o Options) goal(h *index.Handoff) []piece {
	for _, s := range h.Sections {
		if s.Kind == parse.Goal {
			return nil
		}
	}
	return plainly(h.Goal)
}

func (o Options) files(files []parse.File) []piece {
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSpace(f.Path+" "+f.Action))
	}
	return plainly(strings.Join(names, ", "))
}

func (o Options) links(links []parse.Link) []piece {
	var names []string
	for _, l := range links {
		names = append(names, l.Relation+" "+l.Target)
	}
	return plainly(strings.Join(names, ", "))
}

func plainly(text string) []piece {
	if text == "" {
		return nil
	}
	return []piece{{text: Line(text)}}
}

func pathIn(path string) string {
	if path == "" {
		return ""
	}
	return "  (" + Path(path) + ")"
}

func paren(text string) piece {
	if text == "" {
		return piece{}
	}
	return piece{"  (" + Line(text) + ")", dim}
}

func (o Options) facts(w io.Writer, facts []fact) error {
	room := 0
	for _, f := range facts {
		if width(f.value) > 0 {
			room = max(room, len(f.name))
		}
	}
	for _, f := range facts {
		if width(f.value) == 0 {
			continue
		}
		line := append(pad([]piece{{f.name, dim}}, room+gap), f.value...)
		if err := o.paint(w, line); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) section(w io.Writer, s parse.Section) error {
	heading := s.Heading
	if heading == "" {
		heading = string(s.Kind)
	}
	marks := strings.Repeat("#", max(s.Level, 2)) + " "
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := o.paint(w, []piece{{marks + Line(heading), bold}}); err != nil {
		return err
	}
	return o.text(w, s.Body)
}

// text writes a text as it is, but for blank lines at its ends, below a blank
// line.
func (o Options) text(w io.Writer, text string) error {
	text = Clean(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) == "" {
		return nil
	}
	_, err := io.WriteString(w, "\n"+o.alarmed(text)+"\n")
	return err
}

// alarmed marks the signal that a human must look.
func (o Options) alarmed(text string) string {
	if !o.Color {
		return text
	}
	return strings.ReplaceAll(text, parse.EscalationSignal, "\x1b["+string(alarm)+"m"+parse.EscalationSignal+"\x1b[0m")
}

func (o Options) problems(w io.Writer, problems []parse.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := o.paint(w, []piece{{"Problems", bold}}); err != nil {
		return err
	}
	for _, p := range problems {
		look := yellow
		if p.Severity == parse.Error {
			look = red
		}
		where := ""
		if p.Line > 0 {
			where = " line " + strconv.Itoa(p.Line)
		}
		line := []piece{{text: "  "}, {p.Severity.String(), look}, {text: where + ": " + Line(p.Message) + " "}, {"(" + Line(p.Rule) + ")", dim}}
		if err := o.paint(w, line); err != nil {
			return err
		}
	}
	return nil
}
