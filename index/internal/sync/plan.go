package sync

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/store"
)

// A change is a file to read: a new one, or one whose state differs from the index.
type change struct {
	discover.File
	scan   *scan
	dir    *directory // whose listing names it, nil if a link led to it
	old    *indexed   // nil if the index does not contain it
	sha    string     // of old
	origin string     // path its public ids are made from; empty if not known yet
	force  bool       // parse it even if its text is as it was
	moved  bool       // another commit is checked out than it was dated by

	version *version // what it is an earlier version of; nil for a file in a root
	fault   error    // it cannot be read in this refresh
}

// A plan is the work of a refresh.
type plan struct {
	scans     []*scan
	files     int // found, each counted once
	changes   []change
	gone      []*indexed
	kept      []int64         // files of the index that were not looked for or not to be seen
	unread    map[string]bool // of these, by path, those that should have been seen
	skipped   []change        // files that were not indexed, and are as they were
	left      []int64         // directories that are gone
	postponed int             // changes left to the next refresh
	troubles  []discover.Trouble
}

// isChange reports whether a file has really changed, and is not only read because its state was
// too young at the last refresh to be sure.
func (c *change) isChange() bool { return c.old == nil || c.force || !c.old.same(c.Stat) }

// countChanges returns how many of the files to read have really changed: see isChange.
func (p *plan) countChanges() int {
	n := 0
	for i := range p.changes {
		if p.changes[i].isChange() {
			n++
		}
	}
	return n
}

// loadFiles reads the files of a directory from the index into r.held, once.
func (r *refresher) loadFiles(d *directory) error {
	if d.loaded {
		return nil
	}
	d.loaded = true
	files, err := r.stock.filesOf(d.id)
	for i := range files {
		r.addFile(&files[i], d)
	}
	return err
}

// indexedAt returns what the index contains of the file at path, nil if it does not contain the
// file.
func (r *refresher) indexedAt(path string) (*indexed, error) {
	if d := r.dirs.byPath[filepath.Dir(path)]; d != nil {
		if err := r.loadFiles(d); err != nil {
			return nil, err
		}
	}
	return r.held[path], nil
}

// forceRead plans to read and parse an unchanged file again.
func (r *refresher) forceRead(f *indexed) {
	r.plan.changes = append(r.plan.changes, change{
		File: discover.File{Path: f.path, Stat: f.stat}, scan: f.scan, dir: f.dir, old: f, force: true,
	})
}

// addFile adds a file of directory d to r.held. If d is quiet, the file counts as found.
func (r *refresher) addFile(f *indexed, d *directory) {
	f.dir = d
	if d.quiet && f.root == d.root {
		f.seen, f.scan = true, d.scan
	}
	r.held[f.path] = f
}

// result completes the plan after all roots are walked: it decides which files and directories are
// gone and which are kept, and adds the files that have to be read again because of them.
func (r *refresher) result() error {
	missed := r.notWalked()
	for _, d := range missed {
		if err := r.loadFiles(d); err != nil {
			return err
		}
	}
	for path, f := range r.held {
		switch {
		case f.seen:
		case r.isRemoved(path, f):
			r.plan.gone = append(r.plan.gone, f)
			continue
		default:
			r.plan.kept = append(r.plan.kept, f.id)
			if r.coveringScan(path, f.root) != nil {
				r.plan.unread[path] = true
			}
		}
		if f.dir != nil {
			f.dir.kept = true
		}
	}
	for _, d := range missed {
		if d.kept {
			d.recheck()
		} else {
			r.plan.left = append(r.plan.left, d.id)
		}
	}
	for _, s := range r.plan.scans {
		r.sumUp(s)
	}
	slices.SortFunc(r.plan.gone, func(a, b *indexed) int { return strings.Compare(a.path, b.path) })
	slices.Sort(r.plan.kept)
	slices.Sort(r.plan.left)
	if err := r.rereadCopies(); err != nil {
		return err
	}
	r.postpone()
	if r.build {
		// Roughly the order of ids, which fills the pages of tables better.
		slices.SortStableFunc(r.plan.changes, func(a, b change) int { return cmp.Compare(a.Stat.MtimeNS, b.Stat.MtimeNS) })
	}
	return nil
}

// postpone drops the changes beyond RefreshOptions.Most from the plan and marks their directories,
// so that the next refresh finds them again. It keeps changed files before those that are only
// checked, and the newest first, so each refresh does some of the work in a bounded time. Nothing
// is postponed if files are gone, or if files are read because of copies: only this refresh knows
// which.
func (r *refresher) postpone() {
	if r.o.Only == "" || r.o.Most == 0 || len(r.plan.changes) <= r.o.Most || len(r.plan.gone) > 0 || r.recopied {
		return
	}
	slices.SortFunc(r.plan.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(flag(!a.isChange()), flag(!b.isChange())), cmp.Compare(b.Stat.MtimeNS, a.Stat.MtimeNS),
			strings.Compare(b.Path, a.Path))
	})
	for _, c := range r.plan.changes[r.o.Most:] {
		if c.dir != nil {
			c.dir.states, c.dir.dirty = "", true
		}
		if c.isChange() {
			r.plan.postponed++
		}
	}
	r.plan.changes = slices.Clip(r.plan.changes[:r.o.Most])
}

// rangeBelow returns the bounds of the paths in a folder, as SQLite orders text: low < path < high.
func rangeBelow(dir string) (low, high string) {
	dir = strings.TrimSuffix(dir, string(filepath.Separator))
	return dir + string(filepath.Separator), dir + string(filepath.Separator+1)
}

// readDetails reads the digest and origin of each file that changed from the index.
func (r *refresher) readDetails() error {
	byID := map[int64]*change{}
	var list []int64
	for i := range r.plan.changes {
		if c := &r.plan.changes[i]; c.old != nil {
			byID[c.old.id] = c
			list = append(list, c.old.id)
		}
	}
	rows, err := r.stock.details(store.NumberList(list))
	for _, row := range rows {
		c := byID[row.ID]
		c.sha, c.origin = row.Sha256, cmp.Or(row.Origin, row.Path)
	}
	return err
}
