package parse

import (
	"strings"

	"handex/parse/internal/date"
	"handex/parse/internal/scan"
)

// pastHandoffs makes a handoff of each element of the format's log, leaving out
// the one that is the current manifest. It returns nil for a file without the
// log's key.
func (r *reader) pastHandoffs(o outline) []*Document {
	log := entryOf(o.trees, r.format.log)
	if log.kind != listNode {
		return nil
	}
	current := ""
	if text, err := r.neighbour(r.format.current); err == nil {
		current = identity(readYAML(text).fields)
	}
	var docs []*Document
	key := uniqueKeys{}
	for _, el := range log.children {
		l := r.logged(el)
		id := identity(l.fields)
		if id == current && id != "" {
			continue
		}
		docs = append(docs, r.document(l.outline, entry{key: key.of(scan.Slug(id)), start: el.span.Start, end: el.span.End}))
	}
	if docs == nil {
		docs = []*Document{{
			Format: r.format.name, Shape: r.format.shape, Key: "log", Span: r.lines.Span(0, len(r.text)),
			Date: dateOf(r.src, nil, "", func() (date.Stamp, bool) { return date.Stamp{}, false }),
		}}
	}
	docs[0].Problems = append(o.problems, docs[0].Problems...)
	docs[0].Head = r.text[:docs[0].Span.Start] + docs[0].Head
	return docs
}

// identity is what makes two records of a handoff the same one.
func identity(fields []rawField) string {
	var parts []string
	for _, key := range []string{"source_file", "from", "to", "generated_at"} {
		for _, f := range fields {
			if f.key == key {
				parts = append(parts, f.value)
			}
		}
	}
	return strings.Join(parts, " ")
}
