package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/date"
	"handex/parse/internal/metadata"
	"handex/parse/internal/scan"
	"handex/parse/internal/topic"
)

// document makes a handoff of an outline.
func (r *reader) document(o outline, e entry) *Document {
	d := &Document{
		Format:   r.format.name,
		Shape:    r.format.shape,
		Key:      e.key,
		Span:     r.lines.Span(e.start, e.end),
		Problems: o.problems,
	}
	raws := o.fields
	titleHeading := ""
	if r.format.shape == Markdown {
		titleHeading, o, raws = r.splitHead(d, o, e)
	} else {
		d.Head = o.head
	}
	var text []piece
	for _, s := range slices.Concat(o.front, o.sections) {
		raws = append(raws, r.sectionFields(s)...)
		text = append(text, r.piece(s))
	}
	body := len(r.text)
	if r.format.shape == Markdown && len(o.sections) > 0 {
		body = o.sections[0].span.Start
	}
	text = append(text, r.fields(d, raws, body)...)
	slices.SortStableFunc(text, func(a, b piece) int { return a.Span.Start - b.Span.Start })
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

// splitHead takes the title and the metadata off the front of a Markdown
// outline: they are the Head, prose behind them is a section without heading.
func (r *reader) splitHead(d *Document, o outline, e entry) (string, outline, []rawField) {
	start, end, title := max(e.start, r.rest), o.headEnd, ""
	from := start
	if len(o.sections) > 0 && (e.key != "" || r.hasTitle(o)) {
		s := o.sections[0]
		title, from, end = s.heading, s.span.End-len(s.body), s.span.End
		o.sections = o.sections[1:]
	}
	fields := slices.Concat(o.fields, r.headFields(start, from), r.headFields(from, end))
	cut := from
	for _, f := range fields {
		if f.span.End <= end && f.span.End > cut {
			cut = min(scan.LineEnd(r.text, f.span.End), end)
		}
	}
	if strings.Trim(r.text[cut:end], " \t\n-*_") == "" {
		cut = end
	} else {
		intro := rawSection{body: r.text[cut:end], span: r.lines.Span(cut, end)}
		o.sections = append([]rawSection{intro}, o.sections...)
	}
	d.Head = withLine(o.head, r.text[start:cut])
	return title, o, fields
}

// maxHeadLines is how far below the title metadata is looked for.
const maxHeadLines = 60

// headFields reads metadata between a title and the first section.
func (r *reader) headFields(start, end int) []rawField {
	if n := r.lines.Line(start) - 1 + maxHeadLines; n < len(r.lines) {
		end = min(end, max(start, r.lines[n]))
	}
	var out []rawField
	for at := start; at < end; {
		next := paragraphEnd(r.text, at, end)
		c := carrier{knows: r.knows}
		c.all = r.format.plainPrelude || c.allKeyed(r.text[at:next])
		out = append(out, metaFields(r.text, at, next, r.lines, c)...)
		at = next
	}
	return out
}

// paragraphEnd is the offset behind the next blank line.
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

// knows reports whether a label is one of the format's or of every format's.
func (r *reader) knows(label string) bool {
	k := scan.NormalKey(label)
	if _, ok := r.format.keys[k]; ok {
		return true
	}
	if _, ok := metadata.Known()[k]; ok {
		return true
	}
	return metadata.Relations[k] != "" || topic.Of(label) == Blockers
}

// keyHeadings are fields that some write as a heading with the value below it.
var keyHeadings = scan.Set("date", "updated", "status", "branch", "session", "from", "to", "project")

// sectionFields reads metadata that stands in a section of its own.
func (r *reader) sectionFields(s rawSection) []rawField {
	if r.format.shape != Markdown || s.level == 0 {
		return nil
	}
	start := s.span.End - len(s.body)
	key := scan.NormalKey(scan.TrimMarks(scan.Plain(s.heading)))
	if metadata.Headings()[key] {
		return metaFields(r.text, start, s.span.End, r.lines, carrier{all: true, knows: r.knows})
	}
	if label, value, ok := scan.KeyValue(scan.TrimMarks(s.heading)); ok && keyHeadings[metadata.Known()[scan.NormalKey(label)].Field] {
		at := r.lines.Span(s.span.Start, start)
		own := []rawField{{key: label, label: label, value: value, span: at}}
		return append(own, r.headFields(start, s.span.End)...)
	}
	body := strings.TrimSpace(s.body)
	known, ok := metadata.Known()[key]
	if !ok || !keyHeadings[known.Field] || body == "" || len(body) > 120 || strings.Contains(body, "\n") {
		return nil
	}
	i := start + strings.Index(s.body, body)
	value := scan.CleanValue(strings.TrimLeft(body, "-*+ "))
	return []rawField{{key: s.heading, label: s.heading, value: value, span: r.lines.Span(i, i+len(body))}}
}

// kindOf is what a raw section is about, by the words of the format first.
func (r *reader) kindOf(s rawSection) Kind {
	if k := r.rowKind(s); k != "" {
		return k
	}
	key := lastKey(s)
	if s.level == 0 && metadata.Known()[scan.NormalKey(key)].Field == "item" {
		return Other
	}
	return topic.With(key, s.body)
}

// rowKind is the kind that the format's row gives a section, "" if none.
func (r *reader) rowKind(s rawSection) Kind {
	if r.format.kinds == nil {
		return ""
	}
	return r.format.kinds[scan.NormalKey(scan.TrimMarks(scan.Plain(lastKey(s))))]
}

// lastKey is the key of a section without those it is nested in.
func lastKey(s rawSection) string {
	if s.level == 0 {
		return s.key[strings.LastIndexByte(s.key, '.')+1:]
	}
	return s.key
}
