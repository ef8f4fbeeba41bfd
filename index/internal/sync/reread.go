package sync

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
)

// rereadMoved plans to read the files again that belong to another project now because files
// appeared or went: the first handoff of a project may appear together with the folder that makes
// it one. A folder that becomes a project without a new handoff is noticed with the next new
// handoff.
func (r *refresher) rereadMoved() error {
	if r.build {
		return nil
	}
	changed := map[string]bool{}
	for _, c := range r.plan.changes {
		changed[c.Path] = true
	}
	for _, dir := range r.affectedDirs() {
		low, high := rangeBelow(dir)
		files, err := r.stock.q.FilesBelow(r.stock.ctx, sqlitedb.FilesBelowParams{Low: low, High: high})
		if err != nil {
			return err
		}
		for _, f := range files {
			old, err := r.indexedAt(f.Path)
			if err != nil {
				return err
			}
			if old == nil || !old.seen || changed[f.Path] {
				continue
			}
			project, err := r.loader.projectAt(f.Path, old.scan.root.Path)
			if err != nil {
				return err
			}
			if project.Root != f.Root {
				changed[f.Path] = true
				r.forceRead(old)
			}
		}
	}
	return nil
}

// rereadCopies plans to read again the copies, in further work trees, of files that are gone: a
// copy becomes the handoff. The original may still exist, but no walk finds it any more.
func (r *refresher) rereadCopies() error {
	if r.build {
		return nil
	}
	for _, gone := range r.plan.gone {
		top, _ := gitinfo.FindTop(filepath.Dir(gone.path))
		rel, _ := fsx.Relative(gone.path, top)
		for _, tree := range gitinfo.FurtherWorkTrees(top) {
			path := filepath.Join(tree, filepath.FromSlash(rel))
			if r.dirs.byPath[filepath.Dir(path)] == nil {
				continue
			}
			old, err := r.indexedAt(path)
			if err != nil {
				return err
			}
			isPlanned := func(c change) bool { return c.Path == path }
			if old != nil && old.seen && old.id >= 0 && !slices.ContainsFunc(r.plan.changes, isPlanned) {
				r.forceRead(old)
			}
		}
	}
	return nil
}

// affectedDirs returns the folders in which a folder appeared or went together with a handoff, as
// far as the index can tell.
func (r *refresher) affectedDirs() []string {
	isNew := func(c change) bool { return c.old == nil }
	if !slices.ContainsFunc(r.plan.changes, isNew) && len(r.plan.gone) == 0 {
		return nil
	}
	before, after := folders{}, folders{}
	for path, d := range r.dirs.byPath {
		if d.had > 0 {
			before.add(path)
		}
		if d.found > 0 {
			after.add(path)
		}
	}
	for path, f := range r.held {
		if f.id >= 0 {
			before.add(filepath.Dir(path))
		}
		if f.seen {
			after.add(filepath.Dir(path))
		}
	}
	dirs := map[string]bool{}
	for _, c := range r.plan.changes {
		if isNew(c) {
			before.addAffected(c.Path, dirs)
		}
	}
	for _, f := range r.plan.gone {
		after.addAffected(f.path, dirs)
	}
	return slices.Sorted(maps.Keys(dirs))
}

// folders is the set of all folders that contain files, at any depth.
type folders map[string]bool

// add adds dir and all folders around it.
func (f folders) add(dir string) {
	for ; !f[dir]; dir = filepath.Dir(dir) {
		f[dir] = true
	}
}

// addAffected adds two folders to dirs: the nearest folder of f above the file at path, unless the
// file's own folder is in f, and the folder that the file itself marks as a project.
func (f folders) addAffected(path string, dirs map[string]bool) {
	for _, mark := range project.Marks {
		if dir, ok := strings.CutSuffix(filepath.ToSlash(path), "/"+mark); ok {
			dirs[filepath.FromSlash(dir)] = true
		}
	}
	dir := filepath.Dir(path)
	if f[dir] {
		return
	}
	for !f[dir] && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	dirs[dir] = true
}

// notWalked returns the directories of the index that no walk found, though a walk of this refresh
// would have.
func (r *refresher) notWalked() (list []*directory) {
	for path, d := range r.dirs.byPath {
		if d.scan == nil && r.coveringScan(path, d.root) != nil {
			list = append(list, d)
		}
	}
	return list
}

// coveringScan returns the scan that would have found path if it still existed: the scan of the
// root with the id root or, if that root is not searched now, of a root around it. It returns nil
// if there is none.
func (r *refresher) coveringScan(path string, root int64) *scan {
	own := slices.ContainsFunc(r.plan.scans, func(s *scan) bool { return s.id == root })
	for _, s := range r.plan.scans {
		if (s.id == root || !own) && !s.blind && s.covers(path) {
			return s
		}
	}
	return nil
}

// isRemoved reports whether a file that no walk found is no longer a handoff: its folder was listed
// without it, or no rule takes it now. The rules of another root do not decide, and a file on a
// disk that is not mounted is kept.
func (r *refresher) isRemoved(path string, f *indexed) bool {
	s := r.coveringScan(path, f.root)
	if s == nil || slices.ContainsFunc(s.walk.Troubles,
		func(t discover.Trouble) bool { return fsx.Within(path, t.Path) }) {
		return false
	}
	_, err := fsx.Lstat(path)
	switch {
	case fsx.Vanished(err):
		point := r.dirs.unmounted(path, f.stat.Dev)
		if point == "" || r.o.Prune {
			return true
		}
		s.away[point]++
		for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
			if d := r.dirs.byPath[dir]; d != nil {
				d.recheck()
			}
			if dir == point {
				break
			}
		}
		return false
	case err == nil && s.id != f.root:
		return false
	case err == nil:
		// What its name does not make a handoff was found by a link, which may
		// are in a folder that could not be read.
		named, _ := discover.Why(path, s.root)
		return named || len(s.walk.Troubles) == 0
	}
	r.plan.troubles = append(r.plan.troubles, discover.NewTrouble(path, err))
	return false
}

// unmounted returns the folder at which the disk of the file at path was mounted, if that disk is
// not mounted any more, else "". That is so if the nearest existing folder of the path is on the
// same disk as one above it that, when the index last saw both, was on another disk than the file.
// It compares the recorded numbers, as a disk can come back with another number, and those of
// folders, as an overlay numbers files in its own way. Folders that the index does not know are
// compared by the number that they have now, unless the disk has that one, too. number is for a
// file in such a folder.
func (ds *directories) unmounted(path string, number uint64) (point string) {
	dir := filepath.Dir(path)
	disk, here := cmp.Or(ds.disk(dir), number), uint64(0)
	for ; ; dir = filepath.Dir(dir) {
		st, err := fsx.Follow(dir)
		here = cmp.Or(here, st.Dev)
		switch {
		case err == nil && cmp.Or(ds.disk(dir), st.Dev) != disk:
			if st.Dev == here && ds.renumbered[disk] != here {
				return cmp.Or(point, dir)
			}
			return ""
		case dir == filepath.Dir(dir):
			return ""
		}
		point = dir
	}
}
