package index

import (
	"bytes"
	"errors"
	"path/filepath"
	"time"

	"handex/parse"
)

// A version is what a change needs to know that is an earlier version of a file.
type version struct {
	kept
	sum  string // of the content, in hex
	next string // where the version that replaced it can be read; "" if nothing did
}

// origin is what the public ids of a version are made of.
func (v *version) origin() string { return v.Origin + "@" + v.sum }

// place is the path by which a change is judged: that of the file, or where an
// earlier version of it was.
func (c *change) place() string {
	if c.version != nil {
		return c.version.Origin
	}
	return c.Path
}

var errNotKept = errors.New("is not what was kept")

// projectOf finds the project of a change. That of a version whose folder is gone
// is what it was.
func (l *loader) projectOf(c *change) (Project, error) {
	if v := c.version; v != nil && v.Project != "" {
		if _, err := lstat(filepath.Dir(v.Origin)); err != nil && vanished(err) {
			return Project{Root: v.Project, Name: v.Name}, nil
		}
	}
	return l.projects.of(c.place(), c.scan.root.Path)
}

// readVersion fills in the outcome of an earlier version.
func (l *loader) readVersion(o *outcome) {
	raw, st, err := readSettled(o.Path, maxFile)
	o.stat = st
	if err != nil {
		o.fail(err)
		return
	}
	if contentSum(raw) != o.version.sum {
		o.kind, o.reason = rejected, errNotKept.Error()
		return
	}
	o.sum = o.version.sum[:32]
	o.stat.MtimeNS = o.version.Written.UnixNano()
	for _, d := range o.version.own(l.parse(o, raw), raw) {
		o.records = append(o.records, newRecord(d, raw))
	}
}

// own leaves out the entries of a log that the version after it still holds, so
// that an entry is found once however often the log was written.
func (v *version) own(docs []*parse.Document, raw []byte) []*parse.Document {
	if len(docs) < 2 || v.next == "" {
		return docs
	}
	after, _, err := readSettled(v.next, maxFile)
	if err != nil {
		return docs
	}
	var list []*parse.Document
	for _, d := range docs {
		start, end := d.Span.Start, d.Span.End
		if len(d.Sections) > 0 {
			start = d.Sections[0].Span.Start // what is above the first is of the whole log
		}
		if start < 0 || end > len(raw) || start >= end || !bytes.Contains(after, bytes.TrimSpace(raw[start:end])) {
			list = append(list, d)
		}
	}
	return list
}

// archive keeps the content of a file that is overwritten. Of one that is new
// nothing is lost yet, so that nobody has to wait for the disk.
func (l *loader) archive(o *outcome, raw []byte, docs []*parse.Document) {
	if !l.kept.on() || len(bytes.TrimSpace(raw)) == 0 || !o.replaces(docs) {
		return
	}
	l.kept.keep(kept{
		Origin: o.Path, Root: o.scan.root.Path, Project: o.project.Root, Name: o.project.Name,
		Written: time.Unix(0, o.stat.MtimeNS).UTC(),
	}, raw, o.old != nil)
}
