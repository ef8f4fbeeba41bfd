package index

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"handex/index/internal/sqlitedb"
)

// syncVersions brings the earlier versions in the index in line with the archive, once
// the files themselves are written. A content of the archive is an earlier version of
// a path if it stands neither there nor where the file from there was moved to. All
// of one path are decided together. If something that this takes cannot be read, the
// versions of the path stay as they are, and all are looked at the next time too.
func (r *refresh) syncVersions(ctx context.Context) error {
	v := &versionSync{r: r}
	stale := []int64(nil)
	if r.loader.archive.on() {
		if v.scope(); v.listing != nil {
			if err := v.decideAll(ctx); err != nil {
				return err
			}
		}
		stale = v.stale()
	} else {
		stale = r.dropVersions()
	}
	if len(stale)+len(v.claims)+len(v.changes) == 0 {
		return nil
	}
	w, err := r.writer()
	if err != nil {
		return err
	}
	if !r.build {
		if err := w.remove(ctx, stale, true); err != nil {
			return err
		}
	}
	for _, s := range r.plan.scans {
		if s.hasVersions {
			if err := w.putRoot(ctx, s, r.now); err != nil {
				return err
			}
		}
	}
	if err := w.claim(ctx, v.claims); err != nil {
		return err
	}
	if !r.build {
		w.ids = newAllocator(w.occupied(ctx)) // the ids that were taken from files are free
	}
	return r.readAndWrite(ctx, v.changes)
}

// A versionSync is one run of syncVersions.
type versionSync struct {
	r       *refresh
	all     bool                      // look at all paths, not only at those in changed
	changed map[string]bool           // paths whose versions may be others though the archive is as it was
	anew    map[string]bool           // paths whose versions are read again
	listing *archiveListing           // nil if there is nothing to decide
	paths   map[string]string         // by the key that contents in the archive have
	files   map[string][]*fileContent // by path, and by the paths they were moved from

	left    map[string]bool // paths whose versions stay as they are
	wanted  map[string]bool // versions, by their path in the archive
	claims  map[location][]int64
	changes []change
}

// A fileContent is a file of the index and the first half of the digest of what it
// holds.
type fileContent struct {
	root              int64
	path, origin, sum string
}

// scope finds out which paths are to be looked at, and lists what the archive has
// of them.
func (v *versionSync) scope() {
	r, a := v.r, v.r.loader.archive
	was, known := r.recordedArchive()
	r.archive = was
	whole := r.o.Only == ""
	if whole {
		v.enforceBounds()
	}
	v.collectChanged()
	v.all = r.build || !known || len(r.plan.claims) > 0 || r.facts[factKnown] != r.known || whole && !was.hasRoots(r.plan.scans)
	quiet := !v.all && r.archiveFolder != "" && (r.archiveFolder == was.Folder || r.archiveFolder == was.Parts[r.part()])
	if quiet && len(v.changed) == 0 {
		return
	}
	var keys map[string]bool // nil is all
	if quiet {
		keys = map[string]bool{}
		for path := range v.changed {
			keys[originKey(path)] = true
		}
	}
	l, err := a.list(keys)
	if err != nil {
		v.unlisted(err)
		return
	}
	if !quiet {
		v.compare(l, was, known)
	}
	if v.all || len(v.changed) > 0 {
		v.listing = l
	}
}

// compare holds a listing of the whole archive against the state that the index has:
// if anybody else changed it, all is looked at. It notes the new state.
func (v *versionSync) compare(l *archiveListing, was archiveState, known bool) {
	r := v.r
	before := l.digest ^ r.loader.archive.change // without what this refresh changed
	same := known && was.Names != archiveOff && before == was.digest()
	v.all = v.all || !same
	switch whole := r.o.Only == ""; {
	case whole || same:
		r.archive.setDigest(before)
		r.archive.Folder, r.archiveNames = r.archiveFolder, l.names
		if whole && !same {
			r.archive.Roots = nil
		}
		if whole {
			r.archive.Parts = nil
		}
		if whole && v.all {
			r.archive.addRoots(r.plan.scans)
		}
	default:
		r.archive.Folder = ""
		r.archive.addPart(r.part(), r.archiveFolder)
	}
}

// enforceBounds keeps the archive within its bounds.
func (v *versionSync) enforceBounds() {
	r, a := v.r, v.r.loader.archive
	due, sure := a.checkBounds(r.archive.Checked, r.archive.Limits)
	if !due {
		return
	}
	if sure {
		if err := a.enforce(); err != nil {
			a.fail(err)
		}
	}
	r.archive.Checked, r.archive.Limits = a.Clock().UnixMilli(), a.limits()
}

