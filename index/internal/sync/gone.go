package sync

import (
	"path/filepath"
	"slices"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
)

// notWalked lists the directories that no walk came by though one could have.
func (p *planner) notWalked() (list []*directory) {
	for path, d := range p.dirs.byPath {
		if d.scan == nil && p.coveringScan(path, d.root) != nil {
			list = append(list, d)
		}
	}
	return list
}

// coveringScan returns the scan that would have come by a path of a root if it were
// still there: that of the root itself, or where it is not searched now, of one around
// it.
func (p *planner) coveringScan(path string, root int64) *scan {
	own := slices.ContainsFunc(p.plan.scans, func(s *scan) bool { return s.id == root })
	for _, s := range p.plan.scans {
		if (s.id == root || !own) && !s.blind && s.covers(path) {
			return s
		}
	}
	return nil
}

// isGone reports whether a file that was not found is a handoff no more: its
// folder was listed and it was not in it, or no rule takes it now. The rules of
// another root do not decide.
func (p *planner) isGone(path string, f *indexed) bool {
	s := p.coveringScan(path, f.root)
	if s == nil || slices.ContainsFunc(s.walk.Troubles, func(t discover.Trouble) bool { return fsx.Within(path, t.Path) }) {
		return false
	}
	_, err := fsx.Lstat(path)
	switch {
	case fsx.Vanished(err):
		return s.id == f.root || p.opt.Prune || onDisk(path, f.stat.Dev)
	case err == nil && s.id != f.root:
		return false
	case err == nil:
		// What its name does not make a handoff was found by a link, which may
		// lie in a folder that could not be read.
		named, _ := discover.Why(path, s.root)
		return named || len(s.walk.Troubles) == 0
	}
	p.plan.troubles = append(p.plan.troubles, discover.Trouble{Path: path, Reason: fsx.Reason(err)})
	return false
}

// onDisk reports whether the nearest folder of a path that is there lies on a
// disk. Where it does not, the disk that held the path may be taken away, and
// with it a root in another root.
func onDisk(path string, dev uint64) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		st, err := fsx.Lstat(dir)
		if err == nil || dir == filepath.Dir(dir) {
			return err == nil && st.Dev == dev
		}
	}
}
