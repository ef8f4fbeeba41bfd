package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
	"handex/index/internal/sqlitedb"
	"handex/index/internal/store"
)

// An indexed is what the index holds of a file: enough to see without opening it
// that it has not changed.
type indexed struct {
	id, root int64
	stat     fsx.Stat // without Mode
	seenNS   int64
	skipped  bool   // it has no handoffs, because it could not be read
	deps     string // file.deps
	path     string
	// versionOf is the path that the file is an earlier version of, "" for one in
	// a root.
	versionOf string
	folder    int64      // its directory's number
	dir       *directory // nil if a link led to it
	seen      bool       // this refresh came by it
	scan      *scan      // in which
}

// racy is how much younger than its last look a file must have been: within
// the grain of file systems' clocks a second write leaves the same times.
const racy = 2 * time.Second

// unchanged reports whether st is what the index saw, and long enough ago.
func (k *indexed) unchanged(st fsx.Stat) bool {
	return k.same(st) && max(st.MtimeNS, st.CtimeNS) < k.seenNS-int64(racy)
}

func (k *indexed) same(st fsx.Stat) bool {
	st.Mode = 0
	return k.stat == st
}

// isOfAnotherZone reports whether a build in another zone took the file over: its
// dates are not right. A file that could not be read has the same size.
func (k *indexed) isOfAnotherZone() bool { return k.stat.Size < 0 }

// packed is how many files or folders are asked for at once.
const packed = 4096

// unpackFiles takes what KnownFiles packed apart.
func unpackFiles(pack string) ([]indexed, error) {
	if pack == "" {
		return nil, nil
	}
	list := make([]indexed, strings.Count(pack, "\x00")+1)
	for i := range list {
		var one string
		one, pack, _ = strings.Cut(pack, "\x00")
		if err := list[i].read(one); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read takes a record of KnownFiles apart.
func (k *indexed) read(pack string) error {
	n, rest, ok := discover.CutNumbers(pack, 10)
	deps, rest, _ := strings.Cut(rest, "\x1f")
	versionOf, path, found := strings.Cut(rest, "\x1f")
	if !ok || !found {
		return fmt.Errorf("%w: file record %q", store.ErrCorrupt, pack)
	}
	*k = indexed{
		id: n[0], root: n[1], folder: n[2],
		stat:   fsx.Stat{Dev: uint64(n[3]), Ino: uint64(n[4]), Size: n[5], MtimeNS: n[6], CtimeNS: n[7]},
		seenNS: n[8], skipped: n[9] != 0, deps: deps, path: path, versionOf: versionOf,
	}
	return nil
}

// A catalog is what a planner looks up in the index.
type catalog struct {
	ctx context.Context //nolint:containedctx // lives as long as the refresh's transaction
	q   *sqlitedb.Queries
}

func (c catalog) details(ids string) ([]sqlitedb.FileDetailsRow, error) {
	return c.q.FileDetails(c.ctx, ids)
}

func (c catalog) filesOf(dir int64) ([]indexed, error) {
	pack, err := c.q.FilesOfFolder(c.ctx, sql.NullInt64{Int64: dir, Valid: true})
	if err != nil {
		return nil, err
	}
	return unpackFiles(pack)
}

func (c catalog) countFiles(root int64) (int64, error) { return c.q.CountFilesOfRoot(c.ctx, root) }

// linked reads the files that links lead to, and earlier versions.
func (c catalog) linked() ([]indexed, error) {
	pack, err := c.q.LinkedFiles(c.ctx)
	if err != nil {
		return nil, err
	}
	return unpackFiles(pack)
}

// linkedBelow reads those of some folders, of which none lies in another.
func (c catalog) linkedBelow(dirs []string) (files []indexed, _ error) {
	for _, dir := range dirs {
		low, high := rangeBelow(dir)
		links, err := c.q.LinkedFilesBelow(c.ctx, sqlitedb.LinkedFilesBelowParams{Low: low, High: high})
		if err != nil {
			return nil, err
		}
		versions, err := c.q.VersionsBelow(c.ctx, sqlitedb.VersionsBelowParams{Low: low, High: high})
		if err != nil {
			return nil, err
		}
		for _, pack := range []string{links, versions} {
			some, err := unpackFiles(pack)
			if err != nil {
				return nil, err
			}
			files = append(files, some...)
		}
	}
	return files, nil
}

// all reads all files of the index.
func (c catalog) all() (files []indexed, _ error) {
	err := inPacks(func(low int64) (last int64, more bool, _ error) {
		pack, err := c.q.KnownFiles(c.ctx, sqlitedb.KnownFilesParams{Low: low, N: packed})
		if err != nil {
			return 0, false, err
		}
		some, err := unpackFiles(pack)
		for i := range some {
			if i > 0 && some[i].id <= some[i-1].id || some[i].id < low {
				return 0, false, fmt.Errorf("%w: files are not in the order of their ids", store.ErrCorrupt)
			}
			last, more = some[i].id, true
		}
		files = append(files, some...)
		return last, more, err
	})
	return files, err
}

// inPacks asks for one pack after the other, each from an id on.
func inPacks(pack func(low int64) (last int64, more bool, _ error)) error {
	low := int64(math.MinInt64)
	for {
		last, more, err := pack(low)
		if err != nil || !more || last == math.MaxInt64 {
			return err
		}
		low = last + 1
	}
}

// A dependency is a neighbour that was read with a file, by its path relative to
// the file's folder, and the state it was in. Size absent: there was none. Size
// unsettled: it could not be read, or was so young that a change could leave the
// same times; then sum is that of its content, "" where that is not known.
// Size successor: it is the content that came after an earlier version.
// Size checkedOut: rel is the top of a work tree of git, sum its headMark, and
// mtime the time of the last commit of the file itself, 0 if it has none.
type dependency struct {
	rel                     string
	size, mtime, ctime, ino int64 // times in nanoseconds
	sum                     string
}

const (
	absent     = -1
	unsettled  = -2
	successor  = -3
	checkedOut = -4
)

func (d dependency) MarshalJSON() ([]byte, error) {
	buf := store.AppendQuoted([]byte{'['}, d.rel)
	for _, n := range []int64{d.size, d.mtime, d.ctime, d.ino} {
		buf = strconv.AppendInt(append(buf, ','), n, 10)
	}
	return append(store.AppendQuoted(append(buf, ','), d.sum), ']'), nil
}

func (d *dependency) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&d.rel, &d.size, &d.mtime, &d.ctime, &d.ino, &d.sum})
}