// unlisted leaves all versions as they are, as the archive cannot be listed.
func (v *versionSync) unlisted(err error) {
	r := v.r
	r.loader.archive.fail(err)
	if r.build && len(r.earlier) > 0 {
		r.unread[r.loader.archive.Dir] = reason(err)
	}
}

// collectChanged collects the paths of files that were written or are gone, and where
// these were before, of contents that came into the archive, and of versions with
// a neighbour that changed.
func (v *versionSync) collectChanged() {
	r := v.r
	v.changed, v.anew = map[string]bool{}, map[string]bool{}
	add := func(path, origin string) {
		v.changed[path] = true
		if origin != "" {
			v.changed[origin] = true
		}
		for _, former := range r.pathHistories()[path].former() {
			v.changed[former] = true
		}
	}
	for path, origin := range r.written {
		add(path, origin)
	}
	for _, f := range r.plan.goneRows {
		add(f.Path, f.Origin)
	}
	for path := range r.loader.archive.stored {
		v.changed[path] = true
	}
	for i := range r.plan.changes {
		if c := &r.plan.changes[i]; c.force {
			v.anew[c.Path] = true
		}
	}
	for _, f := range r.earlier {
		if r.neighbours.changed(f.versionOf, f.deps) {
			v.changed[f.versionOf], v.anew[f.versionOf] = true, true
		}
	}
}

// decideAll finds the versions among the contents that were listed.
func (v *versionSync) decideAll(ctx context.Context) (err error) {
	r := v.r
	v.left, v.wanted, v.claims = map[string]bool{}, map[string]bool{}, map[location][]int64{}
	if r.build || len(r.plan.gone)+len(r.plan.claims) > 0 { // which the writer begins with
		if _, err := r.writer(); err != nil {
			return err
		}
	}
	if r.w != nil {
		err = v.readFiles(ctx, r.w.q)
	} else {
		err = r.s.transaction(ctx, "read index", func(q *sqlitedb.Queries) error { return v.readFiles(ctx, q) })
	}
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(v.listing.contents)) {
		contents := v.listing.contents[key]
		if path, ok := v.pathOf(key, contents); ok && len(contents) > 0 {
			v.decide(path, contents)
		}
	}
	slices.SortStableFunc(v.changes, func(a, b change) int { return cmp.Compare(a.Stat.MtimeNS, b.Stat.MtimeNS) })
	if most := r.o.Most; r.o.Only != "" && most > 0 && len(v.changes) > most {
		v.changes, r.unsure = v.changes[len(v.changes)-most:], true
	}
	if r.build {
		slices.Reverse(v.changes) // their ids are given out downwards
	}
	return nil
}

// readFiles reads what the files hold that are looked at, or that were moved from
// where these are.
func (v *versionSync) readFiles(ctx context.Context, q *sqlitedb.Queries) error {
	v.paths = map[string]string{}
	add := func(path string) {
		if key := originKey(path); v.listing.contents[key] != nil {
			v.paths[key] = path
		}
	}
	for path := range v.changed {
		add(path)
	}
	if v.all {
		for _, f := range v.r.earlier {
			add(f.versionOf)
		}
		files, err := v.filesInScope(ctx, q)
		if err != nil {
			return err
		}
		for _, f := range files {
			add(f.path)
			v.secure(f)
		}
	}
	rows, err := q.LiveContents(ctx, textList(slices.Sorted(maps.Values(v.paths))))
	v.files = map[string][]*fileContent{}
	for _, row := range rows {
		f := &fileContent{row.RootID, row.Path, row.Origin, row.Sha256}
		paths := append(v.r.pathHistories()[f.path].former(), f.path)
		if f.origin != "" && !slices.Contains(paths, f.origin) {
			paths = append(paths, f.origin)
		}
		for _, path := range paths {
			v.files[path] = append(v.files[path], f)
		}
	}
	return err
}

