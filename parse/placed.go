package parse

import (
	"fmt"
	"slices"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// A placedSection is a section in the making. It notes the line of the file that each line
// of the body comes from, because the shapes that make lists of values skip and join lines.
type placedSection struct {
	Section
	lines []int // nil where the body is a run of lines of the file
	label bool  // a labelled line, which contains no section
	own   bool  // its heading decides its kind, not the section above
}

// placeSection returns a section of an outline as a section of a document, with its kind and
// the place of its body.
func (r *reader) placeSection(s outline.Section) placedSection {
	p := placedSection{lines: s.Lines}
	p.Section = Section{Kind: Other, Level: s.Level, Body: s.Body, BodyLine: s.Span.Line, Span: s.Span}
	if s.Key != "" {
		p.Kind, p.Heading, p.Slug = r.format.KindOf(s), s.Heading, scan.Slug(s.Heading)
		if s.Struck && p.Kind == Next {
			p.Kind = Done
		}
		if r.src.Explain {
			p.Why = r.whyKind(s, p.Kind)
		}
	}
	switch {
	case len(s.Lines) > 0:
		p.BodyLine = s.Lines[0]
	case s.Body != "":
		p.BodyLine = r.lines.Line(s.Span.End - len(s.Body))
	}
	return p
}

// line returns the line of the file on which line n of the body is; n counts from 0.
func (p placedSection) line(n int) int {
	switch {
	case p.lines == nil:
		return min(p.BodyLine+n, max(p.Span.EndLine, p.BodyLine))
	case n < len(p.lines):
		return p.lines[n]
	default:
		return p.Span.EndLine
	}
}

// inherited returns the sections with their kinds changed by the sections they are below:
// one under an unknown or weak heading takes the kind of the section above (see
// kindOfChild).
func inherited(pieces []placedSection) []placedSection {
	var above []*placedSection // one of each level, outermost first
	for i := range pieces {
		p := &pieces[i]
		if p.label {
			continue
		}
		if p.Level == 0 {
			above = above[:0]
			if p.Heading != "" {
				above = append(above, p)
			}
			continue
		}
		for len(above) > 0 && above[len(above)-1].Level >= p.Level {
			above = above[:len(above)-1]
		}
		if p.own = p.Kind != Other; len(above) > 0 {
			parent := above[len(above)-1]
			kind := parent.kindOfChild(p.Section)
			if kind != p.Kind && p.Why != "" {
				p.Why = fmt.Sprintf("under %q", parent.Heading)
			}
			p.Kind = kind
		}
		above = append(above, p)
	}
	return pieces
}

// kindOfChild returns the kind of section s, which is below p. Below "Next", a section
// marked as done is Done. The kind of p counts, as topic.Below decides, if s has none of its
// own, if p has its kind from above or from a usual heading, or if p has a clear heading and
// s is a numbered step.
func (p placedSection) kindOfChild(s Section) Kind {
	switch {
	case p.Kind == Next && s.Kind != Next && topic.IsFinished(s.Heading):
		return Done
	case s.Kind == Other || !p.own || topic.PassesOn(p.Heading) || topic.IsStep(s.Heading) &&
		topic.IsClear(p.Heading, p.Kind):
		return topic.Below(p.Kind, s.Kind, s.Heading)
	}
	return s.Kind
}

// whyKind returns in words what decided the kind of a section: strikethrough, the format, or
// terms in its heading and body.
func (r *reader) whyKind(s outline.Section, kind Kind) string {
	switch {
	case s.Struck && kind == Done:
		return "struck through"
	case r.format.rowKind(s) != "":
		return fmt.Sprintf("a heading of format %s", r.format.name)
	}
	return topic.Why(s.Heading, s.Body, kind)
}

// reasons sets the Reasons of a document: what decided its format, canonical fields and
// title.
func (r *reader) reasons(d *Document) {
	d.Reasons = append(d.Reasons, Reason{Of: "format", Value: d.Format, Why: "path and first lines"})
	for _, f := range d.Fields {
		if slices.Contains(FieldNames, f.Key) {
			d.Reasons = append(d.Reasons, Reason{f.Key, f.Value, fmt.Sprintf("labelled %q", f.Label), f.Span.Line})
		}
	}
	if d.Title != "" && !d.says("title") {
		d.Reasons = append(d.Reasons, Reason{Of: "title", Value: d.Title, Why: "the first heading", Line: d.Span.Line})
	}
}
