package index

import (
	"slices"

	"handex/index/internal/sqlitedb"
)

// scanOf is the root that a path counts to: that of the file itself, or else the
// first one that would search it. nil if there is none.
func (x *shelf) scanOf(origin string) *scan {
	f, c := x.p.held[origin], x.changed[origin]
	switch {
	case c != nil:
		return c.scan
	case f != nil && f.seen:
		return f.scan
	case f != nil && !x.gone[origin]:
		return x.scanOfRow(func(row sqlitedb.Root) bool { return row.ID == f.root })
	}
	for _, s := range x.plan.scans {
		if below(origin, s.root.Path) && x.admits(s.root, origin) {
			return s
		}
	}
	return x.scanOfRow(func(row sqlitedb.Root) bool {
		walked := slices.ContainsFunc(x.plan.scans, func(s *scan) bool { return s.id == row.ID })
		return !walked && below(origin, row.Path)
	})
}

// scanOfRow stands in for the scan of a root that is not searched now.
func (x *shelf) scanOfRow(is func(sqlitedb.Root) bool) *scan {
	for _, row := range x.roots {
		if is(row) {
			return &scan{root: Root{Path: row.Path}, id: row.ID, known: true}
		}
	}
	return nil
}

// admits reports whether a root's own globs leave a path in.
func (x *shelf) admits(root Root, path string) bool {
	r, ok := x.rules[root.Path]
	if !ok {
		var err error
		if r, err = newRules(root); err != nil {
			return false
		}
		x.rules[root.Path] = r
	}
	rel, ok := relativeTo(path, root.Path)
	return ok && r.admits(rel)
}

// part reports whether only the versions of one project are looked at.
func (r *refresh) part() bool { return r.o.Only != "" }

// passedOver reports whether a refresh of one project leaves a path alone.
func (x *shelf) passedOver(origin string) bool {
	return x.part() && !below(origin, x.o.Only) && !slices.ContainsFunc(x.plan.scans, func(s *scan) bool { return s.covers(origin) })
}

// bar keeps walks out of the archive: by its number or, if that cannot be told now,
// by its path.
func (p *planner) bar(s *Store) {
	if s.opt.Archive.Dir == "" {
		return
	}
	_, st, err := s.archiveFolder()
	switch {
	case err == nil && st.id() != (FileID{}):
		p.ignore = append(p.ignore, st.id())
	case err == nil || !vanished(err):
		p.barred = s.opt.Archive.Dir
	}
}

// archiveFolder is the archive's folder, links followed, and its state.
func (s *Store) archiveFolder() (string, Stat, error) {
	path, err := realPath(s.opt.Archive.Dir)
	if err != nil {
		return "", Stat{}, err
	}
	st, err := lstat(path)
	return path, st, err
}
