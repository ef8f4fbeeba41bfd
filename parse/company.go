package parse

import (
	"strings"

	"handex/parse/internal/date"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

// pastHandoffs makes a handoff of each element of the format's log, leaving out
// the one that is the current manifest. It returns nil for a file without the
// log's key.
func (r *reader) pastHandoffs(o outline.Outline) []*Document {
	log := outline.EntryOf(o.Trees, r.format.log)
	if log.Kind != outline.ListNode {
		return nil
	}
	current := ""
	if text, err := r.neighbour(r.format.current); err == nil {
		current = identity(outline.ReadYAML(text).Fields)
	}
	var docs []*Document
	key := uniqueKeys{}
	for _, el := range log.Children {
		o := outline.OfValue(r.text, r.lines, el)
		id := identity(o.Fields)
		if id == current && id != "" {
			continue
		}
		docs = append(docs, r.document(o, entry{key: key.of(scan.Slug(id)), start: el.Span.Start, end: el.Span.End}))
	}
	if docs == nil {
		docs = []*Document{{
			Format: r.format.name, Shape: r.format.shape, Key: "log", Span: r.lines.Span(0, len(r.text)),
			Date: dateOf(r.src, nil, "", func() (date.Stamp, bool) { return date.Stamp{}, false }),
		}}
	}
	docs[0].Problems = append(o.Problems, docs[0].Problems...)
	docs[0].Head = r.text[:docs[0].Span.Start] + docs[0].Head
	return docs
}

// identity is what makes two records of a handoff the same one.
func identity(fields []outline.Field) string {
	var parts []string
	for _, key := range []string{"source_file", "from", "to", "generated_at"} {
		for _, f := range fields {
			if f.Key == key {
				parts = append(parts, f.Value)
			}
		}
	}
	return strings.Join(parts, " ")
}
