package sync

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// A directory is a folder below a root, as the index contains it and as this
// refresh finds it.
type directory struct {
	id, root int64
	path     string
	rules    int64 // as in the table
	discover.Listing
	states, deps string // as in the table

	had        int   // files it had at the last refresh
	hadRoot    int64 // its root then
	hadRules   int64
	hadDisk    uint64
	found      int   // files it has
	scan       *scan // that came by it, nil if none did
	quiet      bool  // its files have not changed, and were not looked up
	loaded     bool  // its files are in refresher.held
	stored     bool  // it has a row, maybe of another state
	dirty      bool  // its row is to be written
	handedBack bool  // to the root it had
	mustWrite  bool  // files were looked into for it, or it has other rules: that is worth writing it
	kept       bool  // files of it stay though no scan came by
}

// number returns the id of the directory, 0 for nil: a file that was found by a link has no
// directory.
func (d *directory) number() int64 {
	if d == nil {
		return 0
	}
	return d.id
}

// rowSum returns the checksum of the directory's row.
func (d *directory) rowSum() int64 {
	buf := make([]byte, 0, 512)
	for _, n := range []int64{
		d.id, d.root, int64(d.State.Dev), int64(d.State.Ino), d.State.MtimeNS, d.State.CtimeNS,
		d.rules, int64(d.Count),
	} {
		buf = append(strconv.AppendInt(buf, n, 10), ' ')
	}
	for _, text := range []string{d.path, d.states, d.Entries} {
		buf = append(append(buf, text...), 0)
	}
	return store.Sum64(buf)
}

// recheck clears the recorded states of the directory, so that the next refresh lists it and
// compares its files.
func (d *directory) recheck() {
	if was := (fsx.Stat{Dev: d.hadDisk}); d.State != was || d.states != "" {
		d.State, d.states, d.dirty = was, "", true
	}
}

// directories are the directories of a refresh, by path.
type directories struct {
	byPath map[string]*directory
	before map[string]*directory // those of the index that a build starts from
	last   int64                 // id given out, 0 before the first
	// renumbered has the current numbers of disks by their former numbers.
	renumbered map[uint64]uint64
}

// all reads the directories of the whole index into ds.
func (ds *directories) all(c catalog) error {
	return inPacks(func(low int64) (last int64, more bool, _ error) {
		return ds.add(c.q.KnownFolders(c.ctx, sqlitedb.KnownFoldersParams{Low: low, N: packed}))
	})
}

// below reads the directory at path, and all directories in it, from the index into ds.
func (ds *directories) below(c catalog, path string) error {
	low, high := rangeBelow(path)
	_, _, err := ds.add(c.q.FoldersBelow(c.ctx, sqlitedb.FoldersBelowParams{Path: path, Low: low, High: high}))
	return err
}

// add unpacks records of KnownFolders into ds, and returns the last id and whether there were any.
// A wrong checksum is ErrCorrupt. err is returned as it is.
func (ds *directories) add(pack string, err error) (last int64, more bool, _ error) {
	if err != nil {
		return 0, false, err
	}
	const texts = 4
	list := make([]directory, strings.Count(pack, "\x00")/texts)
	for i := range list {
		d := &list[i]
		n, rest, ok := discover.CutNumbers(pack, 9)
		for _, text := range []*string{&d.states, &d.path, &d.deps, &d.Entries} {
			var found bool
			*text, rest, found = strings.Cut(rest, "\x00")
			*text, ok = strings.Clone(*text), ok && found // the pack, half of which is numbers, is not kept
		}
		d.id, d.root, d.hadRoot, d.stored = n[0], n[1], n[1], true
		d.State, d.Count = fsx.Stat{Dev: uint64(n[2]), Ino: uint64(n[3]), MtimeNS: n[4], CtimeNS: n[5]}, int(n[7])
		d.rules, d.hadRules, d.hadDisk = n[6], n[6], d.State.Dev
		if !ok || d.rowSum() != n[8] {
			return 0, false, fmt.Errorf("%w: the row of folder %d does not match its checksum", store.ErrCorrupt, n[0])
		}
		pack, last = rest, max(last, d.id)
		d.had = discover.CountEntries(d.Entries, discover.EntryFile)
		ds.byPath[d.path] = d
	}
	return last, len(list) > 0, nil
}

