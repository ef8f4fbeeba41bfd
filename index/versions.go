package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"handex/index/internal/sqlitedb"
)

// versions adds to the plan what brings the earlier versions of files in line
// with the archive: each content that the file it is of does not hold now is
// one. They come first, so that of equal dates the file's own is the newest.
func (r *refresh) versions(ctx context.Context, q *sqlitedb.Queries, p *planner) error {
	r.shelf = r.s.shelfState()
	paths, some := r.touched(p)
	if some && len(paths) == 0 {
		return nil
	}
	x := &shelf{refresh: r, q: q, p: p, changed: map[string]*change{}, unread: map[string]bool{}, rules: map[string]rules{}}
	if some {
		x.only = map[string]bool{}
		for _, path := range paths {
			x.only[originKey(path)] = true
		}
	}
	if r.loader.kept.on() {
		if ok, err := x.open(paths); !ok || err != nil {
			x.leaveAll()
			return err
		}
	}
	if err := x.look(ctx); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(x.held)) {
		x.group(x.held[key])
	}
	x.drop()
	x.secure()
	r.plan.changes = append(x.changes, r.plan.changes...)
	p.plan = r.plan
	return p.recall()
}

// touched lists the paths whose versions may be others now. some is false if all
// may be: the archive is not as it was when it was last looked at, or files are
// gone, which others may have come from.
func (r *refresh) touched(p *planner) (paths []string, some bool) {
	if r.build || r.shelf == "" || r.facts[factShelf] != r.shelf || len(r.plan.gone)+len(r.plan.claims) > 0 || r.facts[factKnown] != r.known {
		return nil, false
	}
	for _, c := range r.plan.changes {
		paths = append(paths, c.Path)
		if c.origin != "" && c.origin != c.Path {
			paths = append(paths, c.origin)
		}
	}
	for _, f := range r.earlier {
		if p.watch.changed(f.versionOf, f.deps) {
			paths = append(paths, f.versionOf)
		}
	}
	return paths, len(paths) <= manyChanges
}