// onlySuccessor reports whether file.deps has nothing but what came after a version,
// without taking it apart: there may be many.
func onlySuccessor(deps string) bool {
	rest, ok := strings.CutPrefix(deps, `[["",-3,`)
	return ok && !strings.Contains(rest, "[")
}

// look answers the dependency as the disk has it now.
func look(dir, rel string) dependency {
	path := filepath.Join(dir, filepath.FromSlash(rel))
	st, err := fsx.Follow(path)
	switch {
	case err == nil:
		return dependency{rel: rel, size: st.Size, mtime: st.MtimeNS, ctime: st.CtimeNS, ino: int64(st.Ino)}
	case fsx.Vanished(err):
		return dependency{rel: rel, size: absent}
	}
	return dependency{rel: rel, size: unsettled}
}

// asOf is the dependency, of that content, as it may be relied on later.
func (d dependency) asOf(now int64, content []byte) dependency {
	if d.size >= 0 && max(d.mtime, d.ctime) >= now-int64(racy) {
		return dependency{rel: d.rel, size: unsettled, sum: halfSum(content)}
	}
	return d
}

// holds reports whether the neighbour is still as it was.
func (d dependency) holds(dir string) bool {
	switch {
	case d.size == successor, d.size == checkedOut: // which others compare
		return true
	case d.size != unsettled:
		return look(dir, d.rel) == d
	case d.sum == "":
		return false
	}
	path, err := fsx.RealPath(filepath.Join(dir, filepath.FromSlash(d.rel)))
	if err != nil {
		return false
	}
	content, _, err := fsx.ReadSettled(path, maxNeighbour)
	return err == nil && halfSum(content) == d.sum
}

// A watch tells whether neighbours are as they were. Many files of a folder
// share theirs, so it remembers.
type watch map[string]bool

// changed reports whether a neighbour of the file at path is not as deps says.
func (w watch) changed(path, deps string) bool {
	if deps == "" || onlySuccessor(deps) {
		return false
	}
	dir := filepath.Dir(path)
	key := dir + "\x00" + deps
	changed, ok := w[key]
	if !ok {
		var list []dependency
		changed = json.Unmarshal([]byte(deps), &list) != nil ||
			slices.ContainsFunc(list, func(d dependency) bool { return !d.holds(dir) })
		w[key] = changed
	}
	return changed
}

// moved reports whether another commit is checked out than the file at path was
// last dated by.
func (w watch) moved(path, deps string) bool {
	if !onCommit(deps) {
		return false
	}
	var list []dependency
	if json.Unmarshal([]byte(deps), &list) != nil {
		return false // which changed reports
	}
	return slices.ContainsFunc(list, func(d dependency) bool { return d.size == checkedOut && w.leads(filepath.Dir(path), d) })
}

// leads reports whether a work tree is at another commit than d says.
func (w watch) leads(dir string, d dependency) bool {
	top := filepath.Join(dir, filepath.FromSlash(d.rel))
	key := top + "\x00" + d.sum
	moved, ok := w[key]
	if !ok {
		tree := FindWorkTree(top)
		moved = tree == nil || tree.Top != top || tree.HeadMark() != d.sum
		w[key] = moved
	}
	return moved
}

// onCommit reports whether file.deps has a commit, without taking them apart.
func onCommit(deps string) bool { return strings.Contains(deps, `",-4,`) }

// any reports whether a neighbour of a directory's files is not as they say.
func (w watch) any(d *directory) bool {
	if d.deps == "" {
		return false
	}
	file := fsx.Join(d.path, "x")
	for deps := range strings.SplitSeq(d.deps, "\x1e") {
		if w.changed(file, deps) || w.moved(file, deps) {
			return true
		}
	}
	return false
}
