package parse

import (
	"fmt"
	"slices"
	"strings"
)

// evidence is what one term of a heading, or the body, is worth for a kind.
type evidence struct {
	term   string
	kind   int
	points int
}

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
	for i, z := range parts {
		for _, e := range zoneEvidence(z, zoneShare(i)) {
			if e.kind == index {
				found = append(found, fmt.Sprintf("%q %d", e.term, e.points))
			}
		}
	}
	if n := bodyPoints(s.body)[index]; n > 0 {
		found = append(found, fmt.Sprintf("its text %d", n))
	}
	return strings.Join(found, ", ")
}

// zoneEvidence is what each term of a zone is worth.
func zoneEvidence(zone string, share int) []evidence {
	var out []evidence
	eachTerm(zone, share, func(term string, clues []clue, share int) {
		for _, c := range clues {
			out = append(out, evidence{term, c.kind, c.points * share / 100})
		}
	})
	return out
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
