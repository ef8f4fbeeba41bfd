package sync

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// syncVersions updates the earlier versions in the index from the archive, after the files
// themselves are written. A content of the archive is an earlier version of a path if it is neither
// the content there nor that of the file that was moved away from there. All contents of a path are
// decided together. If one of the files involved cannot be read, the versions of the path stay as
// they are, and the next refresh decides them.
func (r *refresher) syncVersions(ctx context.Context) error {
	v := &versionSync{
		r: r, a: r.loader.archive, read: map[string]*archive.Content{}, anew: map[string]bool{},
		wanted: map[string]bool{},
	}
	was, known := r.recordedArchive()
	r.archive = was
	changed := v.changedPaths()
	all := false
	if r.o.Only == "" && v.a.On() {
		r.archive.Checked, r.archive.Limits = v.a.KeepBounds(r.archive.Checked, r.archive.Limits)
		all = r.archive.addRoots(r.plan.scans) || !known || r.build
	}
	v.compare()
	hasNews := v.a.On() && len(r.undecided)+len(v.read)+len(v.lost) > 0
	isDropped := !v.a.On() && len(r.earlier) > 0
	if len(changed) == 0 && !all && !hasNews && !isDropped {
		return nil
	}
	w, err := r.writer()
	if err != nil {
		return err
	}
	if err := v.note(ctx, w.q, changed, all); err != nil {
		return err
	}
	switch {
	case !v.a.On():
		return v.drop(ctx, w)
	case v.unlisted:
		v.leaveAll()
		return nil
	}
	if all && !r.build {
		if err := v.secureAll(ctx, w.q); err != nil {
			return err
		}
	}
	if err := v.decideAll(ctx, w.q); err != nil {
		return err
	}
	return v.write(ctx, w)
}

// A versionSync is the state of one run of syncVersions.
type versionSync struct {
	r        *refresher
	a        *archive.Archive
	read     map[string]*archive.Content // contents whose sidecar was read, by name
	lost     []string                    // names of contents that are no longer in the archive
	unlisted bool                        // the archive cannot be listed
	anew     map[string]bool             // paths whose versions are read again

	files   map[string][]*fileContent // what is at a path, or was moved from there
	decided map[string]bool           // paths
	wanted  map[string]bool           // versions, by their path in the archive
	changes []change
}

// A fileContent is a file of the index with the first half of the digest of its content.
type fileContent struct {
	root      int64
	path, sum string
}

