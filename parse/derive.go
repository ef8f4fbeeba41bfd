package parse

import (
	"slices"
	"strings"
)

// derive fills in what follows from fields and sections.
func (r *reader) derive(d *Document, text []piece) {
	d.Sections = slices.Grow(d.Sections, len(text))
	for _, p := range text {
		switch p.Kind {
		case State:
			r.stateFields(d, &p)
		case Approaches, Worked, Failed, Partial:
			d.Approaches = append(d.Approaches, splitApproaches(&p)...)
		case Files:
			d.Files = append(d.Files, filesOf(p, r.isFileList(p))...)
		}
		first := len(d.Items)
		d.Items = appendItems(d.Items, p.Kind, p.Body, 0)
		for i := range d.Items[first:] {
			it := &d.Items[first+i]
			it.Line = p.line(it.Line)
		}
		d.Sections = append(d.Sections, p.Section)
	}
	if r.format.stateKeys && !d.says("status") && saysComplete(d) {
		f, _ := d.field("progress")
		d.Fields = append(d.Fields, Field{"status", f.Label, "completed", f.Span})
	}
	d.Blocked = blocked(d)
	if name := r.format.legacyWithout; name != "" && d.Key == "" {
		_, versioned := d.field(name)
		d.Legacy = !versioned
	}
}

// blocked reports a blocked status or a blocker that is not "none".
func blocked(d *Document) bool {
	for _, f := range d.Fields {
		if f.Key == "status" && f.Value == "blocked" {
			return true
		}
		if strings.HasPrefix(f.Key, "meta.") && kindOf(f.Label) == Blockers && !saysNone(f.Value) {
			return true
		}
	}
	for _, s := range d.Sections {
		if len(s.Parts) == 0 && s.Kind == Blockers && !saysNone(s.Body) {
			return true
		}
		for _, p := range s.Parts {
			if _, value, ok := keyed(p.Text); p.Kind == Blockers && (ok && !saysNone(value) || !ok && !saysNone(p.Text)) {
				return true
			}
		}
	}
	return false
}