// open lists what the archive holds, and looks up the files it may be of.
func (x *shelf) open(paths []string) (ok bool, _ error) {
	a := x.loader.kept
	if x.only == nil {
		if x.held, ok = a.tidy(); !ok {
			return false, nil
		}
		return true, x.p.wakeAll(x.o.Only != "")
	}
	x.held, a.fault = a.list(x.only)
	if ok = a.fault == nil; !ok {
		return false, nil
	}
	for _, path := range paths {
		if d := x.p.dirs.byPath[filepath.Dir(path)]; d != nil {
			if err := x.p.wake(d); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// shelfState tells states of the archive apart by the time its folder changed;
// "" if that was too short ago to be sure.
func (s *Store) shelfState() string {
	if s.opt.Archive.Dir == "" {
		return "off"
	}
	st, err := lstat(s.opt.Archive.Dir)
	switch {
	case err != nil:
		return "none"
	case max(st.MtimeNS, st.CtimeNS) >= s.opt.Now().UnixNano()-int64(racy):
		return ""
	}
	return strconv.FormatInt(st.MtimeNS, 10)
}

// shelfUnsure stands for no state of the archive: the next refresh looks again.
const shelfUnsure = "?"

// A shelf is one look at the archive.
type shelf struct {
	*refresh
	q       *sqlitedb.Queries
	p       *planner
	only    map[string]bool // keys to look at, nil for all
	held    map[string][]*copyOf
	origins map[string]string   // key -> path, as far as the index knows
	changed map[string]*change  // by path
	live    map[string][]string // path -> hashes of what is known to stand there or to have moved from there
	gone    map[string]bool     // paths of files that are gone
	fresh   map[string]bool     // hashes of files that are new, once they are needed
	unread  map[string]bool     // paths of files that could not be read
	rules   map[string]rules
	wanted  map[string]bool // paths in the archive
	changes []change
}

// look collects what the plan and the index say of the files themselves.
func (x *shelf) look(ctx context.Context) error {
	x.origins, x.wanted, x.live, x.gone = map[string]string{}, map[string]bool{}, map[string][]string{}, map[string]bool{}
	for _, f := range x.plan.gone {
		x.gone[f.path] = true
	}
	for i := range x.plan.changes {
		c := &x.plan.changes[i]
		x.changed[c.Path] = c
		if c.origin != "" && c.origin != c.Path {
			x.live[c.origin] = append(x.live[c.origin], x.digest(c.Path))
		}
	}
	for _, f := range x.earlier {
		x.origins[originKey(f.versionOf)] = f.versionOf
	}
	paths := []string{}
	for path, f := range x.p.held {
		if f.id >= 0 {
			if _, ok := x.held[originKey(path)]; ok {
				x.origins[originKey(path)] = path
			}
			paths = append(paths, path)
		}
	}
	if x.q == nil || len(x.held) == 0 {
		return nil
	}
	rows, err := x.q.LiveContents(ctx, textList(slices.DeleteFunc(paths, func(path string) bool { return x.held[originKey(path)] == nil })))
	for _, row := range rows {
		if x.gone[row.Path] || x.changed[row.Path] != nil {
			continue
		}
		x.live[row.Path] = append(x.live[row.Path], row.Sha256)
		if row.Origin != "" {
			x.live[row.Origin] = append(x.live[row.Origin], row.Sha256)
		}
	}
	return err
}

// group decides about the copies of what was at one path.
func (x *shelf) group(list []*copyOf) {
	origin, ok := x.originOf(list)
	if !ok {
		x.leave(list)
		return
	}
	s := x.scanOf(origin)
	if s == nil || x.passedOver(origin) {
		return
	}
	var now string
	if c := x.changed[origin]; c != nil {
		now = x.digest(origin)
		c.archived = true
	}
	if x.unread[origin] {
		x.leave(list)
		return
	}
	var add []*copyOf
	for _, v := range list {
		path := x.loader.kept.path(v.name)
		if v.sum == now || x.stands(origin, v.sum) || x.moved(origin, v.sum) {
			continue
		}
		x.wanted[path] = true
		old := x.earlier[path]
		if reason, ok := x.o.unread[path]; ok && old != nil {
			x.carry(old)
			x.unsure(path, errors.New(reason))
			continue
		}
		if old != nil && old.root != s.id {
			to := berth{root: s.id}
			x.plan.claims[to] = append(x.plan.claims[to], old.id)
		}
		if old == nil || x.anew(old, origin) {
			add = append(add, v)
		}
	}
	s.earlier = s.earlier || slices.ContainsFunc(list, func(v *copyOf) bool { return x.wanted[x.loader.kept.path(v.name)] })
	if len(add) > 0 {
		x.add(origin, s, list, add)
	}
}

// stands reports whether a content is known to stand at a path, or where the file
// of that path was moved to.
func (x *shelf) stands(origin, sum string) bool {
	return slices.ContainsFunc(x.live[origin], func(known string) bool { return known != "" && strings.HasPrefix(sum, known) })
}

// moved reports whether a file is gone, and one that is new holds what it held.
func (x *shelf) moved(origin, sum string) bool {
	if !x.gone[origin] {
		return false
	}
	if x.fresh == nil {
		x.fresh = map[string]bool{}
		for _, c := range x.plan.changes {
			if c.old == nil && len(x.fresh) < manyChanges {
				x.fresh[x.digest(c.Path)] = true
			}
		}
	}
	return x.fresh[sum]
}

// passedOver reports whether a refresh of one project leaves a path alone.
func (x *shelf) passedOver(origin string) bool {
	return x.o.Only != "" && !x.build && !below(origin, x.o.Only)
}

// anew reports whether a version must be read again: what it was read with
// changed, or what its project is called.
func (x *shelf) anew(old *indexed, origin string) bool {
	c := x.changed[origin]
	return x.build || c != nil && c.force || x.p.watch.changed(origin, old.deps) ||
		x.p.reread(&indexed{id: old.id, root: old.root, path: origin})
}

// add has copies read that are versions, in the order they were written.
func (x *shelf) add(origin string, s *scan, list, add []*copyOf) {
	list = slices.DeleteFunc(slices.Clone(list), func(v *copyOf) bool {
		known := x.describe(v)
		if !known && slices.Contains(add, v) {
			x.leave([]*copyOf{v})
		}
		return !known
	})
	slices.SortFunc(list, func(a, b *copyOf) int { return cmp.Or(a.Written.Compare(b.Written), cmp.Compare(a.sum, b.sum)) })
	for i, v := range list {
		if !slices.Contains(add, v) {
			continue
		}
		next := origin
		if i+1 < len(list) {
			next = x.loader.kept.path(list[i+1].name)
		}
		path := x.loader.kept.path(v.name)
		ver := &version{kept: v.kept, sum: v.sum, next: next}
		c := change{
			File: File{Path: path, Stat: Stat{Size: v.Size, MtimeNS: v.Written.UnixNano()}}, scan: s, old: x.earlier[path],
			origin: ver.origin(), force: true, version: ver,
		}
		x.changes = append(x.changes, c)
	}
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
		copies := x.held[originKey(path)]
		if copies == nil && !overwritten(path) {
			continue
		}
		known := slices.ContainsFunc(copies, func(v *copyOf) bool { return x.stands(path, v.sum) })
		if !known {
			x.changes = append(x.changes, change{File: File{Path: path, Stat: f.stat}, scan: f.scan, dir: f.dir, old: f, archived: copies != nil})
		}
	}
}

// originOf tells which path copies are of.
func (x *shelf) originOf(list []*copyOf) (string, bool) {
	if origin, ok := x.origins[list[0].key]; ok {
		return origin, true
	}
	for _, v := range list {
		if x.describe(v) {
			return v.Origin, true
		}
	}
	return "", false
}

// unsure tells why the versions cannot be made out for now.
func (x *shelf) unsure(path string, err error) {
	x.shelf = shelfUnsure
	x.plan.troubles = append(x.plan.troubles, Trouble{path, reason(err)})
}

// leaveAll has a build take over all versions that the index has.
func (x *shelf) leaveAll() {
	if !x.build {
		return
	}
	for _, f := range x.earlier {
		x.carry(f)
	}
}

// carry has a build take a version over as the index has it.
func (x *shelf) carry(f *indexed) { x.plan.kept = append(x.plan.kept, f.id) }

// leave keeps what the index has of copies.
func (x *shelf) leave(list []*copyOf) {
	for _, v := range list {
		path := x.loader.kept.path(v.name)
		x.wanted[path] = true
		if old := x.earlier[path]; old != nil && x.build {
			x.carry(old)
		}
	}
}

// digest is the hash of what stands at a path, "" if nothing that could be kept
// does. What cannot be read is told.
func (x *shelf) digest(path string) string {
	raw, _, err := readSettled(path, maxFile)
	switch {
	case err == nil:
		return contentSum(raw)
	case !vanished(err) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrNotRegular):
		x.unsure(path, err)
		x.unread[path] = true
	}
	return ""
}

// describe reads the sidecar of a copy, once. One that cannot be read is told; its
// copy waits for a better time.
func (x *shelf) describe(v *copyOf) bool {
	if v.Origin != "" {
		return true
	}
	path := x.loader.kept.sidecar(v.key, v.sum)
	k, err := readSidecar(path)
	switch {
	case err != nil && vanished(err):
		return false
	case err == nil && originKey(k.Origin) != v.key:
		err = errNotKept
	}
	if err != nil {
		x.unsure(path, err)
		return false
	}
	v.kept = k
	return true
}

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

// digestOf is the hash of what stands at a path, "" if that cannot be read.
func digestOf(path string) string {
	raw, _, err := readSettled(path, maxFile)
	if err != nil {
		return ""
	}
	return contentSum(raw)
}

func contentSum(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// archiveID is what keeps walks out of the archive.
func (s *Store) archiveID() []FileID {
	st, err := lstat(s.opt.Archive.Dir)
	if s.opt.Archive.Dir == "" || err != nil || st.id() == (FileID{}) {
		return nil
	}
	return []FileID{st.id()}
}
