package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/index/internal/deps"
	"handex/index/internal/discover"
	"handex/index/internal/fsx"
	"handex/index/internal/sqlitedb"
	"handex/index/internal/store"
)

// A scan is one root of a refresh and what was found in it.
type scan struct {
	root    discover.Root
	id      int64
	starts  []string // folders to walk, relative to the root
	part    bool     // these are not all of it
	further bool     // the root is a work tree of git, but not the main one
	main    string   // which that is, if it is searched, too
	known   bool     // the index has a row for it
	was     string   // its trouble at the last refresh
	rules   int64    // fingerprint of what decides which files are handoffs
	trouble string   // why it cannot be believed, as a whole or in part
	blind   bool     // as a whole: none of its files counts as gone
	found   int
	folders int // it came by
	walk    discover.Report

	hasVersions bool // versions of files that stood in it belong to it
}

// A change is a file to read: one that is new, or not as the index saw it.
type change struct {
	discover.File
	scan   *scan
	dir    *directory // whose listing names it, nil if a link led to it
	old    *indexed   // nil if the index does not hold it
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
	moves     bool            // files belong to another root than before
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

// A planner makes the plan: it compares the disk with what the index holds and
// changes neither.
type planner struct {
	*snapshot
	opt      Options
	unread   map[string]string // files that are not read, with the reason
	clock    time.Time         // the machine's, when the refresh began
	ignore   []fsx.FileID
	barred   string // folder to keep out of, if it could not be put among those
	disks    fsx.Cache
	anew     bool                // list all folders
	reread   func(*indexed) bool // parse it though it has not changed
	watch    deps.Cache
	plan     plan
	reported int // progress
}

// readUnlisted reads the files that no folder asks for: all, if none does, or those in
// some folders, if these are given.
func (p *planner) readUnlisted(below []string) ([]indexed, error) {
	switch {
	case p.all:
		return p.stock.all()
	case below != nil:
		return p.stock.linkedBelow(below)
	}
	return p.stock.linked()
}

// walk walks one root.
func (p *planner) walk(ctx context.Context, s *scan) error {
	p.plan.scans = append(p.plan.scans, s)
	t := &scanCache{p: p, s: s}
	o := discover.Options{Ignore: p.ignore, Starts: s.starts, Cache: t, Coverage: p.opt.Coverage}
	var err error
	s.walk, err = discover.Walk(ctx, s.root, o, func(f discover.File) error { return p.file(t, f) })
	if errors.Is(err, discover.ErrEntries) {
		err = fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	if err != nil {
		return store.WrapError("search", s.root.Path, err)
	}
	return p.judge(s)
}

// judge decides whether what a walk did not find is gone. A folder that
// vanished or became empty may be a disk that is not mounted.
func (p *planner) judge(s *scan) error {
	_, err := os.Stat(s.root.Path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing || s.found == 0 && len(s.walk.Troubles) == 0 && !s.part {
		had, err := p.countKnown(s)
		if err != nil {
			return err
		}
		switch {
		case had == 0 || p.opt.Prune:
			s.walk.Troubles = nil
		case missing:
			s.blind, s.walk.Troubles = true, []discover.Trouble{{Path: s.root.Path, Reason: fmt.Sprintf("not there any more; its files (%d) are kept", had)}}
		default:
			s.blind, s.walk.Troubles = true, []discover.Trouble{{Path: s.root.Path, Reason: fmt.Sprintf("no handoff is left in it; its files (%d) are kept", had)}}
		}
	}
	if len(s.walk.Troubles) > 0 {
		s.trouble = SummarizeTroubles(s.root.Path, s.walk.Troubles)
	}
	p.plan.troubles = append(p.plan.troubles, s.walk.Troubles...)
	return nil
}

// countKnown returns how many files the index holds of a root.
func (p *planner) countKnown(s *scan) (int64, error) {
	if !s.known || !p.mayHold(s.id) {
		return 0, nil
	}
	return p.stock.countFiles(s.id)
}

// mayHold reports whether the index may hold files of a root.
func (p *planner) mayHold(root int64) bool {
	for _, d := range p.dirs.byPath {
		if d.root == root && d.had > 0 {
			return true
		}
	}
	for _, f := range p.held {
		if f.root == root && f.id >= 0 {
			return true
		}
	}
	return false
}

// SummarizeTroubles returns troubles as one line.
func SummarizeTroubles(root string, list []discover.Trouble) string {
	text := list[0].Reason
	if list[0].Path != root {
		text = list[0].Path + ": " + text
	}
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return text
}

// file compares a file that was found. A file that lies in several roots counts
// to the first of them.
func (p *planner) file(t *scanCache, f discover.File) error {
	s := t.s
	if p.barred != "" && fsx.Within(f.Path, p.barred) {
		t.open = true
		return nil
	}
	if t.dir == nil {
		if s.part && !s.covers(f.Path) {
			return nil // another refresh follows the link
		}
		if d := p.dirs.byPath[filepath.Dir(f.Path)]; d != nil {
			if err := p.loadFiles(d); err != nil {
				return err
			}
		}
	}
	s.found++
	old := p.held[f.Path]
	switch {
	case old == nil:
		p.held[f.Path] = &indexed{id: -1, seen: true}
	case old.seen:
		t.open = true
		return nil
	default:
		old.seen, old.scan = true, s
	}
	p.count(1)
	c := change{File: f, scan: s, dir: t.dir, old: old, fault: f.Fault}
	t.open = t.open || f.Fault != nil
	if reason, ok := p.unread[f.Path]; ok {
		t.open = true
		if old != nil && !old.skipped {
			p.plan.kept, p.plan.unread[f.Path] = append(p.plan.kept, old.id), true
			p.plan.troubles = append(p.plan.troubles, discover.Trouble{Path: f.Path, Reason: reason})
			return nil
		}
		c.fault = errors.New(reason)
	}
	// It may be a copy now, or no more: whether the main work tree is searched is a rule.
	copied := s.further && t.dir != nil && t.dir.stored && t.dir.rules != s.rules
	c.force = old != nil && (copied || old.isOfAnotherZone() || p.watch.Changed(f.Path, old.deps) || p.reread(old))
	c.moved = old != nil && p.watch.Moved(f.Path, old.deps)
	p.plan.moves = p.plan.moves || old != nil && old.root != s.id
	if old == nil || c.force || c.moved || c.isElsewhere() || !old.unchanged(f.Stat) {
		p.plan.changes = append(p.plan.changes, c)
		return nil
	}
	if old.skipped {
		t.open = true
		p.plan.skipped = append(p.plan.skipped, c)
	}
	return nil
}

// count counts files that were found.
func (p *planner) count(files int) {
	const step = 256
	p.plan.files += files
	if p.opt.Progress != nil && p.plan.files/step > p.reported/step {
		p.reported = p.plan.files
		p.opt.Progress(Progress{Done: p.plan.files})
	}
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

// result works out what no walk alone can tell: what is gone.
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
		case p.isGone(path, f):
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
	slices.SortFunc(p.plan.gone, func(a, b *indexed) int { return strings.Compare(a.path, b.path) })
	slices.Sort(p.plan.kept)
	slices.Sort(p.plan.left)
	p.postpone()
	if p.anew {
		// Roughly the order of ids, which fills the pages of tables better.
		slices.SortStableFunc(p.plan.changes, func(a, b change) int { return cmp.Compare(a.Stat.MtimeNS, b.Stat.MtimeNS) })
	}
	return p.plan, p.readDetails()
}

// postpone leaves what is more than RefreshOptions.Most to the next refresh, which
// finds it again because the folders it lies in are compared then: with news first,
// and of these with the newest files, each does some of the work in a time that is
// bounded.
func (p *planner) postpone() {
	if p.opt.Only == "" || p.opt.Most == 0 || len(p.plan.changes) <= p.opt.Most || len(p.plan.gone) > 0 {
		return
	}
	slices.SortFunc(p.plan.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(flag(!a.isChange()), flag(!b.isChange())), cmp.Compare(b.Stat.MtimeNS, a.Stat.MtimeNS), strings.Compare(b.Path, a.Path))
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

// covers reports whether a path lies in what the scan walks.
func (s *scan) covers(path string) bool {
	return slices.ContainsFunc(s.starts, func(rel string) bool {
		return fsx.Within(path, filepath.Join(s.root.Path, filepath.FromSlash(rel)))
	})
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
