package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// Explanation shows how a query is understood and run, for handex explain.
type Explanation struct {
	Schema       int       `json:"schema"`
	Query        queryInfo `json:"query"`
	Tree         string    `json:"tree"`
	Leaves       []leaf    `json:"leaves,omitempty"`
	SQL          string    `json:"sql,omitempty"`
	Args         []any     `json:"args,omitempty"`
	Steps        []Step    `json:"steps,omitempty"`
	Hits         int       `json:"hits"`
	Milliseconds int64     `json:"milliseconds"`
}

// Step is one condition of a query, measured alone: how many handoffs meet it, and how long
// it took to count them.
type Step struct {
	Source       string `json:"source"`
	Rows         int    `json:"rows"`
	Microseconds int64  `json:"microseconds"`
}

// leaf is one text that a query searches for, with how the index is asked for it.
type leaf struct {
	Source string   `json:"source"`
	Forms  []string `json:"forms,omitempty"`
	Match  string   `json:"match,omitempty"`
	Marks  string   `json:"marks,omitempty"`
	Check  string   `json:"check,omitempty"`
}

// Explain returns the explanation of a query and its plan, without measurements.
func Explain(q *query.Query, p *query.Plan) Explanation {
	notes := append(append([]string{}, q.Notes...), p.Notes...)
	return Explanation{
		Schema: Schema, Query: queryInfo{q.Text, q.Source(), notes}, Tree: q.Canonical(),
		Leaves: Each(p.Leaves, func(l query.Leaf) leaf { return leaf{l.Source, l.Forms, l.Match, l.Marks, l.Check} }),
	}
}

// Explained writes an explanation as lines of a name and a value.
func Explained(w io.Writer, e Explanation, o Options) error {
	facts := []fact{{"query", plainly(e.Query.Canonical)}, {"tree", plainly(e.Tree)}}
	facts = append(facts, Each(e.Query.Notes, func(note string) fact { return fact{"note", plainly(note)} })...)
	facts = append(facts, Each(e.Leaves, func(l leaf) fact {
		return fact{"text", []Span{{Text: Line(l.Source)}, {"  " + Line(l.describe()), Dim}}}
	})...)
	if e.SQL != "" {
		facts = append(facts, fact{"sql", plainly(e.SQL)}, fact{"args", plainly(argsText(e.Args))})
	}
	for _, s := range e.Steps {
		facts = append(facts, fact{"step", []Span{
			{Text: Line(s.Source) + "  " + strconv.Itoa(s.Rows)},
			paren(milliseconds(s.Microseconds)),
		}})
	}
	facts = append(facts, fact{"hits", []Span{{Text: strconv.Itoa(e.Hits)}, paren(fmt.Sprintf("%d ms", e.Milliseconds))}})
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	return p.err
}

// milliseconds returns a number of microseconds as milliseconds with one decimal: "1.5 ms".
func milliseconds(micro int64) string {
	return strconv.FormatFloat(float64(micro)/1000, 'f', 1, 64) + " ms"
}

// describe returns how a leaf is searched for: the expression for the index or "reads all
// texts", and how results are checked.
func (l leaf) describe() string {
	const most = 400 // bytes of an expression, which may name thousands of words
	text := "reads all texts"
	if match := cmp.Or(l.Match, l.Marks); len(match) > most {
		text = "index " + strings.ToValidUTF8(match[:most], "") + "…"
	} else if match != "" {
		text = "index " + match
	}
	if l.Check != "" {
		text += "; checked " + l.Check
	}
	return text
}

// argsText returns the arguments of a SQL statement as one text; strings are quoted.
func argsText(args []any) string {
	list := make([]string, len(args))
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			list[i] = strconv.Quote(text)
		} else {
			list[i] = fmt.Sprint(arg)
		}
	}
	return "[" + strings.Join(list, " ") + "]"
}

// Verdict says whether a file is indexed, and why.
type Verdict struct {
	Path     string  `json:"path"`
	Exists   bool    `json:"exists"`
	Folder   bool    `json:"folder,omitempty"`  // Indexed is whether it is searched
	Indexed  bool    `json:"indexed"`           // or would be, if it existed
	Root     string  `json:"root,omitempty"`    // the folder that contains it
	Rule     string  `json:"rule"`              // what decided
	Skipped  string  `json:"skipped,omitempty"` // why it is not, though its path says so
	Handoffs []Found `json:"handoffs,omitempty"`
}

