package parse

import (
	"slices"
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
	return slices.ContainsFunc(fields, func(f outline.Field) bool {
		name, _ := r.fieldName(f)
		return name == "date" || name == "updated"
	})
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
