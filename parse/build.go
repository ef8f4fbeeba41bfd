package parse

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// document returns the handoff that one entry of the file contains, made from the outline of
// the entry: fields, sections, date, derived facts, and the problems that the rules of the
// format find.
func (r *reader) document(o outline.Outline, e entry) *Document {
	d := &Document{
		Format:   r.format.name,
		Shape:    r.format.shape,
		Key:      e.key,
		Span:     r.lines.Span(e.start, e.end),
		Problems: o.Problems,
	}
	raws := o.Fields
	titleHeading := ""
	if r.format.shape == Markdown {
		titleHeading, o, raws = r.splitHead(d, o, e)
	} else {
		d.Head = o.Head
	}
	var text []placedSection
	for _, s := range slices.Concat(o.Front, o.Sections) {
		raws = append(raws, r.sectionFields(s)...)
		text = append(text, r.placeSection(s))
	}
	body := len(r.text)
	if r.format.shape == Markdown && len(o.Sections) > 0 {
		body = o.Sections[0].Span.Start
	}
	text = append(text, r.fields(d, raws, body)...)
	slices.SortStableFunc(text, func(a, b placedSection) int { return a.Span.Start - b.Span.Start })
	text = r.splitBold(inherited(text))
	r.heading = titleHeading
	r.title(d, titleHeading)
	r.facts(d)
	d.Date = dateOf(r.src, d.Fields, titleHeading, func() (date.Stamp, bool) { return r.textDate(d, text) })
	r.derive(d, text)
	r.validate(d, raws) // what the file itself says, not its neighbours
	r.neighbours(d)
	if r.src.Explain {
		r.reasons(d)
	}
	return d
}

// splitHead splits the title and the metadata off the front of a Markdown outline. It makes
// them the Head of d, and returns the title, the outline without both, and the metadata as
// fields. Prose behind the metadata becomes a section without heading.
func (r *reader) splitHead(d *Document, o outline.Outline, e entry) (string, outline.Outline, []outline.Field) {
	start, end, title := max(e.start, r.rest), o.HeadEnd, ""
	from := start
	if len(o.Sections) > 0 && (e.key != "" || r.hasTitle(o)) {
		s := o.Sections[0]
		title, from, end = s.Heading, s.Span.End-len(s.Body), s.Span.End
		o.Sections = o.Sections[1:]
	}
	fields := slices.Concat(o.Fields, r.headFields(start, from), r.headFields(from, end))
	cut := from
	for _, f := range fields {
		if f.Span.End <= end && f.Span.End > cut {
			cut = min(scan.LineEnd(r.text, f.Span.End), end)
		}
	}
	if strings.Trim(r.text[cut:end], " \t\n-*_") == "" {
		cut = end
	} else {
		intro := outline.Section{Body: r.text[cut:end], Span: r.lines.Span(cut, end)}
		o.Sections = append([]outline.Section{intro}, o.Sections...)
	}
	d.Head = withLine(o.Head, r.text[start:cut])
	return title, o, fields
}

// maxHeadLines is how far below the title metadata is looked for.
const maxHeadLines = 60

// headFields returns the metadata in text[start:end]. It reads whole paragraphs, and at most
// maxHeadLines lines.
func (r *reader) headFields(start, end int) []outline.Field {
	if n := r.lines.Line(start) - 1 + maxHeadLines; n < len(r.lines) {
		end = min(end, max(start, r.lines[n]))
	}
	var out []outline.Field
	for at := start; at < end; {
		next := paragraphEnd(r.text, at, end)
		c := outline.LineReader{Knows: r.format.Knows}
		c.All = r.format.plainPrelude || c.AllKeyed(r.text[at:next])
		out = append(out, outline.MetadataFields(r.text, at, next, r.lines, c)...)
		at = next
	}
	return out
}

// paragraphEnd returns the offset behind the first blank line of text[at:end], or end if
// there is none.
func paragraphEnd(text string, at, end int) int {
	for at < end {
		next := scan.LineEnd(text, at)
		if strings.TrimSpace(text[at:next]) == "" {
			return next
		}
		at = next
	}
	return end
}

// Knows reports whether a label has a meaning in this format or in all formats: as a field,
// as a relation to another handoff, or as a word for blockers.
func (f *format) Knows(label string) bool {
	k := scan.NormalKey(label)
	if _, ok := f.keys[k]; ok {
		return true
	}
	if _, ok := metadata.Known()[k]; ok {
		return true
	}
	return metadata.Relations()[k] != "" || topic.Of(label) == Blockers
}

// keyHeadings are fields that some write as a heading with the value below it.
var keyHeadings = scan.Set("date updated status branch session from to project")

// sectionFields returns the metadata that a Markdown section is made of: the lines below a
// heading such as "Metadata", or the value in or below a heading such as "Branch". It
// returns nil for any other section.
func (r *reader) sectionFields(s outline.Section) []outline.Field {
	if r.format.shape != Markdown || s.Level == 0 {
		return nil
	}
	start := s.Span.End - len(s.Body)
	key := scan.NormalKey(scan.TrimMarks(scan.Plain(s.Heading)))
	if metadata.Headings()[key] {
		c := outline.LineReader{All: true, Knows: r.format.Knows}
		return outline.MetadataFields(r.text, start, s.Span.End, r.lines, c)
	}
	if label, value, ok := scan.KeyValue(scan.TrimMarks(s.Heading)); ok &&
		keyHeadings[metadata.Known()[scan.NormalKey(label)].Field] {
		at := r.lines.Span(s.Span.Start, start)
		own := []outline.Field{{Key: label, Label: label, Value: value, Span: at}}
		return append(own, r.headFields(start, s.Span.End)...)
	}
	body := strings.TrimSpace(s.Body)
	known, ok := metadata.Known()[key]
	if !ok || !keyHeadings[known.Field] || body == "" || len(body) > 120 || strings.Contains(body, "\n") {
		return nil
	}
	i := start + strings.Index(s.Body, body)
	value := scan.CleanValue(strings.TrimLeft(body, "-*+ "))
	return []outline.Field{{Key: s.Heading, Label: s.Heading, Value: value, Span: r.lines.Span(i, i+len(body))}}
}

// KindOf returns what a section is about. The headings that the format's row names decide
// first, then the words that all formats share.
func (f *format) KindOf(s outline.Section) Kind {
	if k := f.rowKind(s); k != "" {
		return k
	}
	key := lastKey(s)
	if s.Level == 0 && metadata.Known()[scan.NormalKey(key)].Field == "item" {
		return Other
	}
	return topic.With(key, s.Body)
}

// rowKind returns the kind that the format's row gives a section, "" if none.
func (f *format) rowKind(s outline.Section) Kind {
	if f.kinds == nil {
		return ""
	}
	return f.kinds[scan.NormalKey(scan.TrimMarks(scan.Plain(lastKey(s))))]
}

// lastKey returns the last part of the dotted key of a YAML, JSON or XML section. The key of
// a section with a heading is returned whole.
func lastKey(s outline.Section) string {
	if s.Level == 0 {
		return s.Key[strings.LastIndexByte(s.Key, '.')+1:]
	}
	return s.Key
}
