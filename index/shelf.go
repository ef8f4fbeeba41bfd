package index

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"handex/index/internal/sqlitedb"
)

// A shelf is one look at the archive. A copy is an earlier version if its sidecar
// is there, a root takes the path it was at, and what it holds stands neither at
// that path nor where the file of that path was moved to: stands as the index has
// it when the refresh is done. Of one path all is decided together. If something
// that this takes cannot be read, it is told, the versions stay as they were, and
// the archive is looked at the next time too.
type shelf struct {
	*refresh
	q       *sqlitedb.Queries
	p       *planner
	folder  string          // state of the archive's folder, see folderState
	only    map[string]bool // keys to look at, nil for all
	all     bool            // they are all that this refresh has to do with
	copies  map[string][]*copyOf
	origins map[string]string    // key -> path, as far as the index knows
	changed map[string]*change   // by path
	live    map[string][]holding // path -> what stands there unchanged, or where its file was moved to
	veiled  map[string]bool      // paths of which that cannot be told now
	gone    map[string]bool      // paths of files that are gone
	last    map[string]string    // what those held, by its hash
	fresh   map[int64][]*change  // files that are new, by size
	rules   map[string]rules
	wanted  map[string]bool // paths in the archive
	changes []change
}

// versions adds to the plan what brings the earlier versions of files in line
// with the archive. They come first, so that of equal dates the file's own is the
// newest.
func (r *refresh) versions(ctx context.Context, q *sqlitedb.Queries, p *planner) error {
	x := &shelf{
		refresh: r, q: q, p: p, origins: map[string]string{}, changed: map[string]*change{}, live: map[string][]holding{}, veiled: map[string]bool{},
		gone: map[string]bool{}, last: map[string]string{}, fresh: map[int64][]*change{}, rules: map[string]rules{}, wanted: map[string]bool{},
	}
	if !r.loader.kept.on() {
		x.shelf, x.passed = shelfState{Names: shelfOff}, x.part()
		x.drop()
		// With an archive again they must be looked for.
		x.unsure = x.unsure || x.passed && len(x.plan.stale) > 0
		return nil
	}
	all, err := x.outdated()
	var paths []string
	if err == nil {
		paths, err = x.touched()
	}
	if err == nil && !all && len(paths) == 0 {
		return nil
	}
	if err == nil {
		err = x.open(paths, all || len(paths) > manyChanges)
	}
	if errors.Is(err, errArchive) {
		x.leaveAll()
		return nil
	}
	if err == nil {
		r.moved().copies = x.copies
		err = x.look(ctx)
	}
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(x.copies)) {
		x.decide(x.copies[key])
	}
	x.drop()
	x.postponeVersions()
	x.secure()
	r.plan.changes = append(x.changes, r.plan.changes...)
	p.plan = r.plan
	return p.recall()
}

// errArchive says that the archive cannot be listed; its fault says why.
var errArchive = errors.New("the archive cannot be listed")

// list lists the archive once, or what it has of some keys.
func (x *shelf) list(keys map[string]bool) error {
	a := x.loader.kept
	if a.names.listed {
		return nil
	}
	if err := a.list(keys); err != nil {
		a.fail(err)
		return errArchive
	}
	return nil
}

// open takes up the copies that are to be decided about, and looks up the files
// that they may be of.
func (x *shelf) open(paths []string, all bool) error {
	if x.all = all; all {
		if err := x.p.wakeAll(x.part()); err != nil {
			return err
		}
	}
	if all && !x.part() {
		if err := x.list(nil); err != nil {
			return err
		}
		x.copies = x.loader.kept.tidy()
		x.lookedAtAll()
		return nil
	}
	if all {
		paths = x.scope()
		x.lookedAtPart()
	}
	x.only = map[string]bool{}
	for _, path := range paths {
		x.only[originKey(path)] = true
		if d := x.p.dirs.byPath[filepath.Dir(path)]; d != nil {
			if err := x.p.wake(d); err != nil {
				return err
			}
		}
	}
	if err := x.list(x.only); err != nil {
		return err
	}
	x.copies = x.loader.kept.copies(x.only)
	return nil
}

// scope lists the paths that a refresh of one project knows files of, or versions:
// what only the archive knows of is left to the next refresh of all.
func (x *shelf) scope() (paths []string) {
	for i := range x.plan.changes {
		c := &x.plan.changes[i]
		paths = append(append(paths, c.Path), x.formers(c.Path, c.origin)...)
	}
	for path := range x.p.held {
		paths = append(append(paths, path), x.formers(path, "")...)
	}
	for _, f := range x.earlier {
		paths = append(paths, f.versionOf)
	}
	return paths
}

// drop removes versions from the index that are none any more.
func (x *shelf) drop() {
	for path, f := range x.earlier {
		looked := x.only == nil || x.only[originKey(f.versionOf)]
		switch {
		case looked && !x.wanted[path] && !x.passedOver(f.versionOf):
			x.plan.stale = append(x.plan.stale, f.id)
		case x.build && !x.wanted[path]:
			x.carry(f)
		}
	}
	slices.Sort(x.plan.stale)
}

// secure has files read that are as they were but of which the archive lacks
// what they hold.
func (x *shelf) secure() {
	if x.build || !x.all {
		return
	}
	for path, f := range x.p.held {
		if f.id < 0 || !f.seen || f.skipped || f.scan == nil || x.changed[path] != nil {
			continue
		}
		copies := x.copies[originKey(path)]
		if copies == nil && !overwritten(path) {
			continue
		}
		known := slices.ContainsFunc(copies, func(v *copyOf) bool {
			return slices.ContainsFunc(x.live[path], func(s holding) bool { return strings.HasPrefix(v.sum, s.sum) })
		})
		if !known {
			x.changes = append(x.changes, change{File: File{Path: path, Stat: f.stat}, scan: f.scan, dir: f.dir, old: f, archived: copies != nil})
		}
	}
}
