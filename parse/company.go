package parse

import (
	"fmt"
	"path"
	"strings"
)

// prose reads the text a manifest names and makes its sections, items and
// escalations the manifest's own. Spans of another file are left out: only
// their lines are kept.
func (r *reader) prose(d *Document, f Field) {
	rel := path.Join(r.format.proseRoot, f.Value)
	if path.IsAbs(f.Value) || !strings.HasPrefix(path.Clean(rel), r.format.proseRoot+"/") || strings.Contains(rel, "../..") {
		d.Problems = append(d.Problems, Problem{Warning, r.format.name + ".source-outside", f.Span.Line, fmt.Sprintf("%q is outside the project; not read", f.Value)})
		return
	}
	if r.src.Neighbour == nil {
		return
	}
	raw, err := r.src.Neighbour(rel)
	if err != nil {
		d.Problems = append(d.Problems, Problem{Warning, r.format.name + ".source-missing", f.Span.Line, fmt.Sprintf("%s is not there or cannot be read", f.Value)})
		return
	}
	text := Parse(Source{Path: path.Base(f.Value), Bytes: raw, ModTime: r.src.ModTime, Zone: r.src.Zone})
	for _, t := range text {
		r.adopt(d, t)
	}
}

// adopt adds what another document says to d.
func (r *reader) adopt(d, t *Document) {
	d.Head += "\n" + t.Head
	for _, s := range t.Sections {
		s.Span = Span{Line: s.Span.Line, EndLine: s.Span.EndLine}
		d.Sections = append(d.Sections, s)
	}
	for _, f := range t.Fields {
		if _, have := d.field(f.Key); have && !strings.HasPrefix(f.Key, "meta.") {
			f.Key = "meta." + f.Key
		}
		f.Span = Span{}
		d.Fields = append(d.Fields, f)
	}
	if d.Title == "" {
		d.Title = t.Title
	}
	d.Items = append(d.Items, t.Items...)
	d.Approaches = append(d.Approaches, t.Approaches...)
	d.Escalations = append(d.Escalations, t.Escalations...)
	d.Blocked = d.Blocked || t.Blocked
	for _, f := range t.Files {
		if !d.touches(f.Path) {
			d.Files = append(d.Files, f)
		}
	}
}

func (d *Document) touches(p string) bool {
	for _, f := range d.Files {
		if f.Path == p {
			return true
		}
	}
	return false
}

// pastHandoffs makes a handoff of each element of the format's log, leaving out
// the one that is the current manifest. It answers nil for a file without the
// log's key.
func (r *reader) pastHandoffs(o outline) []*Document {
	log := r.readLog(r.format.log)
	if log == nil {
		return nil
	}
	current := ""
	if text, err := r.neighbour(r.format.current); err == nil {
		current = identity(readYAML(text).fields)
	}
	var docs []*Document
	seen := map[string]int{}
	for _, el := range log {
		id := identity(el.fields)
		if id == current && id != "" {
			continue
		}
		e := entry{key: slug(id), start: el.span.Start, end: el.span.End}
		if seen[e.key]++; seen[e.key] > 1 {
			e.key = fmt.Sprintf("%s#%d", e.key, seen[e.key])
		}
		docs = append(docs, r.document(el.outline, e))
	}
	if docs == nil {
		docs = []*Document{{Format: r.format.name, Shape: r.format.shape, Key: "log", Span: r.lines.span(0, len(r.text)), Date: dateOf(r.src, nil, "")}}
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
