package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/metadata"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
	"handex/parse/internal/topic"
)

// Draft is the document as it can be written again. Every word of the document
// is in it, beside the labels of canonical fields and headings that say no more
// than their kind: the format it is written in has its own. What is told twice
// (a fact that also stands in a text, the files a section lists) is in it once.
func (d *Document) Draft() Draft {
	g := drafter{doc: d, format: &format{}}
	for i := range formats {
		if formats[i].name == d.Format {
			g.format = &formats[i]
		}
	}
	g.out = Draft{Title: d.Title, Files: slices.Clone(d.Files), WorkItems: slices.Clone(d.WorkItems)}
	for _, s := range d.Sections {
		g.section(s)
	}
	g.fields()
	g.date()
	g.head()
	return g.out
}

type drafter struct {
	doc    *Document
	format *format
	out    Draft
	// texts are the sections whose text is taken over as it is: an unknown
	// field that stands in one is told there.
	texts  []*sectionText
	labels map[string]string // the names of fields by their labels
	// lists are the items of fields that are lists, by the place of the field.
	lists map[Span][]string
}

// section takes over a section without what is in fields, files and work items.
func (g *drafter) section(s Section) {
	body := s.Body
	switch {
	case g.isValues(s):
		return
	case g.doc.Shape == Markdown && s.Level > 0 && metadata.Headings()[scan.NormalKey(scan.TrimMarks(scan.Plain(s.Heading)))]:
		body = g.withoutFields(s)
		if strings.TrimSpace(body) == "" {
			return
		}
	case s.Kind == State && g.format.stateKeys && g.format.layout != nil:
		body = g.withoutState(body)
		g.texts = append(g.texts, &sectionText{Section: Section{Heading: s.Heading, Body: body, Span: s.Span}})
	case s.Kind == Files && g.listsFiles(s):
		return
	default:
		g.texts = append(g.texts, &sectionText{Section: s})
	}
	heading := s.Heading
	if isUsual(s.Kind, heading) {
		heading = ""
	}
	if body = trimBlankLines(body); body != "" || heading != "" {
		g.out.Sections = append(g.out.Sections, DraftSection{s.Kind, heading, body, s.Level})
	}
}

// isValues reports whether a section of YAML or JSON is the values of fields
// that are kept as such: a list of lines, or a mapping of lines.
func (g *drafter) isValues(s Section) bool {
	if g.doc.Shape != YAML && g.doc.Shape != JSON || s.Span.End == 0 {
		return false
	}
	items := listLines(s.Body)
	if items != nil && slices.Equal(items, g.doc.WorkItems) {
		return true
	}
	var inside []Field
	for _, f := range g.doc.Fields {
		if f.Span.End > 0 && f.Span.Start >= s.Span.Start && f.Span.End <= s.Span.End {
			inside = append(inside, f)
		}
	}
	if len(inside) == 0 || s.Kind != Other {
		return false
	}
	if len(inside) == 1 && inside[0].Label == s.Heading {
		if items == nil || strings.Join(items, ", ") != inside[0].Value {
			return false
		}
		if g.lists == nil {
			g.lists = map[Span][]string{}
		}
		g.lists[inside[0].Span] = items
		return true
	}
	known := scan.WordSet{}
	for _, f := range inside {
		known.Add(f.Key, f.Label, f.Value)
	}
	return known.Holds(s.Body)
}

// listLines are the items of a text that is a list of lines, else nil.
func listLines(body string) []string {
	var items []string
	for line := range strings.SplitSeq(body, "\n") {
		item, ok := strings.CutPrefix(line, "- ")
		if !ok {
			return nil
		}
		items = append(items, item)
	}
	return items
}

// withoutFields is a section of metadata without the lines that are fields.
func (g *drafter) withoutFields(s Section) string {
	isField := map[int]bool{}
	for _, f := range g.doc.Fields {
		isField[f.Span.Line] = true
	}
	var rest []string
	n := s.BodyLine
	for line := range strings.SplitSeq(s.Body, "\n") {
		if !isField[n] && strings.Trim(line, "|-: \t") != "" {
			rest = append(rest, line)
		}
		n++
	}
	return strings.Join(rest, "\n")
}

// withoutState is the text of a state without the lines that are fields, and
// makes a section of a blocker that is told in a line.
func (g *drafter) withoutState(body string) string {
	var lines []string
	for line := range strings.SplitSeq(body, "\n") {
		var rest []string
		for entry := range strings.SplitSeq(line, " | ") {
			if !g.isStateField(entry) {
				rest = append(rest, entry)
			}
		}
		if len(rest) > 0 {
			lines = append(lines, strings.Join(rest, " | "))
		}
	}
	return strings.Join(lines, "\n")
}

func (g *drafter) isStateField(entry string) bool {
	label, value, ok := scan.KeyValue(entry)
	if !ok {
		return false
	}
	if topic.Of(label) == Blockers && scan.Slug(label) == "blockers" && value != "" && !strings.HasPrefix(strings.TrimSpace(entry), "#") {
		g.out.Sections = append(g.out.Sections, DraftSection{Kind: Blockers, Body: value})
		return true
	}
	for _, s := range g.format.layout.stateKeys {
		if f, ok := g.doc.field(s.field); ok && scan.Slug(s.key) == scan.Slug(label) && sameValue(s.field, f.Value, value) {
			return true
		}
	}
	return false
}

// listsFiles reports whether a section of files is a list the files of the
// document are, and nothing else.
func (g *drafter) listsFiles(s Section) bool {
	if !actionLists[s.Slug] && !isUsual(Files, s.Heading) {
		return false
	}
	known := scan.WordSet{}
	for _, f := range g.doc.Files {
		known.Add(f.Path, f.Action)
	}
	items := listLines(strings.TrimSpace(s.Body))
	return items != nil && known.Holds(s.Body)
}

// head takes over the lines of the head that say what nothing else does.
func (g *drafter) head() {
	known := scan.WordSet{}
	for _, f := range g.doc.Fields {
		known.Add(f.Key, f.Label, f.Value)
	}
	known.Add(g.out.Title)
	signalled := false
	for _, s := range g.out.Sections {
		known.Add(s.Heading, s.Body)
		signalled = signalled || strings.Contains(s.Body, EscalationSignal)
	}
	for _, f := range g.out.Fields {
		known.Add(f.Value)
		signalled = signalled || strings.Contains(f.Value, EscalationSignal)
	}
	var rest []string
	for line := range strings.SplitSeq(g.doc.Head, "\n") {
		if g.null(line) {
			continue
		}
		text := line
		if marks := strings.TrimLeft(line, "# "); marks != line {
			text = titleLead().ReplaceAllString(scan.Plain(marks), "")
		}
		if !known.Holds(text) || !signalled && strings.Contains(line, EscalationSignal) {
			rest = append(rest, line)
		}
	}
	if body := trimBlankLines(strings.Join(rest, "\n")); body != "" {
		g.out.Sections = append([]DraftSection{{Kind: Other, Body: body}}, g.out.Sections...)
	}
}

// null takes over "key:", a key whose value was null.
func (g *drafter) null(line string) bool {
	label, ok := strings.CutSuffix(line, ":")
	if !ok || label == "" || g.doc.Shape == Markdown || len(label) > scan.MaxPlainKey || strings.ContainsAny(label, "\"'{}[],#") {
		return false
	}
	key, _ := (&reader{format: g.format}).fieldName(outline.Field{Key: label, Label: label})
	if key == "" {
		key = metadata.MetaKey(label)
	}
	g.out.Fields = append(g.out.Fields, Field{Key: key, Label: label})
	return true
}
