package sync

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// A change is a file to read: one that is new, or not as the index saw it.
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

// A plan is what a refresh has to do.
type plan struct {
	scans     []*scan
	files     int // found, each counted once
	changes   []change
	gone      []*indexed
	goneRows  []sqlitedb.FileDetailsRow
	kept      []int64         // files of the index that were not looked for or not to be seen
	unread    map[string]bool // of these, by path, those that should have been seen
	skipped   []change        // files that were not indexed, and are as they were
	left      []int64         // directories that are gone
	postponed int             // changes left to the next refresh
	troubles  []discover.Trouble
}

// isChange reports whether a file is read for more than that the last look at it was
// too early to be sure.
func (c *change) isChange() bool { return c.old == nil || c.force || !c.old.same(c.Stat) }

// countChanges counts the changes that are.
func (p *plan) countChanges() int {
	n := 0
	for i := range p.changes {
		if p.changes[i].isChange() {
			n++
		}
	}
	return n
}

// A planner makes the plan: it compares the disk with what the index contains and
// changes neither.
type planner struct {
	*snapshot
	opt      Options
	unread   map[string]error // files that are not read, with the reason
	clock    time.Time        // the machine's, when the refresh began
	ignore   []fsx.FileID
	barred   string // folder to keep out of, if it could not be put among those
	disks    fsx.Cache
	anew     bool                // list all folders
	reread   func(*indexed) bool // parse it though it has not changed
	watch    deps.Cache
	plan     plan
	mirror   *mirror
	further  map[string]bool // folders that are known to be in a further work tree, or not
	recopied bool            // files of these are read because other roots are searched
	reported int             // progress
}

// loadFiles reads the files of a directory from the index.
func (p *planner) loadFiles(d *directory) error {
	if d.loaded {
		return nil
	}
	d.loaded = true
	files, err := p.stock.filesOf(d.id)
	for i := range files {
		p.addFile(&files[i], d)
	}
	return err
}

// addFile adds a file of a directory to those held.
func (p *planner) addFile(f *indexed, d *directory) {
	f.dir = d
	if d.quiet && f.root == d.root {
		f.seen, f.scan = true, d.scan
	}
	p.held[f.path] = f
}

// result works out what a single walk cannot see: what is gone.
func (p *planner) result() (plan, error) {
	missed := p.notWalked()
	for _, d := range missed {
		if err := p.loadFiles(d); err != nil {
			return p.plan, err
		}
	}
	for path, f := range p.held {
		switch {
		case f.seen:
		case p.isRemoved(path, f):
			p.plan.gone = append(p.plan.gone, f)
			continue
		default:
			p.plan.kept = append(p.plan.kept, f.id)
			if p.coveringScan(path, f.root) != nil {
				p.plan.unread[path] = true
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
			p.plan.left = append(p.plan.left, d.id)
		}
	}
	for _, s := range p.plan.scans {
		p.sumUp(s)
	}
	slices.SortFunc(p.plan.gone, func(a, b *indexed) int { return strings.Compare(a.path, b.path) })
	slices.Sort(p.plan.kept)
	slices.Sort(p.plan.left)
	if err := p.rereadCopies(); err != nil {
		return p.plan, err
	}
	p.postpone()
	if p.anew {
		// Roughly the order of ids, which fills the pages of tables better.
		slices.SortStableFunc(p.plan.changes, func(a, b change) int { return cmp.Compare(a.Stat.MtimeNS, b.Stat.MtimeNS) })
	}
	return p.plan, p.readDetails()
}

// postpone leaves what is more than RefreshOptions.Most to the next refresh, which
// finds it again because the folders it is in are compared then: with news first,
// and of these with the newest files, each does some of the work in a time that is
// bounded. What other roots are searched makes of copies is not left: which files are to
// be read for it is known now only.
func (p *planner) postpone() {
	if p.opt.Only == "" || p.opt.Most == 0 || len(p.plan.changes) <= p.opt.Most || len(p.plan.gone) > 0 || p.recopied {
		return
	}
	slices.SortFunc(p.plan.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(flag(!a.isChange()), flag(!b.isChange())), cmp.Compare(b.Stat.MtimeNS, a.Stat.MtimeNS),
			strings.Compare(b.Path, a.Path))
	})
	for _, c := range p.plan.changes[p.opt.Most:] {
		if c.dir != nil {
			c.dir.states, c.dir.dirty = "", true
		}
		if c.isChange() {
			p.plan.postponed++
		}
	}
	p.plan.changes = slices.Clip(p.plan.changes[:p.opt.Most])
}

// rangeBelow bounds the paths in a folder, as SQLite orders text.
func rangeBelow(dir string) (low, high string) {
	dir = strings.TrimSuffix(dir, string(filepath.Separator))
	return dir + string(filepath.Separator), dir + string(filepath.Separator+1)
}

// readDetails fetches what is needed of the files that changed.
func (p *planner) readDetails() error {
	byID := map[int64]*change{}
	var list []int64
	for i := range p.plan.changes {
		if c := &p.plan.changes[i]; c.old != nil {
			byID[c.old.id] = c
			list = append(list, c.old.id)
		}
	}
	if len(list) == 0 {
		return nil
	}
	rows, err := p.stock.details(store.NumberList(list))
	for _, row := range rows {
		c := byID[row.ID]
		c.sha, c.origin = row.Sha256, cmp.Or(row.Origin, row.Path)
	}
	return err
}
