package sync

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/store"
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

// place plans to read a version, unless the index has it unchanged. It reports whether
// it could.
func (v *versionSync) place(c *archive.Content, origin string, s *scan, later []content) bool {
	r := v.r
	path := v.a.Path(c.Name)
	v.wanted[path], s.hasVersions = true, true
	old := r.earlier[path]
	if r.carried[path] {
		return false
	}
	if old != nil && old.root == s.id && old.stat.CtimeNS == c.Mtime && !v.readAgain(old) && old.replacedBy(later) {
		return true
	}
	err := v.a.Describe(c)
	if err == nil && c.About.Origin != origin {
		err = archive.ErrChecksum
	}
	if err != nil {
		v.doubt(c, err)
		v.leave([]*archive.Content{c})
		return false
	}
	ver := &version{Sidecar: c.About, mtime: c.Mtime, later: later}
	v.changes = append(v.changes, change{
		File: discover.File{Path: path, Stat: fsx.Stat{Size: c.About.Size, MtimeNS: c.Written}}, scan: s, old: old,
		origin: ver.origin(), force: true, version: ver,
	})
	return true
}

// readAgain reports whether a version must be read again though its copy is as it was:
// what it was read with changed, or what its project is called.
func (v *versionSync) readAgain(old *indexed) bool {
	r := v.r
	return r.build || old.isOfAnotherZone() || v.anew[old.versionOf] || r.renamed
}

// replacedBy reports whether what came after a version is what it was read with.
func (k *indexed) replacedBy(later []content) bool {
	list, ok := deps.Parse(k.deps)
	next := ""
	if len(later) > 0 {
		next = later[0].sum
	}
	isOther := func(d deps.Dependency) bool { return d.Size == deps.Successor && d.Sum != next }
	return ok && !slices.ContainsFunc(list, isOther)
}

// doubt reports why a version cannot be made out for now. What was removed
// meanwhile the next refresh misses.
func (v *versionSync) doubt(c *archive.Content, err error) {
	v.r.archive.Folder = ""
	if !fsx.Vanished(err) {
		v.r.addTrouble(discover.NewTrouble(v.a.Path(c.Name), err))
	}
}

// leave keeps versions as they are. A build has to take them over.
func (v *versionSync) leave(contents []*archive.Content) {
	for _, c := range contents {
		path := v.a.Path(c.Name)
		v.wanted[path] = true
		if v.r.build && v.r.earlier[path] != nil && !v.r.carried[path] {
			v.r.unread[path] = errors.New("its file, or another version of it, cannot be read")
		}
	}
}

// leaveAll makes a build take over all versions as they are.
func (v *versionSync) leaveAll() {
	for path := range v.r.earlier {
		if v.r.build && !v.r.carried[path] {
			v.r.unread[path] = errors.New("the archive cannot be listed")
		}
	}
}

// write writes what was decided.
func (v *versionSync) write(ctx context.Context, w *writer) error {
	r := v.r
	for _, s := range r.plan.scans {
		if s.hasVersions {
			if err := w.putRoot(ctx, s, r.now); err != nil {
				return err
			}
		}
	}
	if !r.build {
		var stale []int64
		for path, f := range r.earlier {
			if done, looked := v.decided[f.versionOf]; looked && done && !v.wanted[path] {
				stale = append(stale, f.id)
			}
		}
		if err := w.remove(ctx, stale, true); err != nil {
			return err
		}
		w.ids = ids.New(w.occupied(ctx)) // the ids that were taken from files are free
	}
	if err := r.readAndWrite(ctx, v.changes); err != nil {
		return err
	}
	var settled []string
	for path, done := range v.decided {
		if done && !r.failed[path] {
			settled = append(settled, path)
		}
	}
	list := store.TextList(settled)
	if err := w.q.SettleArchived(ctx, list); err != nil {
		return err
	}
	return w.q.ForgetArchived(ctx, list)
}
