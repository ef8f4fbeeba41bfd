package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/store"
)

// A scan is one root of a refresh and what was found in it.
type scan struct {
	root      discover.Root
	id        int64
	starts    []string // folders to walk, relative to the root
	folders   []string // the same, absolute
	part      bool     // these are not all of it
	known     bool     // the index has a row for it
	was       string   // its trouble at the last refresh
	rules     int64    // fingerprint of what decides which files are handoffs
	treeRules int64    // that in further work trees
	trouble   string   // why it cannot be believed, as a whole or in part
	blind     bool     // as a whole: none of its files counts as gone
	found     int
	passed    int            // folders it came by
	away      map[string]int // files of disks that are not mounted, by the folder these were mounted at
	walk      discover.Report

	hasVersions bool // versions of files that were in it belong to it
}

// walk walks one root and compares what it finds with the snapshot. It adds the scan to the plan.
func (r *refresher) walk(ctx context.Context, s *scan) error {
	r.plan.scans = append(r.plan.scans, s)
	o := discover.Options{Ignore: r.ignore, Starts: s.starts, Now: r.clock.UnixNano(), Coverage: r.o.Coverage}
	w, err := discover.NewWalk(ctx, s.root, o)
	if err == nil {
		err = r.compare(ctx, w, s)
	}
	if errors.Is(err, discover.ErrEntries) {
		err = fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	if err != nil {
		return store.WrapError("search", s.root.Path, err)
	}
	s.walk = w.Report
	return r.judge(s)
}

// compare compares the folders and links that a walk finds with the snapshot.
func (r *refresher) compare(ctx context.Context, w *discover.Walk, s *scan) error {
	for f := range w.Folders() {
		if err := r.folder(s, f); err != nil {
			return err
		}
	}
	for f := range w.Links() {
		if err := r.link(s, f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// folder compares the files of a folder with the snapshot, unless the state of the folder has not
// changed.
func (r *refresher) folder(s *scan, f *discover.Folder) error {
	d := r.dirs.byPath[f.Path]
	var known *discover.Listing
	if d != nil && d.root == s.id && d.scan == nil && !r.build && r.hasRules(d, s) {
		known = &d.Listing
	}
	if ok, err := f.List(known); err != nil || !ok {
		return err
	}
	if known != nil && r.isQuiet(d, f) {
		d.quiet, d.found, d.deps = true, d.had, "" // nobody asks for them again
		s.found += d.had
		r.count(d.had)
		r.noteWalked(d, s, f)
		return nil
	}
	d, err := r.directoryAt(f.Path, s.id)
	if err == nil {
		err = r.loadFiles(d)
	}
	if err != nil {
		return err
	}
	sure := true
	for c := range f.Candidates() {
		old := r.held[c.Path]
		if old != nil && old.isRenumbered(c.Stat) {
			r.dirs.renumbered[cmp.Or(d.hadDisk, old.stat.Dev)] = f.State.Dev
		}
		if file, ok := c.Look(old != nil && old.root == s.id && old.unchanged(c.Stat)); ok {
			sure = r.file(s, d, file) && sure
		}
	}
	if d.scan != nil {
		return nil // it counts to the scan that came first
	}
	d.found = discover.CountEntries(f.Entries, discover.EntryFile)
	if !sure {
		f.States = ""
	}
	r.noteWalked(d, s, f)
	return nil
}

// hasRules reports whether the directory was last listed with the rules of this refresh.
func (r *refresher) hasRules(d *directory, s *scan) bool {
	if rules, ok := r.loader.mirror.rulesOf(d.path); ok {
		return d.rules == rules
	}
	return d.rules == s.rules || d.rules == s.treeRules
}

// isQuiet reports whether neither the files of a folder nor their project have changed.
func (r *refresher) isQuiet(d *directory, f *discover.Folder) bool {
	return (!r.renamed || !mayBeNamed(d.path)) && f.States != "" && d.states == f.States && d.Entries == f.Entries &&
		!r.neighbours.AnyChanged(d.path, d.deps)
}

// noteWalked records in the directory that scan s found it, and its state now. It marks the
// directory as changed if its row differs.
func (r *refresher) noteWalked(d *directory, s *scan, f *discover.Folder) {
	l, states := f.Listing, f.States
	d.scan = s
	s.passed++
	if l.State.IsYoung(r.clock.UnixNano()) || !r.disks.Of(d.path, l.State.Dev).FolderTimes {
		l.State = fsx.Stat{Dev: l.State.Dev}
	}
	rules := s.rules
	if shared, ok := r.loader.mirror.rulesOf(d.path); ok {
		rules = shared
	} else if d.quiet {
		rules = d.rules
	} else if r.inFurtherTree(d.path) {
		rules = s.treeRules
	}
	d.mustWrite = d.stored && d.rules != rules || l.Entries != d.Entries && discover.CountEntries(l.Entries,
		discover.EntryStray) > 0
	if !d.stored || d.root != s.id || d.rules != rules || d.Listing != l || d.states != states {
		d.root, d.rules, d.Listing, d.states, d.dirty = s.id, rules, l, states, true
	}
}

// link compares a file that was found by a link with the snapshot.
func (r *refresher) link(s *scan, f discover.File) error {
	if s.part && !s.covers(f.Path) {
		return nil // another refresh follows the link
	}
	if _, err := r.indexedAt(f.Path); err != nil {
		return err
	}
	r.file(s, nil, f)
	return nil
}

// judge decides whether files that the walk did not find count as gone. If the root vanished or
// became empty, it may be a disk that is not mounted: its files are kept.
func (r *refresher) judge(s *scan) error {
	_, err := os.Stat(s.root.Path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing || s.found == 0 && len(s.walk.Troubles) == 0 && !s.part {
		had, err := r.countKnown(s)
		if err != nil {
			return err
		}
		switch {
		case had == 0 || r.o.Prune || s.root.IsMirror(): // what others share ends when nobody is followed
			s.walk.Troubles = nil
		default:
			does := "contains handoffs"
			if missing {
				does = "exists"
			}
			reason := fmt.Sprintf("no longer %s; its files (%d) are kept", does, had)
			s.blind, s.walk.Troubles = true, []discover.Trouble{{Path: s.root.Path, Reason: reason}}
		}
	}
	return nil
}

// sumUp adds the troubles of a scan, and those of unmounted disks, to the plan, and sets the
// trouble of its root.
func (r *refresher) sumUp(s *scan) {
	for _, point := range slices.Sorted(maps.Keys(s.away)) {
		reason := fmt.Sprintf("its disk is no longer mounted; its files (%d) are kept", s.away[point])
		s.walk.Troubles = append(s.walk.Troubles, discover.Trouble{Path: point, Reason: reason, Shows: true})
	}
	if len(s.walk.Troubles) > 0 {
		s.trouble = SummarizeTroubles(s.root.Path, s.walk.Troubles)
	}
	r.plan.troubles = append(r.plan.troubles, s.walk.Troubles...)
}

// countKnown returns how many files of the scan's root the index contains.
func (r *refresher) countKnown(s *scan) (int64, error) {
	if !s.known || !r.mayHold(s.id) {
		return 0, nil
	}
	return r.stock.countFiles(s.id)
}

// mayHold reports whether the index may contain files of the root with an id.
func (r *refresher) mayHold(root int64) bool {
	for _, d := range r.dirs.byPath {
		if d.root == root && d.had > 0 {
			return true
		}
	}
	for _, f := range r.held {
		if f.root == root && f.id >= 0 {
			return true
		}
	}
	return false
}

// SummarizeTroubles returns the first trouble of list and the number of others as one line. list
// must not be empty.
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

// file compares a found file with the snapshot and plans to read it if it has changed. d is its
// directory, nil if a link led to it. A file that is in several roots belongs to the first of them.
// file returns whether the file need not be compared again while the state of its folder is the
// same.
func (r *refresher) file(s *scan, d *directory, f discover.File) (sure bool) {
	if r.barred != "" && fsx.Within(f.Path, r.barred) {
		return false
	}
	s.found++
	old := r.held[f.Path]
	switch {
	case old == nil:
		r.held[f.Path] = &indexed{id: -1, seen: true}
	case old.seen:
		return false
	default:
		old.seen, old.scan = true, s
	}
	r.count(1)
	c := change{File: f, scan: s, dir: d, old: old, fault: f.Fault}
	sure = f.Fault == nil
	if reason, ok := r.skip[f.Path]; ok {
		sure = false
		if old != nil && !old.skipped {
			r.plan.kept, r.plan.unread[f.Path] = append(r.plan.kept, old.id), true
			r.plan.troubles = append(r.plan.troubles, discover.NewTrouble(f.Path, reason))
			return false
		}
		c.fault = reason
	}
	copied := old != nil && r.mayHaveBecomeCopy(s, d, old, &f)
	r.recopied = r.recopied || copied
	c.force = old != nil && (r.build || copied || old.isOfAnotherZone() || r.neighbours.Changed(f.Path, old.deps) ||
		r.isRenamed(old))
	c.moved = old != nil && r.neighbours.Moved(f.Path, old.deps)
	if old == nil || c.force || c.moved || c.isElsewhere() || !old.unchanged(f.Stat) {
		r.plan.changes = append(r.plan.changes, c)
		return sure
	}
	if old.skipped {
		r.plan.skipped = append(r.plan.skipped, c)
	}
	return sure && !old.skipped
}

// mayHaveBecomeCopy reports whether a file may have become a copy of a searched file, or stopped
// being one, because other roots are searched than before.
func (r *refresher) mayHaveBecomeCopy(s *scan, d *directory, old *indexed, f *discover.File) bool {
	rules, shared := r.loader.mirror.rulesOf(filepath.Dir(f.Path))
	if !shared {
		rules = s.treeRules
	}
	if d == old.dir && (d == nil || d.hadRules == rules) {
		return false
	}
	if shared {
		return r.loader.mirror.mayBeCopy(f.Path, f.Stat.Size, old.deps)
	}
	return r.inFurtherTree(filepath.Dir(f.Path))
}

// inFurtherTree reports whether a folder is in a further work tree of a repository.
func (r *refresher) inFurtherTree(dir string) bool {
	further, known := r.further[dir]
	if !known {
		if _, err := fsx.Lstat(fsx.Join(dir, ".git")); err == nil {
			further = gitinfo.WorkTreeAt(dir).IsFurther()
		} else if above := filepath.Dir(dir); above != dir {
			further = r.inFurtherTree(above)
		}
		r.further[dir] = further
	}
	return further
}

// count adds to the number of found files and reports progress from time to time.
func (r *refresher) count(files int) {
	const step = 256
	r.plan.files += files
	if r.o.Progress != nil && r.plan.files/step > r.shown/step {
		r.shown = r.plan.files
		r.o.Progress(Progress{Done: r.plan.files})
	}
}

// covers reports whether path is in a folder that the scan walks.
func (s *scan) covers(path string) bool {
	return slices.ContainsFunc(s.folders, func(dir string) bool { return fsx.Within(path, dir) })
}
