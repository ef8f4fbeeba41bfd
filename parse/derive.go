package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/paths"
	"handex/parse/internal/scan"
	"handex/parse/internal/topic"
)

// derive fills in what follows from fields and sections.
func (r *reader) derive(d *Document, text []placedSection) {
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
		d.Items = topic.AppendItems(d.Items, p.Kind, p.Heading, p.Body, 0)
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
		f, _ := d.Field("progress")
		d.Fields = append(d.Fields, Field{"status", f.Label, "completed", f.Span})
	}
	r.states(d, text)
	if name := r.format.legacyWithout; name != "" && d.Key == "" {
		_, versioned := d.Field(name)
		d.Legacy = !versioned
	}
}

// files adds the files a section names, each once: what a line says
// was done to it counts over a mention.
func (r *reader) files(d *Document, p placedSection, named map[string]int) {
	var found []paths.Ref
	if p.Kind == Files {
		found = paths.Listed(p.Heading, p.Body, r.isFileList(p))
	}
	listed := len(found)
	ends := map[paths.Ref]bool{} // the last words of names with blanks, by line
	for _, f := range found {
		if i := strings.LastIndexByte(f.Path, ' '); i >= 0 {
			ends[paths.Ref{Path: f.Path[i+1:], Line: f.Line}] = true
		}
	}
	for i, ref := range append(found, paths.Mentioned(p.Heading, p.Body)...) {
		if i >= listed && ends[paths.Ref{Path: ref.Path, Line: ref.Line}] {
			continue
		}
		f := File{Path: ref.Path, Action: ref.Action, Section: p.Kind, Line: p.Span.Line}
		if ref.Line >= 0 {
			f.Line = p.line(ref.Line)
		}
		switch i, have := named[f.Path]; {
		case have && d.Files[i].Action == "" && f.Action != "":
			d.Files[i] = f
		case !have && len(d.Files) < maxFiles:
			named[f.Path] = len(d.Files)
			d.Files = append(d.Files, f)
		}
	}
}

// isFileList reports whether a section is a list which the specification has
// hold paths and nothing else.
func (r *reader) isFileList(p placedSection) bool {
	return r.format.layout != nil && slices.ContainsFunc(r.format.layout.Keys, func(s Slot) bool {
		return s.Field == FileList && (scan.NormalKey(s.Key) == scan.NormalKey(p.Heading) || ActionLists[p.Slug])
	})
}

// ActionLists are the lists of files something was done to, beside the one of
// the specification.
var ActionLists = scan.Set("files-created", "files-modified", "files-deleted", "files-renamed")

// maxFiles bounds the files of one document.
const maxFiles = 500
