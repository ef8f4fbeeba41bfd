package sync

import (
	"bytes"
	"errors"
	"path/filepath"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/parse"
)

// A version is what a change needs to know that is an earlier version of a file.
type version struct {
	archive.Sidecar
	mtime int64     // of the copy, in nanoseconds
	later []content // what came after it, in order
}

// A content is one that can be read: in a root, or copied to the archive. sum is the
// first half of its digest.
type content struct {
	path, sum string
	copied    bool
}

// origin returns what the public ids of a version are made of.
func (v *version) origin() string { return v.Origin + "@" + v.SHA256 }

// place returns the path by which a change is judged: that of the file, or where an
// earlier version of it was.
func (c *change) place() string {
	if c.version != nil {
		return c.version.Origin
	}
	return c.Path
}

// projectOf finds the project of a change. That of a version whose folder is gone
// is what it was.
func (l *loader) projectOf(c *change) (project.Project, error) {
	if v := c.version; v != nil && v.Project != "" {
		switch _, err := fsx.Lstat(filepath.Dir(v.Origin)); {
		case err != nil && fsx.Vanished(err):
			return project.Project{Root: v.Project, Name: v.Name}, nil
		case fsx.IsTemporary(err):
			return project.Project{}, err
		}
	}
	return l.projectAt(c.place(), c.scan.root.Path)
}

// readVersion fills in the outcome of an earlier version.
func (l *loader) readVersion(o *outcome) {
	raw, st, err := fsx.ReadSettled(o.Path, fsx.MaxFile)
	// Of the copy, only this is of the version, but its mtime shows another
	// sidecar.
	o.stat = fsx.Stat{Size: st.Size, MtimeNS: o.version.Written.UnixNano(), CtimeNS: o.version.mtime}
	if err != nil {
		o.setError(err)
		return
	}
	if fsx.ContentSum(raw) != o.version.SHA256 {
		o.kind, o.reason = rejected, archive.ErrChecksum
		return
	}
	o.sum = o.version.SHA256[:fsx.HalfLength]
	docs := l.parse(o, raw)
	if len(docs) > 1 {
		next, sum, err := o.version.next()
		if err != nil {
			o.setError(err)
			return
		}
		o.deps = append(o.deps, deps.Dependency{Size: deps.Successor, Sum: sum})
		docs = dropped(docs, raw, next)
	}
	for _, d := range docs {
		o.records = append(o.records, newRecord(d, raw))
	}
}

// next reads what came after a version: the first content that is there and, if it
// is of the archive, has its digest. Without a sum nothing came after it.
func (v *version) next() (raw []byte, sum string, err error) {
	for _, c := range v.later {
		raw, _, err := fsx.ReadSettled(c.path, fsx.MaxFile)
		switch {
		case err != nil && (fsx.Vanished(err) || errors.Is(err, fsx.ErrTooLarge) || errors.Is(err, fsx.ErrNotRegular)):
			continue
		case err != nil:
			return nil, "", err
		}
		if sum := fsx.HalfSum(raw); sum == c.sum || !c.copied {
			return raw, sum, nil
		}
	}
	return nil, "", nil
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

// keepOverwritten archives the content of a file that is overwritten. Of one that is
// new nothing is lost yet, so that nobody has to wait for the disk.
func (l *loader) keepOverwritten(o *outcome, raw []byte, docs []*parse.Document) {
	if o.shared != nil { // git keeps what it said
		return
	}
	if !l.archive.On() || len(bytes.TrimSpace(raw)) == 0 || !o.replaces(docs) &&
		l.archive.ByOwner()[archive.Key(o.Path)] == nil {
		return
	}
	l.archive.Add(archive.SidecarOf(o.Path, o.scan.root, o.project, o.stat.MtimeNS), raw, o.old != nil)
}

// replaces reports whether a file that was read is one whose content the next
// session replaces: by its path, by its format, or because it was seen to change.
// A file of several handoffs that only grows keeps what it was by itself.
func (o *outcome) replaces(docs []*parse.Document) bool {
	if discover.IsOverwritten(o.Path) {
		return true
	}
	changed := o.old != nil && o.sha != "" && o.sha != o.sum
	return len(docs) == 1 && (changed || parse.LatestBy(docs[0].Format) == parse.Current)
}
