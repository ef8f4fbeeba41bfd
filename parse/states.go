package parse

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/signs"
	"github.com/OWNER/handex/parse/internal/topic"
)

// The states a handoff is in are what its lines say now: work that was done,
// rules and history say nothing of them.
var stateSections = topic.SetOf(State, Next, Blockers, Questions, Human, Risks, Goal, Outcome, Other, Checks, Context,
	Advice)

// maxEvidence is how many lines are kept for a state.
const maxEvidence = 20

// states decides whether a document is blocked and whether it waits for a person, and keeps
// the lines that say so.
func (r *reader) states(d *Document, text []placedSection) {
	s := stateScan{doc: d}
	s.fields()
	s.line(r.lines.Line(d.Span.Start), r.heading)
	for i := range text {
		s.section(&text[i])
	}
	d.Blocked, d.BlockedBy = len(s.blocked) > 0, s.blocked
	d.Waiting, d.WaitsFor = len(s.waiting) > 0, s.waiting
}

// A stateScan collects the lines that say that a document is blocked, and those that say
// that it waits for a person.
type stateScan struct {
	doc              *Document
	blocked, waiting []Line
	reader           signs.Reader
}

// addLine returns lines with one more, unless one of that number is there or there are
// maxEvidence already.
func addLine(lines []Line, number int, text string) []Line {
	if len(lines) >= maxEvidence || slices.ContainsFunc(lines, func(l Line) bool {
		return l.Number == number && number > 0
	}) {
		return lines
	}
	return append(lines, Line{number, strings.TrimSpace(text)})
}

// fields collects the labelled values that say that the document is blocked or waits.
func (s *stateScan) fields() {
	for _, f := range s.doc.Fields {
		kind := Other
		if strings.HasPrefix(f.Key, "meta.") {
			kind = topic.Of(f.Label)
		}
		switch {
		case f.Key == "status" && f.Value == "blocked", kind == Blockers && !scan.IsNone(f.Value) && !signs.IsOver(f.Value):
			s.blocked = addLine(s.blocked, f.Span.Line, f.Label+": "+f.Value)
		case kind == Human && !scan.IsNone(f.Value) && !signs.IsOver(f.Value):
			s.waiting = addLine(s.waiting, f.Span.Line, f.Label+": "+f.Value)
		}
		if f.Key == "state" || strings.HasPrefix(f.Key, "meta.") {
			s.line(f.Span.Line, f.Label+": "+f.Value)
		}
	}
}

// section collects the lines of a section that say that the document is blocked or waits:
// all open ones under headings such as "Blockers" and "Owner actions" unless they say
// "none", elsewhere those with a sign.
func (s *stateScan) section(sec *placedSection) {
	if len(sec.Parts) > 0 {
		s.parts(sec)
	}
	switch {
	case sec.Kind == Blockers && len(sec.Parts) == 0 && !saysOver(sec.Heading) && !signs.IsOver(sec.Heading):
		s.blocked = s.openLines(s.blocked, sec)
	case sec.Kind == Human && !saysOver(sec.Heading):
		s.waiting = s.openLines(s.waiting, sec)
	}
	if !stateSections[sec.Kind] || topic.IsFinished(sec.Heading) {
		return
	}
	if strings.TrimSpace(sec.Body) == "" || scan.IsNone(sec.Body) {
		return
	}
	s.line(sec.Span.Line, sec.Heading)
	fences := scan.FencesOf(sec.Body)
	n, last := 0, 0
	for from := signs.Next(sec.Body, 0); from >= 0; from = signs.Next(sec.Body, scan.LineEnd(sec.Body, from)) {
		start := scan.LineStart(sec.Body, from)
		n += strings.Count(sec.Body[last:start], "\n")
		if last = start; !fences.Contains(start) {
			s.line(sec.line(n), sec.Body[start:scan.LineEnd(sec.Body, from)])
		}
	}
}

// parts collects the first line of each run of blockers inside a state section, unless it
// says "none".
func (s *stateScan) parts(sec *placedSection) {
	at := 0
	for _, p := range sec.Parts {
		if p.Kind == Blockers && !scan.SaysNone(p.Text) {
			s.blocked = addLine(s.blocked, sec.line(at), leadLine(p.Text))
		}
		at += strings.Count(p.Text, "\n")
	}
}

// openLines returns lines with those of a section that say what is open: the items that are
// not done or, if it has no items, its first line.
func (s *stateScan) openLines(lines []Line, sec *placedSection) []Line {
	if scan.IsNone(sec.Body) || isTemplate(sec.Body) || strings.TrimSpace(sec.Body) == "" {
		return lines
	}
	items := 0
	for n, line := range strings.Split(sec.Body, "\n") {
		text, ok := scan.ItemText(line)
		if !ok {
			continue
		}
		items++
		if it := topic.ReadItem(sec.Kind, text, 0); !it.IsTicked() && !scan.IsNone(text) && !signs.IsOver(text) {
			lines = addLine(lines, sec.line(n), line)
		}
	}
	if first := leadLine(sec.Body); items == 0 && !signs.IsOver(first) {
		blank := len(sec.Body) - len(strings.TrimLeft(sec.Body, " \t\n"))
		lines = addLine(lines, sec.line(strings.Count(sec.Body[:blank], "\n")), first)
	}
	return lines
}

// leadLine returns the first line of a text that is not blank.
func leadLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// saysOver reports whether a heading says that what is below it is done, or that there is
// nothing.
func saysOver(head string) bool {
	return strings.Contains(head, "無し") || strings.Contains(head, "なし") || topic.IsFinished(head)
}

// isTemplate reports whether a text is a placeholder that nobody filled in, such as {{...}},
// <...> or [...].
func isTemplate(text string) bool {
	t := strings.Trim(text, " \t\n-*_>")
	return strings.HasPrefix(t, "{{") || strings.HasPrefix(t, "<") && strings.HasSuffix(t, ">") ||
		strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") && !strings.Contains(t, "\n")
}

// line reads the signs in a line, and collects it if it says that the document is blocked or
// waits.
func (s *stateScan) line(number int, line string) {
	if signs.Next(line, 0) < 0 || len(s.blocked) >= maxEvidence && len(s.waiting) >= maxEvidence {
		return
	}
	blocked, waiting := s.reader.Read(line)
	if blocked {
		s.blocked = addLine(s.blocked, number, line)
	}
	if waiting {
		s.waiting = addLine(s.waiting, number, line)
	}
}
