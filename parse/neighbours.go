package parse

import (
	"path"
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
)

var ledgerLine = scan.Pattern(`^\s*[-*+]\s+\[([ xX])\].*\]\(([^()]+)\)`)

// neighbours adds to a document what other files say about it: whether the ledger marks it
// as processed, and the prose that a manifest names.
func (r *reader) neighbours(d *Document) {
	if text, err := r.neighbour(r.format.ledger); err == nil {
		d.Processed = processed(text, path.Base(r.src.Path))
	}
	if f, ok := d.Field(r.format.prose); ok && r.format.prose != "" {
		r.prose(d, f)
	}
}

// processed returns whether a ledger ticks the file with a name, nil if it does not list the
// file.
func processed(ledger, name string) *bool {
	for line := range strings.SplitSeq(ledger, "\n") {
		m := ledgerLine().FindStringSubmatch(line)
		if m != nil && path.Base(m[2]) == name {
			done := m[1] != " "
			return &done
		}
	}
	return nil
}

// prose reads the file that field f of a manifest names, and adds its text and facts to the
// manifest. A path outside of the project and a file that cannot be read are problems. Of
// the places in the other file only the lines are kept.
func (r *reader) prose(d *Document, f Field) {
	rel := path.Join(r.format.proseRoot, f.Value)
	if path.IsAbs(f.Value) || !strings.HasPrefix(path.Clean(rel), r.format.proseRoot+"/") ||
		strings.Contains(rel, "../..") {
		r.addProblem(d, "source-outside", f.Span, "%q is outside the project; not read", f.Value)
		return
	}
	if r.src.Neighbour == nil {
		return
	}
	raw, err := r.src.Neighbour(rel)
	if err != nil {
		r.addProblem(d, "source-missing", f.Span, "%s is missing or cannot be read", f.Value)
		return
	}
	text := Parse(Source{Path: path.Base(f.Value), Bytes: raw, ModTime: r.src.ModTime, Zone: r.src.Zone})
	for _, t := range text {
		r.merge(d, t)
	}
}

// merge adds the text and facts of document t to d. A field that d has already is added as a
// meta field.
func (r *reader) merge(d, t *Document) {
	d.Head += "\n" + t.Head
	for _, s := range t.Sections {
		s.Span = Span{Line: s.Span.Line, EndLine: s.Span.EndLine}
		d.Sections = append(d.Sections, s)
	}
	for _, f := range t.Fields {
		if _, asWritten := t.Field("meta.status"); f.Key == "status" && asWritten {
			continue // its own words follow as meta.status
		}
		if _, have := d.Field(f.Key); have && !strings.HasPrefix(f.Key, "meta.") {
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
	d.Blocked, d.BlockedBy = d.Blocked || t.Blocked, append(d.BlockedBy, t.BlockedBy...)
	d.Waiting, d.WaitsFor = d.Waiting || t.Waiting, append(d.WaitsFor, t.WaitsFor...)
	for _, f := range t.Files {
		if !slices.ContainsFunc(d.Files, func(have File) bool { return have.Path == f.Path }) {
			d.Files = append(d.Files, f)
		}
	}
}