// directoryAt returns the directory at path. If there is none, it makes one with a new id in the
// given root.
func (r *refresher) directoryAt(path string, root int64) (d *directory, err error) {
	ds := &r.dirs
	if d = ds.byPath[path]; d != nil {
		return d, nil
	}
	if ds.last == 0 && !r.build {
		if ds.last, err = r.stock.q.LastFolderID(r.stock.ctx); err != nil {
			return nil, err
		}
	}
	ds.last++
	d = &directory{id: ds.last, root: root, path: path, loaded: true, hadDisk: ds.disk(path)}
	ds.byPath[path] = d
	return d, nil
}

// disk returns the number of the disk that the folder at path was on when the index last saw it, 0
// if the index does not contain the folder.
func (ds *directories) disk(path string) uint64 {
	for _, dirs := range []map[string]*directory{ds.byPath, ds.before} {
		if d := dirs[path]; d != nil {
			return d.hadDisk
		}
	}
	return 0
}

// manyDirectories is from how many changed directories on they are written even if nothing else is,
// so that they need not be listed the next time; fewer are listed faster than written.
const manyDirectories = 100

// foldersPay reports whether so many directories changed, or such ones, that they are written even
// if nothing else is.
func (r *refresher) foldersPay() bool {
	changed := r.changedDirectories()
	return len(changed)+len(r.plan.left) >= manyDirectories ||
		slices.ContainsFunc(changed, func(d *directory) bool { return d.mustWrite })
}

// changedDirectories returns the directories whose rows are to be written, by id. It leaves out
// those of roots that have no row, or whose walk is not believed, unless they were handed back to
// their former root.
func (r *refresher) changedDirectories() (list []*directory) {
	rows := r.rootsWithRows()
	for _, d := range r.dirs.byPath {
		if d.dirty && (rows[d.root] || d.handedBack) {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *directory) int { return cmp.Compare(a.id, b.id) })
	return list
}

// rootsWithRows returns for the id of each root of the plan whether it has a row in the index and
// its walk is believed.
func (r *refresher) rootsWithRows() map[int64]bool {
	rows := map[int64]bool{}
	for _, s := range r.plan.scans {
		rows[s.id] = s.needsRow() && !s.blind
	}
	return rows
}

// restoreRoots gives directories back to the root that they had, if the root that they have now has
// no row. The next refresh checks them again, as it is unknown which of their files the former root
// has.
func (r *refresher) restoreRoots() {
	rows := r.rootsWithRows()
	for _, d := range r.dirs.byPath {
		if d.stored && d.root != d.hadRoot && !rows[d.root] {
			d.root, d.handedBack = d.hadRoot, true
			d.recheck()
		}
	}
}

// putDirectories writes the directories that changed, deletes those that are gone, and updates the
// neighbours and projects that are recorded for the directories with changed files.
func (r *refresher) putDirectories(ctx context.Context, w *writer) error {
	for _, d := range r.changedDirectories() {
		st := d.State
		w.rows.directory.Row().Int(d.id, d.root).Text(d.path).
			Int(int64(st.Dev), int64(st.Ino), st.MtimeNS, st.CtimeNS, d.rules, int64(d.Count)).Text(d.states,
			d.Entries).Int(d.rowSum()).End()
		w.dirs[d.id] = true
	}
	if !w.rows.directory.Empty() {
		if err := w.q.PutFolders(ctx, w.rows.directory.Take()); err != nil {
			return err
		}
	}
	if !r.build && len(r.plan.left) > 0 {
		if err := w.q.DeleteFolders(ctx, store.NumberList(r.plan.left)); err != nil {
			return err
		}
	}
	written := slices.Sorted(maps.Keys(w.dirs))
	if err := w.q.CollectDeps(ctx, store.NumberList(written)); err != nil {
		return err
	}
	if !r.build {
		if err := w.q.ForgetPlaces(ctx, store.NumberList(slices.Concat(written, r.plan.left))); err != nil {
			return err
		}
	}
	return w.q.CollectPlaces(ctx, store.NumberList(written))
}
