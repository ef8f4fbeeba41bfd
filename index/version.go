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
	sum   string    // of the content, in hex
	mtime int64     // of the copy, in nanoseconds
	later []holding // what came after it, in order
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
		switch _, err := lstat(filepath.Dir(v.Origin)); {
		case err != nil && vanished(err):
			return Project{Root: v.Project, Name: v.Name}, nil
		case isPassing(err):
			return Project{}, err
		}
	}
	return l.projects.of(c.place(), c.scan.root.Path)
}

// readVersion fills in the outcome of an earlier version.
func (l *loader) readVersion(o *outcome) {
	raw, st, err := readSettled(o.Path, maxFile)
	// Nothing else about the copy is of the version, but its mtime tells another
	// sidecar.
	o.stat = Stat{Size: st.Size, MtimeNS: o.version.Written.UnixNano(), CtimeNS: o.version.mtime}
	if err != nil {
		o.fail(err)
		return
	}
	if contentSum(raw) != o.version.sum {
		o.kind, o.reason = rejected, errNotKept.Error()
		return
	}
	o.sum = o.version.sum[:32]
	docs := l.parse(o, raw)
	if len(docs) > 1 {
		next, err := o.version.next()
		if err != nil {
			o.fail(err)
			return
		}
		o.deps = append(o.deps, dependency{size: successor, sum: next.sum})
		docs = dropped(docs, raw, next.text)
	}
	for _, d := range docs {
		o.records = append(o.records, newRecord(d, raw))
	}
}

// A text is what came after a version; without a sum nothing did.
type text struct {
	sum  string
	text []byte
}

// next reads what came after a version: the first content that is there and, if it
// is of the archive, is what was kept.
func (v *version) next() (text, error) {
	for _, s := range v.later {
		raw, _, err := readSettled(s.path, maxFile)
		if err != nil && !isNoContent(err) {
			return text{}, err
		}
		sum := halfSum(raw)
		if err == nil && (sum == s.sum || !s.copied) {
			return text{sum, raw}, nil
		}
	}
	return text{}, nil
}

// dropped leaves out the entries of a log that its next text still holds, so that
// an entry is found once however often the log was written.
func dropped(docs []*parse.Document, raw, next []byte) []*parse.Document {
	var list []*parse.Document
	for _, d := range docs {
		start, end := d.Span.Start, d.Span.End
		if len(d.Sections) > 0 {
			start = d.Sections[0].Span.Start // what is above the first is of the whole log
		}
		if start < 0 || end > len(raw) || start >= end || !bytes.Contains(next, bytes.TrimSpace(raw[start:end])) {
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