// changedPaths returns the paths whose versions have to be decided again: of files that were
// written or are gone, and their former paths, and of versions whose neighbour changed or that may
// belong to another root or project.
func (v *versionSync) changedPaths() []string {
	r := v.r
	changed := map[string]bool{}
	add := func(path string) {
		changed[path] = true
		for _, former := range r.pathHistories()[path].Former() {
			changed[former] = true
		}
	}
	for path := range r.written {
		add(path)
	}
	for _, f := range r.plan.gone {
		add(f.path)
	}
	for i := range r.plan.changes {
		if c := &r.plan.changes[i]; c.force {
			v.anew[c.Path] = true
		}
	}
	for _, f := range r.earlier {
		switch {
		case r.neighbours.Changed(f.versionOf, f.deps):
			changed[f.versionOf], v.anew[f.versionOf] = true, true
		case r.isOfAnotherRoot(f), r.renamed && mayBeNamed(f.versionOf):
			changed[f.versionOf] = true
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// drop removes the versions from the index, because the user keeps no archive. If there is an
// archive again, all paths are decided again.
func (v *versionSync) drop(ctx context.Context, w *writer) error {
	if v.r.o.Only == "" {
		v.r.archive = archiveState{}
	}
	var ids []int64
	paths := map[string]bool{}
	for _, f := range v.r.earlier {
		ids = append(ids, f.id)
		paths[f.versionOf] = true
	}
	if v.r.build {
		return w.q.ReopenAllArchived(ctx)
	}
	if err := w.remove(ctx, ids, true); err != nil {
		return err
	}
	return w.q.ReopenArchived(ctx, store.TextList(slices.Sorted(maps.Keys(paths))))
}

// decideAll decides, for each undecided path, which contents of the archive are its earlier
// versions, and plans to read them. If they are more than RefreshOptions.Most, the oldest wait for
// the next refresh.
func (v *versionSync) decideAll(ctx context.Context, q *sqlitedb.Queries) error {
	r := v.r
	v.decided = map[string]bool{}
	paths, err := q.UndecidedPaths(ctx)
	if err != nil {
		return err
	}
	rows, err := q.ContentsOfPaths(ctx, store.TextList(paths))
	if err != nil {
		return err
	}
	if err := v.readFiles(ctx, q, paths); err != nil {
		return err
	}
	contents := map[string][]*archive.Content{}
	for _, row := range rows {
		if row.MtimeNs < 0 {
			continue
		}
		c := v.read[row.Name]
		if c == nil {
			var ok bool
			if c, _, ok = archive.ParseName(row.Name); !ok {
				return fmt.Errorf("%w: archived content %q", store.ErrCorrupt, row.Name)
			}
			c.Mtime = row.MtimeNs
		}
		c.Written = row.WrittenNs
		contents[row.Path] = append(contents[row.Path], c)
	}
	for _, path := range paths {
		v.decided[path] = v.decide(path, contents[path])
	}
	slices.SortStableFunc(v.changes, func(a, b change) int { return cmp.Compare(a.Stat.MtimeNS, b.Stat.MtimeNS) })
	if most := r.o.Most; r.o.Only != "" && most > 0 && len(v.changes) > most {
		later := v.changes[:len(v.changes)-most]
		for i := range later {
			v.decided[later[i].version.Origin] = false
		}
		v.changes = v.changes[len(later):]
	}
	if r.build {
		slices.Reverse(v.changes) // their ids are given out downwards
	}
	return nil
}

// readFiles reads from the index the digests of the files at the given paths and of moved files,
// and groups them by all paths that they were at. Only the histories say which files were moved:
// the index may know of more moves, but an index that is built from nothing has to decide the same.
func (v *versionSync) readFiles(ctx context.Context, q *sqlitedb.Queries, paths []string) error {
	histories := v.r.pathHistories()
	rows, err := q.LiveContents(ctx, store.TextList(slices.AppendSeq(slices.Clone(paths), maps.Keys(histories))))
	v.files = map[string][]*fileContent{}
	for _, row := range rows {
		f := &fileContent{row.RootID, row.Path, row.Sha256}
		for _, path := range append(histories[f.path].Former(), f.path) {
			v.files[path] = append(v.files[path], f)
		}
	}
	return err
}

// decide finds the earlier versions of path among contents, the archived contents of the path in
// the order of time, and plans to read those that are new or that are followed by another content
// than before. It reports whether it could decide all of them.
func (v *versionSync) decide(path string, contents []*archive.Content) bool {
	r := v.r
	s, ok := v.owner(path)
	if !ok {
		v.leave(contents)
		return false
	}
	if s == nil {
		return true // no root takes the path
	}
	files := v.files[path]
	slices.SortFunc(files, func(a, b *fileContent) int {
		return cmp.Or(cmp.Compare(flag(a.path != path), flag(b.path != path)), strings.Compare(a.path, b.path))
	})
	for _, f := range files {
		if f.path == path && f.sum != "" && !r.build &&
			!slices.ContainsFunc(contents, func(c *archive.Content) bool { return c.Has(f.sum) }) {
			v.secure(s, path, f.sum)
		}
	}
	contents = slices.DeleteFunc(contents, func(c *archive.Content) bool {
		return slices.ContainsFunc(files, func(f *fileContent) bool { return c.Has(f.sum) })
	})
	var later []content
	for _, c := range contents {
		later = append(later, content{v.a.Path(c.Name), c.Sum[:fsx.HalfLength], true})
	}
	for _, f := range files {
		if f.sum != "" {
			later = append(later, content{f.path, f.sum, false})
		}
	}
	for i, c := range contents {
		if !v.place(c, path, s, later[i+1:]) {
			ok = false
		}
	}
	return ok
}

// secure stores the content of the file at path in the archive, which lacks it, if its digest still
// begins with sum.
func (v *versionSync) secure(s *scan, path, sum string) {
	if v.r.loader.mirror.sharedAt(path) != nil {
		return
	}
	if raw, st, err := fsx.ReadSettled(path, fsx.MaxFile); err == nil && fsx.HalfSum(raw) == sum {
		project, _ := v.r.loader.projects.Of(path, s.root.Path)
		v.a.Add(archive.SidecarOf(path, s.root, project, st.MtimeNS), raw, true)
	}
}

// secureAll stores the content of all overwritten files of which the archive has nothing: the
// archive may have been off, or could not be written.
func (v *versionSync) secureAll(ctx context.Context, q *sqlitedb.Queries) error {
	files, err := q.UnarchivedFiles(ctx)
	for _, f := range files {
		if !discover.IsOverwritten(f.Path) {
			continue
		}
		if s, ok := v.r.scanOf(f.Path); ok && s != nil {
			v.secure(s, f.Path, f.Sha256)
		}
	}
	return err
}

// owner returns the scan of the root that the versions of path belong to: that of the file there,
// or else the first that would search the path; nil if there is none. ok is false if this refresh
// cannot decide, so that the versions stay as they are.
func (v *versionSync) owner(path string) (s *scan, ok bool) {
	r := v.r
	if s, ok = r.scanOf(path); !ok || r.unreadable[path] {
		return nil, false
	}
	for _, f := range v.files[path] {
		if r.unreadable[f.path] {
			return nil, false
		}
		if f.path == path {
			i := slices.IndexFunc(r.plan.scans, func(s *scan) bool { return s.id == f.root })
			if i < 0 {
				return nil, false
			}
			s = r.plan.scans[i]
		}
	}
	return s, true
}

// isOfAnotherRoot reports whether an earlier version is recorded for another root than the one that
// would search its path now and, if its file still exists, than that of the file.
func (r *refresher) isOfAnotherRoot(f *indexed) bool {
	s, ok := r.scanOf(f.versionOf)
	if !ok || s == nil || s.id == f.root {
		return false
	}
	now := r.held[f.versionOf]
	return now == nil || now.scan == nil || now.scan.id != f.root
}

// scanOf returns the first scan that would search path, nil if there is none. ok is false if this
// refresh cannot tell, because path is outside its folders or in a root that it does not search.
func (r *refresher) scanOf(path string) (s *scan, ok bool) {
	covered := false
	for _, s := range r.plan.scans {
		if s.covers(path) {
			covered = true
			if rel, _ := fsx.Relative(path, s.root.Path); s.root.Admits(rel) {
				return s, true
			}
		}
	}
	other := slices.ContainsFunc(r.roots, func(row sqlitedb.Root) bool {
		return fsx.Within(path, row.Path) && !slices.ContainsFunc(r.plan.scans, func(s *scan) bool { return s.id == row.ID })
	})
	return nil, !other && (covered || r.o.Only == "")
}
