package sync

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
)

// rereadMoved plans to read again the files that belong to another project now that
// files came or went: with the first handoff of a project may come the folder that
// makes it one. A folder that becomes a project without any handoff coming is noticed
// when the next one comes.
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
	return r.readDetails()
}

// rereadCopies plans to read the copies in further work trees again of files that are
// gone from the index: they may be there, and no walk takes them any more.
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

// affectedDirs lists the folders in which a folder came or went with a handoff, as
// far as the index can know.
func (r *refresher) affectedDirs() []string {
	var fresh []string
	for _, c := range r.plan.changes {
		if c.old == nil {
			fresh = append(fresh, c.Path)
		}
	}
	if len(fresh) == 0 && len(r.plan.gone) == 0 {
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
	for _, path := range fresh {
		before.addAffected(path, dirs)
	}
	for _, f := range r.plan.gone {
		after.addAffected(f.path, dirs)
	}
	return slices.Sorted(maps.Keys(dirs))
}

// folders are all folders that contain files, at any depth.
type folders map[string]bool

func (f folders) add(dir string) {
	for ; !f[dir]; dir = filepath.Dir(dir) {
		f[dir] = true
	}
}

// addAffected adds the nearest of the folders that the file at path is below, unless
// the file's own folder is one of them, and the folder that the file itself
// marks as a project.
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
