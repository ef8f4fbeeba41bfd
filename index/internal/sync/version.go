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

// A version describes the earlier version of a file that a change reads.
type version struct {
	archive.Sidecar
	mtime int64     // of the copy, in nanoseconds
	later []content // what came after it, in order
}

// A content is a text that can be read: of a file in a root, or of a copy in the archive. sum is
// the first half of its digest.
type content struct {
	path, sum string
	copied    bool
}

// origin returns the text from which the public ids of a version are made.
func (v *version) origin() string { return v.Origin + "@" + v.SHA256 }

// place returns the path that decides how a change is parsed and to which project it belongs: the
// path of the file, or for an earlier version the path that it was at.
func (c *change) place() string {
	if c.version != nil {
		return c.version.Origin
	}
	return c.Path
}

// projectOf returns the project of the file or version of a change. For a version whose folder is
// gone, it is the project in the sidecar.
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

// readVersion reads and parses an earlier version from the archive into o. A wrong checksum rejects
// it. For a log, only entries that the next version no longer has become handoffs.
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

// next returns the content that came after a version and the first half of its digest: the first of
// v.later that exists and, if it is in the archive, has the right digest. sum is "" if there is
// none.
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

// dropped returns the entries of a log that its next content no longer has, so that an entry is
// found once however often the log was written. raw is the log, next the next content.
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

// keepOverwritten stores raw, the content of the file of o, in the archive if it is a file that
// sessions overwrite. For a new file it does not wait for the disk, because nothing is lost yet.
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

// replaces reports whether the next session overwrites the file: by its path, by its format, or
// because its one handoff was seen to change. A log that only grows keeps its earlier entries
// itself.
func (o *outcome) replaces(docs []*parse.Document) bool {
	if discover.IsOverwritten(o.Path) {
		return true
	}
	changed := o.old != nil && o.sha != "" && o.sha != o.sum
	return len(docs) == 1 && (changed || parse.LatestBy(docs[0].Format) == parse.Current)
}

// place plans to read the version c of the path origin, unless the index has it unchanged. later is
// what came after it. It reports whether the version is in the index or planned; if not, the path
// stays undecided.
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

// readAgain reports whether a version must be read again though its copy has not changed: a
// neighbour that it was read with, the time zone or the name of its project may have changed.
func (v *versionSync) readAgain(old *indexed) bool {
	r := v.r
	return r.build || old.isOfAnotherZone() || v.anew[old.versionOf] || r.renamed
}

// replacedBy reports whether the content that came after a version is still the one that it was
// read with.
func (k *indexed) replacedBy(later []content) bool {
	list, ok := deps.Parse(k.deps)
	next := ""
	if len(later) > 0 {
		next = later[0].sum
	}
	isOther := func(d deps.Dependency) bool { return d.Size == deps.Successor && d.Sum != next }
	return ok && !slices.ContainsFunc(list, isOther)
}

// doubt reports that the version c cannot be read now because of err, and makes the next refresh
// list the archive again. A vanished file is no trouble: the next refresh notices that it is gone.
func (v *versionSync) doubt(c *archive.Content, err error) {
	v.r.archive.Folder = ""
	if !fsx.Vanished(err) {
		v.r.addTrouble(discover.NewTrouble(v.a.Path(c.Name), err))
	}
}

// leave keeps versions in the index as they are. A build starts again to copy their rows.
func (v *versionSync) leave(contents []*archive.Content) {
	for _, c := range contents {
		path := v.a.Path(c.Name)
		v.wanted[path] = true
		if v.r.build && v.r.earlier[path] != nil && !v.r.carried[path] {
			v.r.unread[path] = errors.New("its file, or another version of it, cannot be read")
		}
	}
}

// leaveAll keeps all versions as they are, because the archive cannot be listed. A build starts
// again to copy their rows.
func (v *versionSync) leaveAll() {
	for path := range v.r.earlier {
		if v.r.build && !v.r.carried[path] {
			v.r.unread[path] = errors.New("the archive cannot be listed")
		}
	}
}

// write writes the decided versions to the index, removes those that are none any more, and marks
// their paths as decided.
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