// Found is a handoff that was read from a file.
type Found struct {
	ID       string   `json:"id"`
	Format   string   `json:"format"`
	Project  string   `json:"project"`
	Problems []object `json:"problems,omitempty"`

	problems []parse.Problem
}

// FoundIn returns the part of a verdict that is about one handoff of the file.
func FoundIn(h *index.Handoff) Found {
	return Found{h.ID, h.Format, h.Project, Each(h.Problems, problemObject), h.Problems}
}

// pathly returns a path as the value of a fact, nil if it is empty.
func pathly(path string) []Span {
	if path == "" {
		return nil
	}
	return []Span{{Text: Path(path)}}
}

// Why writes a verdict: whether the file is indexed, the rule that decided it, and the
// handoffs that were read from the file with their problems.
func Why(w io.Writer, v Verdict, o Options) error {
	indexed := "no"
	switch {
	case v.Indexed && v.Exists:
		indexed = "yes"
	case v.Indexed:
		indexed = "it would be, but there is no such file"
	case !v.Exists:
		indexed = "no, and there is no such file"
	}
	what := "indexed"
	if v.Folder {
		what = "searched"
	}
	facts := []fact{
		{"path", pathly(v.Path)},
		{what, []Span{{indexed, Bold}}},
		{"because", plainly(v.Rule)},
		{"but", plainly(v.Skipped)},
		{"root", pathly(v.Root)},
	}
	for _, h := range v.Handoffs {
		facts = append(facts,
			fact{"handoff", []Span{{h.ID, Yellow}, {Text: "  as " + Line(h.Format) + " of " + Line(h.Project)}}})
	}
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	for _, h := range v.Handoffs {
		p.problems(h.problems)
	}
	return p.err
}

// Evidence is why a handoff has its date, its status, its states and the kinds of its
// sections.
type Evidence struct {
	Facts    []Fact   `json:"facts"`
	Sections []Reason `json:"sections"`
	States   []Fact   `json:"states"`
}

// Fact is a fact about a handoff with its evidence: a reason, a line of the file, or both.
type Fact struct {
	Of    string `json:"of"`
	Value string `json:"value,omitempty"`
	By    string `json:"by,omitempty"` // where a date is from
	Why   string `json:"why,omitempty"`
	Line  int    `json:"line,omitempty"`
	Text  string `json:"text,omitempty"` // of the line
}

// Reason is a section and why it has its kind, if that is known.
type Reason struct {
	Line    int    `json:"line,omitempty"`
	Kind    string `json:"kind"`
	Heading string `json:"heading,omitempty"`
	Why     string `json:"why,omitempty"`
}

// EvidenceOf returns the evidence for the facts of a handoff. d is the document of its
// file, read again with parse.Source.Explain.
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

// statedDate returns the date of a handoff in its precision, in the form for programs: a
// day as a day, an instant in UTC.
func statedDate(h *index.Summary) string {
	o := Options{Dates: DatesISO, Zone: h.Date.Location()}
	if h.DatePrecision == "instant" || h.DatePrecision == "minute" {
		o.Zone = time.UTC
	}
	return o.Date(h.Date, h.DatePrecision)
}

// standing returns a fact that says whether a handoff is open or closed, and why.
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

// reasoned returns a copy of the fact for each reason that the parser gives for it, or the
// fact alone if there is none.
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

// shown returns a fact for each line that shows a state of the handoff, or the state alone
// if there are no lines.
func shown(state string, lines []parse.Line) []Fact {
	if len(lines) == 0 {
		return []Fact{{Of: state}}
	}
	return Each(lines, func(l parse.Line) Fact {
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
		p.table([]string{"line>", "kind", "heading", "why"}, Each(e.Sections, func(s Reason) []string {
			return []string{strings.TrimPrefix(strconv.Itoa(s.Line), "0"), s.Kind, quotedLine(s.Heading), s.Why}
		}))
	}
	for _, f := range e.States {
		p.line(f.pieces()...)
	}
	return p.err
}

// pieces returns the line that shows a fact: date 2026-02-09 by field: line 3 "date:
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
