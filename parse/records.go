package parse

import (
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

// records makes a handoff of each dated object of a JSON log: a list of them,
// or one after the other. It returns nil for any other JSON.
func (r *reader) records(o outline.Outline) []*Document {
	nodes := objects(o)
	outlines := make([]outline.Outline, len(nodes))
	dated := 0
	for i, n := range nodes {
		outlines[i] = outline.OfValue(r.text, r.lines, n)
		if r.hasDate(outlines[i].Fields) {
			dated++
		}
	}
	if dated < MinEntries || 2*dated < len(nodes) {
		return nil
	}
	var docs []*Document
	key := uniqueKeys{}
	at := 0
	for i, n := range nodes {
		e := entry{key: key.of(r.recordKey(outlines[i].Fields)), start: at, end: n.Span.End}
		if i == len(nodes)-1 {
			e.end = len(r.text)
		}
		docs = append(docs, r.document(outlines[i], e))
		at = e.end
	}
	docs[0].Problems = append(o.Problems, docs[0].Problems...)
	return docs
}

// objects lists the objects of a JSON text that are not inside another.
func objects(o outline.Outline) []outline.Node {
	var out []outline.Node
	for _, root := range o.Trees {
		switch root.Kind {
		case outline.DictNode:
			out = append(out, root)
		case outline.ListNode:
			out = append(out, root.Children...)
		}
	}
	return out
}

func (r *reader) hasDate(fields []outline.Field) bool {
	for _, f := range fields {
		if name, _ := r.fieldName(f); name == "date" || name == "updated" {
			return true
		}
	}
	return false
}

// recordKey is the key of a record: its date and its first name.
func (r *reader) recordKey(fields []outline.Field) string {
	date, name := "", ""
	for _, f := range fields {
		switch n, _ := r.fieldName(f); {
		case n == "date" && date == "":
			date = f.Value
		case name == "" && (f.Label == "id" || f.Label == "name" || f.Label == "title"):
			name = f.Value
		}
	}
	return scan.Slug(date + " " + name)
}
