package sync

import (
	"context"
	"errors"
	"slices"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/store"
)

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
	return ok && !slices.ContainsFunc(list, func(d deps.Dependency) bool { return d.Size == deps.Successor && d.Sum != next })
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
