package parse_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/OWNER/handex/parse"
)

// A view is a document as fixtures write it down. What stands in a line is one
// string that begins with the line's number.
type view struct {
	Format      string        `json:"format"`
	Shape       string        `json:"shape"`
	Key         string        `json:"key,omitempty"`
	Title       string        `json:"title,omitempty"`
	Date        string        `json:"date"`           // "time precision source"
	Sort        string        `json:"sort,omitempty"` // where it is not the date
	Head        string        `json:"head,omitempty"`
	Fields      []string      `json:"fields,omitempty"`   // "line key=value"
	Sections    []sectionView `json:"sections,omitempty"` //
	Items       []string      `json:"items,omitempty"`    // "line kind: text | marks"
	Files       []string      `json:"files,omitempty"`    // "line action path"
	WorkItems   []string      `json:"workItems,omitempty"`
	Approaches  []string      `json:"approaches,omitempty"`  // "line outcome: text"
	Links       []string      `json:"links,omitempty"`       // "line relation target"
	Escalations []string      `json:"escalations,omitempty"` // "line text"
	Blocked     bool          `json:"blocked,omitempty"`
	Waiting     bool          `json:"waiting,omitempty"`
	Legacy      bool          `json:"legacy,omitempty"`
	Processed   *bool         `json:"processed,omitempty"`
	Problems    []string      `json:"problems,omitempty"` // "severity rule line: message"
	Lines       string        `json:"lines,omitempty"`    // of an entry: "first-last"
}

// A sectionView's body is without the blanks around it; parts are "kind: text".
type sectionView struct {
	Is    string   `json:"is"` // "first-last level kind: heading"
	From  int      `json:"from,omitempty"`
	Body  string   `json:"body,omitempty"`
	Parts []string `json:"parts,omitempty"`
}

func viewAll(docs []*parse.Document) []view {
	var out []view
	for _, d := range docs {
		v := viewOf(d)
		if len(docs) > 1 {
			v.Lines = fmt.Sprintf("%d-%d", d.Span.Line, d.Span.EndLine)
		}
		out = append(out, v)
	}
	return out
}

func viewOf(d *parse.Document) view {
	v := view{
		Format: d.Format, Shape: string(d.Shape), Key: d.Key, Title: d.Title, Head: trimLines(d.Head),
		WorkItems: d.WorkItems, Blocked: d.Blocked, Waiting: d.Waiting, Legacy: d.Legacy, Processed: d.Processed,
		Date: fmt.Sprintf("%s %s %s", d.Date.Time.Format(time.RFC3339Nano), d.Date.Precision, d.Date.Source),
	}
	if !d.Date.Sort.Equal(d.Date.Time) {
		v.Sort = d.Date.Sort.Format(time.RFC3339)
	}
	v.Fields = each(d.Fields, func(f parse.Field) string { return fmt.Sprintf("%d %s=%s", f.Span.Line, f.Key, f.Value) })
	v.Sections = each(d.Sections, viewSection)
	v.Items = each(d.Items, viewItem)
	v.Files = each(d.Files, func(f parse.File) string { return fmt.Sprintf("%d %s %s", f.Line, or(f.Action), f.Path) })
	v.Approaches = each(d.Approaches, func(a parse.Approach) string { return fmt.Sprintf("%d %s: %s", a.Line, or(a.Outcome), a.Text) })
	v.Links = each(d.Links, func(l parse.Link) string { return fmt.Sprintf("%d %s %s", l.Line, l.Relation, l.Target) })
	v.Escalations = each(d.Escalations, func(l parse.Line) string { return fmt.Sprintf("%d %s", l.Number, l.Text) })
	v.Problems = each(d.Problems, func(p parse.Problem) string {
		return fmt.Sprintf("%s %s %d: %s", p.Severity, p.Rule, p.Line, p.Message)
	})
	return v
}

func viewSection(s parse.Section) sectionView {
	v := sectionView{Is: fmt.Sprintf("%d-%d h%d %s: %s", s.Span.Line, s.Span.EndLine, s.Level, s.Kind, s.Heading), Body: trimLines(s.Body)}
	if v.Body != "" {
		v.From = s.BodyLine
		lead := s.Body[:len(s.Body)-len(strings.TrimLeft(s.Body, " \t\n"))]
		v.From += strings.Count(lead, "\n")
	}
	v.Parts = each(s.Parts, func(p parse.Part) string { return fmt.Sprintf("%s: %s", p.Kind, trimLines(p.Text)) })
	return v
}

func viewItem(it parse.Item) string {
	s := fmt.Sprintf("%d %s: %s", it.Line, it.Section, it.Text)
	if it.Checked != nil {
		s += map[bool]string{true: " | checked", false: " | open"}[*it.Checked]
	}
	for name, mark := range map[string]string{"mark": it.Mark} {
		if mark != "" {
			s += " | " + name + " " + mark
		}
	}
	if it.Priority != "" {
		s += " | " + it.Priority
	}
	if it.Time != "" {
		s += " | at " + it.Time
	}
	return s
}

func each[T, V any](list []T, of func(T) V) []V {
	var out []V
	for _, e := range list {
		out = append(out, of(e))
	}
	return out
}

// or is a word, or "-" for none.
func or(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// trimLines is s without the blanks that end its lines and stand around it.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
