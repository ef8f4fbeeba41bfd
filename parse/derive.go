package parse

import (
	"slices"
	"strings"
)

// derive fills in what follows from fields and sections.
func (r *reader) derive(d *Document, text []piece) {
	d.Sections = slices.Grow(d.Sections, len(text))
	named := map[string]int{}
	for _, p := range text {
		switch p.Kind {
		case State:
			r.stateFields(d, &p)
		case Approaches, Worked, Failed, Partial:
			d.Approaches = append(d.Approaches, splitApproaches(&p)...)
		}
		r.files(d, p, named)
		first := len(d.Items)
		d.Items = appendItems(d.Items, p.Kind, p.Heading, p.Body, 0)
		for i := range d.Items[first:] {
			it := &d.Items[first+i]
			if it.Line < 0 {
				it.Line = p.Span.Line // the heading
			} else {
				it.Line = p.line(it.Line)
			}
		}
		d.Sections = append(d.Sections, p.Section)
	}
	if r.format.stateKeys && !d.says("status") && saysComplete(d) {
		f, _ := d.field("progress")
		d.Fields = append(d.Fields, Field{"status", f.Label, "completed", f.Span})
	}
	r.states(d)
	if name := r.format.legacyWithout; name != "" && d.Key == "" {
		_, versioned := d.field(name)
		d.Legacy = !versioned
	}
}

// files adds the files a section names, each once: what a line says
// was done to it counts over a mention.
func (r *reader) files(d *Document, p piece, named map[string]int) {
	var found []File
	if p.Kind == Files {
		found = filesOf(p, r.isFileList(p))
	}
	listed := len(found)
	for i, f := range append(found, mentionedFiles(p)...) {
		if i >= listed && isEndOf(f, found[:listed]) {
			continue
		}
		f.Section = p.Kind
		switch i, have := named[f.Path]; {
		case have && d.Files[i].Action == "" && f.Action != "":
			d.Files[i] = f
		case !have && len(d.Files) < maxFiles:
			named[f.Path] = len(d.Files)
			d.Files = append(d.Files, f)
		}
	}
}

// isEndOf reports whether a file is the last word of the name of one on its line.
func isEndOf(f File, list []File) bool {
	return slices.ContainsFunc(list, func(l File) bool { return l.Line == f.Line && strings.HasSuffix(l.Path, " "+f.Path) })
}
