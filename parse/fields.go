package parse

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// fields adds the raw fields of a file to the document: as canonical fields, meta fields,
// work items and links. It returns those that are text rather than facts as sections. If
// several labels mean one field, the label with the best rank gives it, and the others are
// kept as meta. Labels without a value go to the head. A field from offset body on is in the
// text of a section, and so is never returned as one.
func (r *reader) fields(d *Document, raws []outline.Field, body int) []placedSection {
	s := fieldSorter{reader: r, doc: d, body: body, best: map[string]ranked{}}
	for _, f := range raws {
		s.add(f)
	}
	r.normalise(d)
	if s.empty != nil {
		d.Head = withLine(d.Head, strings.Join(s.empty, "\n"))
	}
	return s.text
}

// A fieldSorter does the work of reader.fields: it sorts raw fields one by one.
type fieldSorter struct {
	*reader
	doc   *Document
	body  int
	best  map[string]ranked // by field
	text  []placedSection
	empty []string
}

// ranked is the index of a field among those of the document, and the rank of its label.
type ranked struct{ at, rank int }

// add adds one raw field to the document, to the sections, or to the labels without a value.
func (s *fieldSorter) add(f outline.Field) {
	name, rank := s.format.fieldName(f)
	relation := metadata.Relations()[scan.NormalKey(f.Label)]
	isSection := f.List != nil // in full, under the same key
	switch {
	case s.isEmptySection(f):
		s.text = append(s.text, s.labelSection(f))
	case f.Null || f.Value == "":
		s.empty = append(s.empty, f.Label+":")
	case name == "item":
		s.doc.WorkItems = append(s.doc.WorkItems, metadata.ItemIDs(f.List, f.Value)...)
		if !isSection {
			s.addField("", 0, f)
		}
	case relation != "" && !scan.IsNone(f.Value):
		targets := f.List
		if !isSection {
			targets = []string{f.Value}
		}
		for _, t := range targets {
			s.doc.Links = append(s.doc.Links, Link{relation, t, f.Span.Line})
		}
		s.addField(name, rank, f)
	case name != "" || s.format.textKey(f) == Other && !s.isBlock(f):
		s.addField(name, rank, f)
	case isSection:
	case f.Span.Start < s.body && (s.isText(f) || s.isBlock(f)):
		s.text = append(s.text, s.labelSection(f))
	default:
		s.addField(name, rank, f)
	}
}

// addField adds a field under a canonical name, or as meta if name is empty or taken by a
// label with a better rank. A field whose label has a worse rank gives up the name and
// becomes meta.
func (s *fieldSorter) addField(name string, rank int, f outline.Field) {
	field := Field{Key: name, Label: f.Label, Value: f.Value, Span: f.Span}
	old, have := s.best[name]
	switch {
	case name == "" || have && old.rank <= rank:
		field.Key = metadata.MetaKey(f.Key)
	case have:
		s.doc.Fields[old.at].Key = metadata.MetaKey(s.doc.Fields[old.at].Label)
		fallthrough
	default:
		s.best[name] = ranked{len(s.doc.Fields), rank}
	}
	s.doc.Fields = append(s.doc.Fields, field)
}

// withLine returns text with a line appended to it, on a line of its own.
func withLine(text, line string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text + line
	}
	return text + "\n" + line
}

// labelSection returns a field as a section, with the label as heading and the value as
// body.
func (r *reader) labelSection(f outline.Field) placedSection {
	return placedSection{label: true, Section: Section{
		Kind: r.format.textKey(f), Heading: f.Label, Slug: scan.Slug(f.Label), Body: f.Value,
		BodyLine: f.Span.Line, Span: f.Span,
	}}
}

// fieldName returns the canonical field that a label means, "" for none, and the rank of the
// label among those of the field; the lowest rank is the best.
func (f *format) fieldName(of outline.Field) (string, int) {
	if name, ok := f.keys[scan.NormalKey(of.Key)]; ok {
		return name, -1
	}
	k := metadata.Known()[scan.NormalKey(of.Label)]
	parents := strings.Split(of.Key, ".")
	parents = parents[:len(parents)-1]
	isMetadata := func(key string) bool { return metadata.Headings()[scan.NormalKey(key)] }
	isOther := func(key string) bool { return !containers[scan.NormalKey(key)] && !isMetadata(key) }
	switch {
	case len(parents) == 0, len(parents) == 1 && isMetadata(parents[0]):
		return k.Field, k.Rank
	case nestedFacts[k.Field] && !slices.ContainsFunc(parents, isOther):
		return k.Field, k.Rank + nestedRank
	}
	return "", 0
}

// containers are the keys with facts about the whole handoff below them;
// nestedFacts are those that count there, behind any that are outside.
var (
	containers = map[string]bool{
		"context": true, "git": true, "git state": true, "session": true, "handoff": true, "repo": true,
		"repository": true, "state": true, "current state": true, "current": true, "current task": true,
		"environment": true, "workspace": true, "status": true, "source": true,
	}
	nestedFacts = scan.Set("branch commit session status date updated")
)

const nestedRank = 100

// isText reports whether a field is a section in one line: its label means a kind of
// section, and its value is more than a word.
func (r *reader) isText(f outline.Field) bool {
	k := r.format.textKey(f)
	return k != Other && strings.Contains(f.Value, " ") && (r.format.shape != Markdown || !topic.Weak[k])
}

// isEmptySection reports whether a key without a value says that there is nothing of a kind,
// as "blockers: []" does. It is false in Markdown.
func (r *reader) isEmptySection(f outline.Field) bool {
	if r.format.shape == Markdown || !f.Null && f.Value != "" {
		return false
	}
	kind := r.format.textKey(f)
	return topic.Strict[kind] || f.List != nil && kind != Other
}

// isBlock reports whether a field is a text of several lines under a top-level key, whatever
// the key means. It is false in Markdown.
func (r *reader) isBlock(f outline.Field) bool {
	return r.format.shape != Markdown && f.List == nil && strings.Contains(f.Value, "\n") && !strings.Contains(f.Key, ".")
}

// textKey returns the kind of section that a field is if its value is text rather than a
// fact: what its key means, Other for a nested key.
func (f *format) textKey(of outline.Field) Kind {
	if strings.Contains(of.Key, ".") {
		return Other
	}
	return f.KindOf(outline.Section{Key: of.Label})
}

// normalise changes the values of status, progress and priority to the words and numbers
// that queries know. A status that changes is kept as written in meta.status.
func (r *reader) normalise(d *Document) {
	for i := range d.Fields {
		f := &d.Fields[i]
		switch f.Key {
		case "status":
			if st := metadata.Status(f.Value); st != f.Value {
				d.Fields = append(d.Fields, Field{"meta.status", f.Label, f.Value, f.Span})
				d.Fields[i].Value = st
			}
		case "progress":
			f.Value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(f.Value), "%"))
		case "priority":
			f.Value = metadata.Priority(f.Value)
		}
	}
	// A status whose words mean none of the list is kept as meta.status alone.
	d.Fields = slices.DeleteFunc(d.Fields, func(f Field) bool { return f.Key == "status" && f.Value == "" })
}
