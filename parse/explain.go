package parse

import (
	"fmt"
	"slices"
	"strings"
)

// whyKind says what decided the kind of a section by its heading and body.
func (r *reader) whyKind(s rawSection, kind Kind) string {
	h := headings.read(s.heading)
	switch {
	case s.struck && kind == Done:
		return "struck through"
	case r.rowKind(s) != "":
		return fmt.Sprintf("a heading of format %s", r.format.name)
	case h.exact == Next && h.finished && kind == Done:
		return "marked finished"
	case h.exact != "":
		return "a usual heading"
	case kind == Other:
		return "no term is worth enough"
	}
	var found []string
	index := kindIndex(kind)
	_, parts := headingParts(s.heading)
	var points scores
	for i, z := range parts {
		share := zoneShare(i, points)
		points.add(zonePoints(z, share))
		eachTerm(z, share, func(term string, clues []clue, share int) {
			for _, c := range clues {
				if c.kind == index {
					found = append(found, fmt.Sprintf("%q %d", term, c.points*share/100))
				}
			}
		})
	}
	if h.finished && kind == Done {
		found = append(found, "marked finished")
	}
	if n := bodyPoints(s.body)[index]; n > 0 {
		found = append(found, fmt.Sprintf("its text %d", n))
	}
	return strings.Join(found, ", ")
}

// reasons says what decided the facts of a document.
func (r *reader) reasons(d *Document) {
	d.Reasons = append(d.Reasons, Reason{Of: "format", Value: d.Format, Why: "path and first lines"})
	for _, f := range d.Fields {
		if slices.Contains(FieldNames, f.Key) {
			d.Reasons = append(d.Reasons, Reason{Of: f.Key, Value: f.Value, Why: fmt.Sprintf("labelled %q", f.Label), Line: f.Span.Line})
		}
	}
	if d.Title != "" && !d.says("title") {
		d.Reasons = append(d.Reasons, Reason{Of: "title", Value: d.Title, Why: "the first heading", Line: d.Span.Line})
	}
}
