package write

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// DraftOf returns the document as a draft that can be written again. Every word of the
// document is in it, except for the labels of canonical fields and headings that say no more
// than their kind: each format has its own. What the document says twice (a fact that is
// also in a text, the files a section lists) is in it once.
func DraftOf(d *parse.Document) Draft {
	g := drafter{
		doc: d, read: parse.VocabularyOf(d.Format), labels: map[string]string{}, lists: map[parse.Span][]string{},
	}
	for _, f := range d.Fields {
		if !strings.HasPrefix(f.Key, "meta.") {
			g.labels[scan.NormalKey(f.Label)] = f.Key
		}
	}
	if l := parse.LayoutOf(d.Format); l != nil {
		g.stateKeys = l.StateKeys
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

// A drafter makes a draft of a document.
type drafter struct {
	doc       *parse.Document
	read      *parse.Vocabulary
	stateKeys []parse.Slot // the facts written as lines in the state section
	out       Draft
	// texts are the sections whose text is taken over as it is: an unknown
	// field that is in one is left there.
	texts  []sectionText
	labels map[string]string // the names of fields by their labels
	// lists are the items of fields that are lists, by the place of the field.
	lists map[parse.Span][]string
}

// section adds a section of the document to the draft, without what the draft has as fields,
// files and work items.
func (g *drafter) section(s parse.Section) {
	body := s.Body
	switch {
	case g.isValues(s):
		return
	case g.doc.Shape == parse.Markdown && s.Level > 0 &&
		metadata.Headings()[scan.NormalKey(scan.TrimMarks(scan.Plain(s.Heading)))]:
		body = g.withoutFields(s)
		if strings.TrimSpace(body) == "" {
			return
		}
	case s.Kind == parse.State && g.stateKeys != nil:
		body = g.withoutState(body)
		g.addText(s, body)
	case s.Kind == parse.Files && g.listsFiles(s):
		return
	default:
		g.addText(s, body)
	}
	heading := s.Heading
	if isUsual(s.Kind, heading) {
		heading = ""
	}
	if body = trimBlankLines(body); body != "" || heading != "" {
		g.out.Sections = append(g.out.Sections, DraftSection{s.Kind, heading, body, s.Level})
	}
}

// isValues reports whether a section of YAML or JSON is the values of fields that are kept
// as such: a list of lines, or a mapping of lines. It notes the items of a field that is a
// list.
func (g *drafter) isValues(s parse.Section) bool {
	if g.doc.Shape != parse.YAML && g.doc.Shape != parse.JSON || s.Span.End == 0 {
		return false
	}
	items := listLines(s.Body)
	if items != nil && slices.Equal(items, g.doc.WorkItems) {
		return true
	}
	var inside []parse.Field
	for _, f := range g.doc.Fields {
		if f.Span.End > 0 && f.Span.Start >= s.Span.Start && f.Span.End <= s.Span.End {
			inside = append(inside, f)
		}
	}
	if len(inside) == 0 || s.Kind != parse.Other {
		return false
	}
	if len(inside) == 1 && inside[0].Label == s.Heading {
		if items == nil || strings.Join(items, ", ") != inside[0].Value {
			return false
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

// listLines returns the items of a text in which every line is "- item", nil for any other
// text.
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

// withoutFields returns the text of a section of metadata without the lines that are fields.
func (g *drafter) withoutFields(s parse.Section) string {
	isField := map[int]bool{}
	for _, f := range g.doc.Fields {
		isField[f.Span.Line] = true
	}
	var rest []string
	for i, line := range strings.Split(s.Body, "\n") {
		if !isField[s.BodyLine+i] && strings.Trim(line, "|-: \t") != "" {
			rest = append(rest, line)
		}
	}
	return strings.Join(rest, "\n")
}

// withoutState returns the text of a state section without the entries that are fields. A
// blocker that is on one line becomes a section of the draft instead.
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

// isStateField reports whether an entry of a state section is a field of the document or a
// blocker. For a blocker it adds a section to the draft.
func (g *drafter) isStateField(entry string) bool {
	label, value, ok := scan.KeyValue(entry)
	if !ok {
		return false
	}
	if topic.Of(label) == parse.Blockers && scan.Slug(label) == "blockers" && value != "" &&
		!strings.HasPrefix(strings.TrimSpace(entry), "#") {
		g.out.Sections = append(g.out.Sections, DraftSection{Kind: parse.Blockers, Body: value})
		return true
	}
	return slices.ContainsFunc(g.stateKeys, func(s parse.Slot) bool {
		f, ok := g.doc.Field(s.Field)
		return ok && scan.Slug(s.Key) == scan.Slug(label) && plainValue(s.Field, f.Value) == plainValue(s.Field, value)
	})
}

// listsFiles reports whether a section about files is a list of the document's files, and
// nothing else.
func (g *drafter) listsFiles(s parse.Section) bool {
	if !parse.ActionLists[s.Slug] && !isUsual(parse.Files, s.Heading) {
		return false
	}
	known := scan.WordSet{}
	for _, f := range g.doc.Files {
		known.Add(f.Path, f.Action)
	}
	items := listLines(strings.TrimSpace(s.Body))
	return items != nil && known.Holds(s.Body)
}

// head adds to the draft a section with the lines of the head that say what nothing else in
// the draft does.
func (g *drafter) head() {
	known := scan.WordSet{}
	for _, f := range g.doc.Fields {
		known.Add(f.Key, f.Label, f.Value)
	}
	known.Add(g.out.Title)
	signalled := false
	for _, s := range g.out.Sections {
		known.Add(s.Heading, s.Body)
		signalled = signalled || strings.Contains(s.Body, parse.EscalationSignal)
	}
	for _, f := range g.out.Fields {
		known.Add(f.Value)
		signalled = signalled || strings.Contains(f.Value, parse.EscalationSignal)
	}
	var rest []string
	for line := range strings.SplitSeq(g.doc.Head, "\n") {
		if g.null(line) {
			continue
		}
		text := line
		if marks := strings.TrimLeft(line, "# "); marks != line {
			text = parse.WithoutTitleWords(scan.Plain(marks))
		}
		if !known.Holds(text) || !signalled && strings.Contains(line, parse.EscalationSignal) {
			rest = append(rest, line)
		}
	}
	if body := trimBlankLines(strings.Join(rest, "\n")); body != "" {
		g.out.Sections = append([]DraftSection{{Kind: parse.Other, Body: body}}, g.out.Sections...)
	}
}

// null reports whether a line of the head is "key:", a key whose value was null, and adds
// such a key to the draft as a field without a value.
func (g *drafter) null(line string) bool {
	label, ok := strings.CutSuffix(line, ":")
	if !ok || label == "" || g.doc.Shape == parse.Markdown || len(label) > scan.MaxPlainKey ||
		strings.ContainsAny(label, "\"'{}[],#") {
		return false
	}
	key := g.read.Field(label)
	if key == "" {
		key = metadata.MetaKey(label)
	}
	g.out.Fields = append(g.out.Fields, parse.Field{Key: key, Label: label})
	return true
}

// fields adds to the draft the fields of the document that are not in the text of a section
// as well.
func (g *drafter) fields() {
	status, hasStatus := g.doc.Field("status")
	for _, f := range g.doc.Fields {
		isMeta := strings.HasPrefix(f.Key, "meta.")
		switch {
		case f.Key == "title":
			continue
		case isMeta && f.Key != "meta.status" && g.isInText(f):
			continue
		case f.Key == "meta.status" && hasStatus && scan.NormalKey(f.Value) == scan.NormalKey(status.Value):
			continue // another spelling
		case f.Key == "meta.status" && hasStatus:
			f.Key, f.Label = "meta.status_note", "status_note"
		case f.Key == "meta.status":
			f.Key = "status"
		case isMeta:
			f = ungrouped(f)
			f.Key = cmp.Or(g.labels[scan.NormalKey(f.Label)], f.Key) // another field of that name has the label
		}
		values, isList := g.lists[f.Span]
		if !isList {
			values = []string{f.Value}
		}
		for _, v := range values {
			g.out.Fields = append(g.out.Fields, parse.Field{Key: f.Key, Label: f.Label, Value: v})
		}
	}
}

// ungrouped returns a field under its own label if it was in a group of metadata:
// "meta.metadata_model" becomes "meta.model".
func ungrouped(f parse.Field) parse.Field {
	own := metadata.MetaKey(f.Label)
	group, ok := strings.CutSuffix(f.Key, "_"+strings.TrimPrefix(own, "meta."))
	if ok && metadata.Headings()[scan.NormalKey(strings.TrimPrefix(group, "meta."))] {
		f.Key = own
	}
	return f
}

// isInText reports whether a text that the draft takes over contains the label and value of
// a field, at the field's place.
func (g *drafter) isInText(f parse.Field) bool {
	return f.Span.End > 0 && slices.ContainsFunc(g.texts, func(t sectionText) bool {
		return f.Span.Start >= t.Start && f.Span.End <= t.End && t.words.Holds(f.Label+" "+f.Value)
	})
}

// A sectionText is the place of a section and the words of its text.
type sectionText struct {
	parse.Span
	words scan.WordSet
}

// addText notes that the draft takes over a text of a section.
func (g *drafter) addText(s parse.Section, body string) {
	t := sectionText{s.Span, scan.WordSet{}}
	t.words.Add(s.Heading, body)
	g.texts = append(g.texts, t)
}

// date adds the document's date to the draft in ISO 8601, which every format understands, if
// the draft has no date. A date field in another form is changed to it, and kept as written
// in meta.date_as_written.
func (g *drafter) date() {
	at := g.doc.Date
	if at.Time.IsZero() {
		return
	}
	i := slices.IndexFunc(g.out.Fields, func(f parse.Field) bool { return f.Key == "date" })
	switch {
	case i < 0:
		g.out.Fields = append(g.out.Fields, parse.Field{Key: "date", Value: isoForm(at)})
	case date.IsISO8601(g.out.Fields[i].Value) || at.Source != "field":
	default:
		written := g.out.Fields[i].Value
		g.out.Fields[i].Value = isoForm(at)
		g.out.Fields = append(g.out.Fields,
			parse.Field{Key: "meta.date_as_written", Label: "date_as_written", Value: written})
	}
}

// isoForm returns a date in ISO 8601, as exact as it is known.
func isoForm(d parse.Date) string {
	switch d.Precision {
	case "year":
		return d.Time.Format("2006")
	case "month":
		return d.Time.Format("2006-01")
	case "day":
		return d.Time.Format(time.DateOnly)
	}
	return d.Time.Format(time.RFC3339Nano)
}
