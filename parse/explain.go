package parse

import (
	"fmt"
	"slices"

	"handex/parse/internal/outline"
	"handex/parse/internal/topic"
)

// whyKind says what decided the kind of a section by its heading and body.
func (r *reader) whyKind(s outline.Section, kind Kind) string {
	switch {
	case s.Struck && kind == Done:
		return "struck through"
	case r.rowKind(s) != "":
		return fmt.Sprintf("a heading of format %s", r.format.name)
	}
	return topic.Why(s.Heading, s.Body, kind)
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
