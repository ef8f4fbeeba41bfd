package render

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Evidence is what decided the date, the status, the sections and the states of a
// handoff.
type Evidence struct {
	Facts    []Fact   `json:"facts"`
	Sections []Reason `json:"sections"`
	States   []Fact   `json:"states"`
}

// Fact is a fact with its evidence: a reason, a line of the file, or both.
type Fact struct {
	Of    string `json:"of"`
	Value string `json:"value,omitempty"`
	By    string `json:"by,omitempty"` // where a date is from
	Why   string `json:"why,omitempty"`
	Line  int    `json:"line,omitempty"`
	Text  string `json:"text,omitempty"` // of the line
}

// Reason is a section with what decided its kind, as far as that is known.
type Reason struct {
	Line    int    `json:"line,omitempty"`
	Kind    string `json:"kind"`
	Heading string `json:"heading,omitempty"`
	Why     string `json:"why,omitempty"`
}

// EvidenceOf collects what decided the facts of a handoff; d is its file read again
// with parse.Source.Explain.
func EvidenceOf(h *index.Summary, d *parse.Document) *Evidence {
	w := &Evidence{Facts: []Fact{}, Sections: []Reason{}}
	date := Fact{Of: "date", Value: statedDate(h), By: h.DateSource}
	if h.DateSource == "field" {
		w.Facts = append(w.Facts, reasoned(d, date)...)
	} else {
		w.Facts = append(w.Facts, date)
	}
	if h.Status != "" {
		w.Facts = append(w.Facts, reasoned(d, Fact{Of: "status", Value: h.Status})...)
	}
	for _, r := range d.Reasons {
		if r.Of != "date" && r.Of != "status" {
			w.Facts = append(w.Facts, Fact{Of: r.Of, Value: r.Value, Why: r.Why, Line: r.Line})
		}
	}
	for _, s := range d.Sections {
		w.Sections = append(w.Sections, Reason{s.Span.Line, string(s.Kind), s.Heading, s.Why})
	}
	waitsFor := d.WaitsFor // a person; an escalation does too
	if len(waitsFor) == 0 {
		waitsFor = d.Escalations
	}
	for _, state := range []struct {
		name  string
		lines []parse.Line
	}{{"escalated", d.Escalations}, {"blocked", d.BlockedBy}, {"waiting", waitsFor}} {
		if slices.Contains(h.States, state.name) {
			w.States = append(w.States, shown(state.name, state.lines)...)
		}
	}
	w.States = append(w.States, standing(h))
	return w
}

// statedDate returns the date as machines get it: a day as a day, an instant in UTC.
func statedDate(h *index.Summary) string {
	o := Options{Dates: DatesISO, Zone: h.Date.Location()}
	if h.DatePrecision == "instant" || h.DatePrecision == "minute" {
		o.Zone = time.UTC
	}
	return o.Date(h.Date, h.DatePrecision)
}

// standing returns why a handoff is open or closed.
func standing(h *index.Summary) Fact {
	is := func(state string) bool { return slices.Contains(h.States, state) }
	switch {
	case is("open") && is("latest"):
		return Fact{Of: "open", Why: "it is the latest of its project and format"}
	case is("open"):
		return Fact{Of: "open", Why: "its status is " + h.Status + ", and no newer handoff is in its thread"}
	case h.Status == "completed" || h.Status == "sent":
		return Fact{Of: "closed", Why: "its status is " + h.Status}
	case is("acked"):
		return Fact{Of: "closed", Why: "it is acknowledged"}
	case h.VersionOf != "":
		return Fact{Of: "closed", Why: "its file was overwritten"}
	}
	return Fact{Of: "closed", Why: "a newer handoff follows it"}
}

// reasoned returns the fact once for each reason the parser gives, at least once.
func reasoned(d *parse.Document, fact Fact) []Fact {
	var list []Fact
	for _, r := range d.Reasons {
		if r.Of == fact.Of {
			fact.Why, fact.Line = r.Why, r.Line
			list = append(list, fact)
		}
	}
	if list == nil {
		return []Fact{fact}
	}
	return list
}

// shown returns a state once for each line that shows it, at least once.
func shown(state string, lines []parse.Line) []Fact {
	if len(lines) == 0 {
		return []Fact{{Of: state}}
	}
	return each(lines, func(l parse.Line) Fact {
		return Fact{Of: state, Line: l.Number, Text: strings.TrimSpace(l.Text)}
	})
}

// EvidenceText writes a line for each fact, section and state.
func EvidenceText(w io.Writer, e *Evidence, o Options) error {
	p := &printer{Options: o, w: w}
	for _, f := range e.Facts {
		p.line(f.pieces()...)
	}
	if len(e.Sections) > 0 {
		p.table([]string{"line>", "kind", "heading", "why"}, each(e.Sections, func(s Reason) []string {
			return []string{strings.TrimPrefix(strconv.Itoa(s.Line), "0"), s.Kind, quotedLine(s.Heading), s.Why}
		}))
	}
	for _, f := range e.States {
		p.line(f.pieces()...)
	}
	return p.err
}

// pieces returns the line of a fact: date 2026-02-09 by field: line 3 "date:
// 2026-02-09".
func (f Fact) pieces() []Span {
	head := Line(f.Of)
	if f.Value != "" {
		head += " " + Line(f.Value)
	}
	if f.By != "" {
		head += " by " + Line(f.By)
	}
	var reasons []string
	if f.Why != "" {
		reasons = append(reasons, Line(f.Why))
	}
	if f.Line > 0 {
		reasons = append(reasons, strings.TrimSpace("line "+strconv.Itoa(f.Line)+" "+quotedLine(f.Text)))
	}
	if len(reasons) > 0 {
		head += ": "
	}
	return []Span{{head, Bold}, {Text: strings.Join(reasons, ", ")}}
}

// quotedLine returns a text as one line between quotes, "" if it is empty.
func quotedLine(text string) string {
	if text = Line(text); text == "" {
		return ""
	}
	return `"` + text + `"`
}
