package sync

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

// notWalked lists the directories that no walk came by though one could have.
func (r *refresher) notWalked() (list []*directory) {
	for path, d := range r.dirs.byPath {
		if d.scan == nil && r.coveringScan(path, d.root) != nil {
			list = append(list, d)
		}
	}
	return list
}

// coveringScan returns the scan that would have found a path of a root if it were
// still there: that of the root itself, or where it is not searched now, of one around
// it.
func (r *refresher) coveringScan(path string, root int64) *scan {
	own := slices.ContainsFunc(r.plan.scans, func(s *scan) bool { return s.id == root })
	for _, s := range r.plan.scans {
		if (s.id == root || !own) && !s.blind && s.covers(path) {
			return s
		}
	}
	return nil
}

// isRemoved reports whether a file that was not found is no longer a handoff: its
// folder was listed and it was not in it, or no rule takes it now. The rules of
// another root do not decide, and what was on a disk that is not mounted is kept.
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

// unmounted returns the folder at which the disk was mounted that a file was on, if it is
// not mounted any more: the nearest folder of its path that is there is on the same
// disk as one above it, which contained another disk than the file's when the index last saw
// both. It compares what was seen then, as a disk can come back with another number, and
// by folders, as an overlay numbers files in its own way. Folders that the index does not
// know are compared by the number that they have now, unless the disk has that one, too.
// number is for a file in such a folder.
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