// filesInScope reads what all files hold, or those of the one project.
func (v *versionSync) filesInScope(ctx context.Context, q *sqlitedb.Queries) (files []*fileContent, _ error) {
	ranges := []sqlitedb.ContentsBelowParams{{High: "\U0010ffff"}}
	if dirs := v.r.territory(v.r.plan.scans); dirs != nil {
		ranges = nil
		for _, dir := range dirs {
			low, high := rangeBelow(dir)
			ranges = append(ranges, sqlitedb.ContentsBelowParams{Low: low, High: high})
		}
	}
	for _, in := range ranges {
		pack, err := q.ContentsBelow(ctx, in)
		if err != nil {
			return nil, err
		}
		for one := range strings.SplitSeq(strings.TrimSuffix(pack, "\x00"), "\x00") {
			if words := strings.Split(one, "\x1f"); len(words) == 2 {
				files = append(files, &fileContent{path: words[0], sum: words[1]})
			}
		}
	}
	return files, nil
}

// secure stores what a file holds that is as it was, if the archive lacks it.
func (v *versionSync) secure(f *fileContent) {
	r := v.r
	contents := v.listing.contents[originKey(f.path)]
	if r.build || f.sum == "" || contents == nil && !overwritten(f.path) ||
		slices.ContainsFunc(contents, func(c *archived) bool { return c.has(f.sum) }) {
		return
	}
	s, ok := r.scanOf(f.path)
	if !ok || s == nil {
		return
	}
	if raw, st, err := readSettled(f.path, maxFile); err == nil && halfSum(raw) == f.sum {
		r.loader.archive.keep(sidecarOf(f.path, s.root, r.loader.projects.Of(f.path, s.root.Path), st.MtimeNS), raw, true)
	}
}

// pathOf is the path that contents were at. What only the archive knows of is looked
// at by a refresh of all.
func (v *versionSync) pathOf(key string, contents []*archived) (string, bool) {
	if path, ok := v.paths[key]; ok || !v.all || v.r.o.Only != "" {
		return path, ok
	}
	for _, c := range contents {
		err := v.r.loader.archive.describe(c)
		if err == nil {
			return c.about.Origin, true
		}
		v.doubt(c, err)
	}
	return "", false
}

// decide finds the earlier versions among what was at one path, and has those read
// that are new, or that something else came after than before.
func (v *versionSync) decide(path string, contents []*archived) {
	s, ok := v.owner(path)
	if !ok {
		v.leave(path, contents)
		return
	}
	if s == nil {
		return
	}
	files := slices.Clone(v.files[path])
	slices.SortFunc(files, func(a, b *fileContent) int {
		return cmp.Or(cmp.Compare(flag(a.path != path), flag(b.path != path)), strings.Compare(a.path, b.path))
	})
	versions := slices.DeleteFunc(slices.Clone(contents), func(c *archived) bool {
		return slices.ContainsFunc(files, func(f *fileContent) bool { return c.has(f.sum) })
	})
	for _, c := range versions {
		if err := v.date(c); err != nil {
			v.doubt(c, err)
			v.leave(path, contents)
			return
		}
	}
	slices.SortFunc(versions, func(a, b *archived) int { return cmp.Or(cmp.Compare(a.written, b.written), cmp.Compare(a.sum, b.sum)) })
	var later []content
	for _, c := range versions {
		later = append(later, content{v.r.loader.archive.path(c.name), c.sum[:halfLength], true})
	}
	for _, f := range files {
		if f.sum != "" {
			later = append(later, content{f.path, f.sum, false})
		}
	}
	for i, c := range versions {
		v.place(c, path, s, later[i+1:])
	}
}

// owner is the scan whose root the versions of a path belong to: that of the file
// there, or else the first one that would search the path; nil if there is none.
// ok is false if they have to stay as they are.
func (v *versionSync) owner(path string) (s *scan, ok bool) {
	r := v.r
	if s, ok = r.scanOf(path); !ok {
		// Somebody may have to look again who searches there.
		r.unsure = r.unsure || v.changed[path]
		return nil, false
	}
	for _, f := range v.files[path] {
		if f.path == path {
			i := slices.IndexFunc(r.plan.scans, func(s *scan) bool { return s.id == f.root })
			if i < 0 {
				return nil, false
			}
			s = r.plan.scans[i]
		}
		if r.unreadable[f.path] {
			r.unsure = true
			return nil, false
		}
	}
	if r.unreadable[path] {
		r.unsure = true
		return nil, false
	}
	return s, true
}

