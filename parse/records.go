package parse

import (
	"handex/parse/internal/scan"
)

// A logged is an element of a log, read as a file of its own would be.
type logged struct {
	outline
	span Span
}

// logged makes an outline of one element.
func (r *reader) logged(el node) logged {
	c := &collector{Lines: r.lines, text: r.text, seen: map[string]int{}, out: outline{headEnd: len(r.text), docs: 1}}
	c.addTree(el)
	return logged{c.finish(), el.span}
}

// records makes a handoff of each dated object of a JSON log: a list of them,
// or one after the other. It answers nil for any other JSON.
func (r *reader) records(o outline) []*Document {
	var all []logged
	dated := 0
	for _, el := range objects(o) {
		l := r.logged(el)
		if r.hasDate(l.fields) {
			dated++
		}
		all = append(all, l)
	}
	if dated < minEntries || 2*dated < len(all) {
		return nil
	}
	var docs []*Document
	key := uniqueKeys{}
	at := 0
	for i, l := range all {
		e := entry{key: key.of(r.recordKey(l.fields)), start: at, end: l.span.End}
		if i == len(all)-1 {
			e.end = len(r.text)
		}
		docs = append(docs, r.document(l.outline, e))
		at = e.end
	}
	docs[0].Problems = append(o.problems, docs[0].Problems...)
	return docs
}

// objects lists the objects of a JSON text that are not inside another.
func objects(o outline) []node {
	var out []node
	for _, root := range o.trees {
		switch root.kind {
		case dictNode:
			out = append(out, root)
		case listNode:
			out = append(out, root.children...)
		}
	}
	return out
}

func (r *reader) hasDate(fields []rawField) bool {
	for _, f := range fields {
		if name, _ := r.fieldName(f); name == "date" || name == "updated" {
			return true
		}
	}
	return false
}

// recordKey tells a record apart by its date and its first name.
func (r *reader) recordKey(fields []rawField) string {
	date, name := "", ""
	for _, f := range fields {
		switch n, _ := r.fieldName(f); {
		case n == "date" && date == "":
			date = f.value
		case name == "" && (f.label == "id" || f.label == "name" || f.label == "title"):
			name = f.value
		}
	}
	return scan.Slug(date + " " + name)
}
