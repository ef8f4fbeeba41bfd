package parse

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A logged is an element of a log, read as a file of its own would be.
type logged struct {
	outline
	span Span
}

// logged makes an outline of one element.
func (r *reader) logged(el node) logged {
	c := &collector{lineIndex: r.lines, text: r.text, seen: map[string]int{}, out: outline{headEnd: len(r.text), docs: 1}}
	c.addTree(el)
	return logged{c.finish(), el.span}
}

// readLog reads the mappings in the list under a top-level key of a YAML text;
// nil where there is no such list or the text is not valid.
func (r *reader) readLog(key string) []logged {
	if len(r.text) > maxYAML {
		return nil
	}
	docs, err := yamlDocuments(r.text)
	if err != nil {
		return nil
	}
	y := &yamlReader{collector: newCollector(r.text), words: map[string]bool{}}
	for _, root := range y.roots(docs) {
		for _, list := range root.children {
			if list.key != key || list.kind != listNode {
				continue
			}
			out := []logged{}
			for _, el := range list.children {
				out = append(out, r.logged(el))
			}
			return out
		}
	}
	return nil
}

// records makes a handoff of each dated object of a JSON log: a list of them,
// or one after the other. It answers nil for any other JSON.
func (r *reader) records(o outline) []*Document {
	var all []logged
	dated := 0
	for _, el := range r.objects() {
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
	seen := map[string]int{}
	at := 0
	for i, l := range all {
		e := entry{key: r.recordKey(l.fields), start: at, end: l.span.End}
		if i == len(all)-1 {
			e.end = len(r.text)
		}
		if seen[e.key]++; seen[e.key] > 1 {
			e.key = fmt.Sprintf("%s#%d", e.key, seen[e.key])
		}
		docs = append(docs, r.document(l.outline, e))
		at = e.end
	}
	docs[0].Problems = append(o.problems, docs[0].Problems...)
	return docs
}

// maxRecords bounds the handoffs of one file.
const maxRecords = 10_000

// objects lists the objects of a JSON text that are not inside another, up to
// its first fault; what stands behind that is not lost, see readJSON.
func (r *reader) objects() []node {
	if len(r.text) > maxJSON {
		return nil
	}
	j := &jsonReader{collector: newCollector(r.text), dec: json.NewDecoder(strings.NewReader(r.text))}
	j.dec.UseNumber()
	var out []node
	for len(out) < maxRecords {
		root, err := j.document()
		if err != nil {
			if rest := strings.TrimSpace(r.text[j.end:]); rest != "" {
				return nil
			}
			return out
		}
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
	return slug(date + " " + name)
}