// scanOf is the first scan that would search a path, nil if there is none. ok is false
// if it is not for this refresh to say.
func (r *refresh) scanOf(path string) (s *scan, ok bool) {
	covered := false
	for _, s := range r.plan.scans {
		if s.covers(path) {
			covered = true
			if rel, _ := relativeTo(path, s.root.Path); s.admits(rel) {
				return s, true
			}
		}
	}
	other := slices.ContainsFunc(r.roots, func(row sqlitedb.Root) bool {
		return below(path, row.Path) && !slices.ContainsFunc(r.plan.scans, func(s *scan) bool { return s.id == row.ID })
	})
	return nil, !other && (covered || r.o.Only == "")
}

// date finds out when a content was written. Its sidecar is as it was read if the copy
// is.
func (v *versionSync) date(c *archived) error {
	a := v.r.loader.archive
	if old := v.r.earlier[a.path(c.name)]; old != nil && old.stat.CtimeNS == c.mtime {
		c.written = old.stat.MtimeNS
		return nil
	}
	err := a.describe(c)
	c.written = c.about.Written.UnixNano()
	return err
}

// place has a version read, unless the index has it as it is.
func (v *versionSync) place(c *archived, origin string, s *scan, later []content) {
	r, a := v.r, v.r.loader.archive
	path := a.path(c.name)
	v.wanted[path], s.hasVersions = true, true
	old := r.earlier[path]
	if r.carried[path] {
		return
	}
	if old != nil && old.root != s.id && !r.build {
		to := location{root: s.id}
		v.claims[to] = append(v.claims[to], old.id)
	}
	if old != nil && old.stat.CtimeNS == c.mtime && !v.readAgain(old) && old.replacedBy(later) {
		return
	}
	if err := a.describe(c); err != nil {
		v.doubt(c, err)
		v.leave(origin, []*archived{c})
		return
	}
	ver := &version{sidecar: c.about, mtime: c.mtime, later: later}
	v.changes = append(v.changes, change{
		File: File{Path: path, Stat: Stat{Size: c.size, MtimeNS: c.written}}, scan: s, old: old,
		origin: ver.origin(), force: true, version: ver,
	})
}

// readAgain reports whether a version must be read again though its copy is as it was:
// what it was read with changed, or what its project is called.
func (v *versionSync) readAgain(old *indexed) bool {
	r := v.r
	return r.build || old.isOfAnotherZone() || v.anew[old.versionOf] || r.facts[factKnown] != r.known
}

// replacedBy reports whether what came after a version is what it was read with.
func (k *indexed) replacedBy(later []content) bool {
	if k.deps == "" {
		return true
	}
	var list []dependency
	if json.Unmarshal([]byte(k.deps), &list) != nil {
		return false
	}
	next := ""
	if len(later) > 0 {
		next = later[0].sum
	}
	return !slices.ContainsFunc(list, func(d dependency) bool { return d.size == successor && d.sum != next })
}

// doubt reports why a version cannot be made out for now. What was removed
// meanwhile the next refresh misses.
func (v *versionSync) doubt(c *archived, err error) {
	v.r.unsure = true
	if !vanished(err) {
		v.r.trouble(Trouble{v.r.loader.archive.path(c.name), reason(err)})
	}
}

// leave keeps the versions of a path as they are. A build has to take them over.
func (v *versionSync) leave(path string, contents []*archived) {
	v.left[path] = true
	for _, c := range contents {
		if name := v.r.loader.archive.path(c.name); v.r.build && v.r.earlier[name] != nil && !v.r.carried[name] {
			v.r.unread[name] = "its file, or another version of that, cannot be read"
		}
	}
}

// stale lists the versions in the index that are none any more.
func (v *versionSync) stale() (ids []int64) {
	if v.listing == nil || v.r.build {
		return nil
	}
	for path, f := range v.r.earlier {
		if v.wanted[path] || v.left[f.versionOf] || !v.all && !v.changed[f.versionOf] {
			continue
		}
		if _, ok := v.owner(f.versionOf); ok {
			ids = append(ids, f.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// carryVersions has a build take over the versions that it cannot decide about: those
// that could not be read before, and those in roots that are not searched.
func (r *refresh) carryVersions() {
	r.carried = map[string]bool{}
	if !r.build || !r.loader.archive.on() {
		return
	}
	_, unlisted := r.o.unread[r.loader.archive.Dir]
	for path, f := range r.earlier {
		_, unread := r.o.unread[path]
		if _, ok := r.scanOf(f.versionOf); unlisted || unread || !ok {
			r.plan.kept = append(r.plan.kept, f.id)
			r.carried[path] = true
		}
		r.unsure = r.unsure || unlisted || unread
	}
}
