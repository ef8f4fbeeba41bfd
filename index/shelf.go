package index

import (
	"cmp"
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
	only    map[string]bool // keys to look at, nil for all
	copies  map[string][]*copyOf
	origins map[string]string    // key -> path, as far as the index knows
	changed map[string]*change   // by path
	live    map[string][]holding // path -> what stands there unchanged, or where its file was moved to
	gone    map[string]bool      // paths of files that are gone
	fresh   map[int64][]*change  // files that are new, by size
	rules   map[string]rules
	wanted  map[string]bool // paths in the archive
	changes []change
}

// A holding is a content where it can be read, in a root or copied to the archive.
// sum is the first half of its hash.
type holding struct {
	path, sum string
	copied    bool
}

// versions adds to the plan what brings the earlier versions of files in line
// with the archive. They come first, so that of equal dates the file's own is the
// newest.
func (r *refresh) versions(ctx context.Context, q *sqlitedb.Queries, p *planner) error {
	x := &shelf{
		refresh: r, q: q, p: p, origins: map[string]string{}, changed: map[string]*change{}, live: map[string][]holding{},
		gone: map[string]bool{}, fresh: map[int64][]*change{}, rules: map[string]rules{}, wanted: map[string]bool{},
	}
	if !r.loader.kept.on() {
		x.shelf, x.passed = shelfState{Names: shelfOff}, x.part()
		x.drop()
		return nil
	}
	paths, all, err := x.touched()
	if err != nil {
		return err
	}
	same, err := x.asRecorded()
	if err == nil && same && !all && len(paths) == 0 {
		return nil
	}
	if err == nil {
		err = x.open(paths, all || !same)
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
	x.secure()
	r.plan.changes = append(x.changes, r.plan.changes...)
	p.plan = r.plan
	return p.recall()
}

// errArchive says that the archive cannot be listed; its fault says why.
var errArchive = errors.New("the archive cannot be listed")

// list lists the archive once.
func (x *shelf) list() error {
	a := x.loader.kept
	if a.names.listed {
		return nil
	}
	if err := a.list(); err != nil {
		a.fail(err)
		return errArchive
	}
	return nil
}

// open takes up the copies that are to be decided about, and looks up the files
// that they may be of.
func (x *shelf) open(paths []string, all bool) error {
	if err := x.list(); err != nil {
		return err
	}
	if all || x.loader.kept.names.digest() != x.shelf.Names {
		x.copies = x.loader.kept.tidy()
		x.lookedAtAll()
		return x.p.wakeAll(x.o.Only != "")
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
	x.copies = x.loader.kept.copies(x.only)
	return nil
}

// look collects what the plan and the index say of the files themselves.
func (x *shelf) look(ctx context.Context) error {
	for _, f := range x.plan.gone {
		x.gone[f.path] = true
	}
	for _, f := range x.earlier {
		x.origins[originKey(f.versionOf)] = f.versionOf
	}
	for i := range x.plan.changes {
		c := &x.plan.changes[i]
		x.changed[c.Path] = c
		if c.old == nil {
			x.fresh[c.Stat.Size] = append(x.fresh[c.Stat.Size], c)
		}
		for _, path := range x.formers(c.Path, c.origin) {
			if x.copies[originKey(path)] != nil {
				x.live[path] = append(x.live[path], holding{path: c.Path, sum: c.judge()})
			}
		}
	}
	var paths []string
	for path, f := range x.p.held {
		if key := originKey(path); f.id >= 0 && x.copies[key] != nil {
			x.origins[key] = path
			paths = append(paths, path)
		}
	}
	if x.q == nil || len(x.copies) == 0 {
		return nil
	}
	rows, err := x.q.LiveContents(ctx, textList(paths))
	for _, row := range rows {
		if x.gone[row.Path] || x.changed[row.Path] != nil || row.Sha256 == "" {
			continue
		}
		for _, path := range append(x.formers(row.Path, row.Origin), row.Path) {
			x.live[path] = append(x.live[path], holding{path: row.Path, sum: row.Sha256})
		}
	}
	return err
}

// formers lists where the file at a path was before.
func (r *refresh) formers(path, origin string) []string {
	list := r.moved().of(path).formers()
	if origin != "" && origin != path && !slices.Contains(list, origin) {
		list = append(list, origin)
	}
	return list
}

// judge is the sum of what the index will hold of a change's file after the
// refresh: what stands there now, if it can be read, or else what it holds already.
// "" stands for no content.
func (c *change) judge() string {
	if c.judged || c.fault != nil {
		return c.judgment
	}
	c.judged = true
	raw, _, err := readSettled(c.Path, maxFile)
	switch {
	case err == nil:
		c.judgment = halfSum(raw)
	case isNoContent(err):
	default:
		c.fault = err
		if c.old != nil && !c.old.skipped {
			c.judgment = c.sha
		}
	}
	return c.judgment
}

// isNoContent reports whether the error of reading a file says that there is none
// to be indexed, and not that it cannot be read now.
func isNoContent(err error) bool {
	return vanished(err) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrNotRegular)
}

// standsAt lists what stands when the refresh is done at a path, which comes first,
// or where its file was moved to.
func (x *shelf) standsAt(origin string) []holding {
	list := slices.Clone(x.live[origin])
	if c := x.changed[origin]; c != nil {
		c.archived = true
		list = append(list, holding{path: origin, sum: c.judge()})
	}
	slices.SortFunc(list, func(a, b holding) int {
		return cmp.Or(cmp.Compare(flag(a.path != origin), flag(b.path != origin)), strings.Compare(a.path, b.path))
	})
	return slices.DeleteFunc(list, func(s holding) bool { return s.sum == "" })
}

// movedTo finds the new files that hold what one which is gone held.
func (x *shelf) movedTo(origin string, v *copyOf) (list []holding, _ error) {
	if !x.gone[origin] {
		return nil, nil
	}
	st, err := lstat(x.pathOf(v))
	if err != nil {
		return nil, err
	}
	for _, c := range x.fresh[st.Size] {
		if c.judge() == v.sum[:halfLength] {
			list = append(list, holding{path: c.Path, sum: c.judge()})
		}
	}
	return list, nil
}

// drop removes versions from the index that are none any more.
func (x *shelf) drop() {
	for path, f := range x.earlier {
		looked := x.only == nil || x.only[originKey(f.versionOf)]
		if looked && !x.wanted[path] && !x.passedOver(f.versionOf) {
			x.plan.stale = append(x.plan.stale, f.id)
		}
	}
	slices.Sort(x.plan.stale)
}

// secure has files read that are as they were but of which the archive lacks
// what they hold.
func (x *shelf) secure() {
	if !x.loader.kept.on() || x.build || x.only != nil {
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
