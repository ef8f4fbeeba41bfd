package parse

import (
	"slices"
	"strings"
)

// derive fills in what follows from fields and sections.
func (r *reader) derive(d *Document, text []piece) {
	d.Sections = slices.Grow(d.Sections, len(text))
	named := map[string]int{}
	for i := range text {
		p := &text[i]
		switch p.Kind {
		case State:
			r.stateFields(d, p)
		case Approaches, Worked, Failed, Partial:
			d.Approaches = append(d.Approaches, splitApproaches(p)...)
		}
		r.files(d, *p, named)
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
	r.states(d, text)
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
	ends := map[File]bool{} // the last words of names with blanks, by line
	for _, f := range found {
		if i := strings.LastIndexByte(f.Path, ' '); i >= 0 {
			ends[File{Path: f.Path[i+1:], Line: f.Line}] = true
		}
	}
	for i, f := range append(found, mentionedFiles(p)...) {
		if i >= listed && ends[File{Path: f.Path, Line: f.Line}] {
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
