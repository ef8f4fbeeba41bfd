package index

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/index/internal/sqlitedb"
)

// An indexed is what the index holds of a file: enough to see without opening it
// that it has not changed.
type indexed struct {
	id, root int64
	stat     Stat // without Mode
	seenNS   int64
	skipped  bool   // it has no handoffs, because it could not be read
	deps     string // file.deps
	path     string
	// versionOf is the path that the file is an earlier version of, "" for one in
	// a root.
	versionOf string
	seen      bool  // this refresh came by it
	scan      *scan // in which
}

// racy is how much younger than its last look a file must have been: within
// the grain of file systems' clocks a second write leaves the same times.
const racy = 2 * time.Second

// unchanged reports whether st is what the index saw, and long enough ago.
func (k *indexed) unchanged(st Stat) bool {
	return k.same(st) && max(st.MtimeNS, st.CtimeNS) < k.seenNS-int64(racy)
}

func (k *indexed) same(st Stat) bool {
	st.Mode = 0
	return k.stat == st
}

// packed is how many files KnownFiles is asked for at once.
const packed = 4096

// indexedFiles reads all files of the index.
func indexedFiles(ctx context.Context, q *sqlitedb.Queries) (map[string]*indexed, error) {
	files := map[string]*indexed{}
	low := int64(math.MinInt64)
	for {
		pack, err := q.KnownFiles(ctx, sqlitedb.KnownFilesParams{Low: low, N: packed})
		if err != nil || pack == "" {
			return files, err
		}
		list := make([]indexed, strings.Count(pack, "\x00")+1)
		for i := range list {
			var one string
			one, pack, _ = strings.Cut(pack, "\x00")
			if err := list[i].read(one); err != nil {
				return nil, err
			}
			if i > 0 && list[i].id <= list[i-1].id || list[i].id < low {
				return nil, fmt.Errorf("%w: files are not in the order of their ids", ErrCorrupt)
			}
			files[list[i].path] = &list[i]
		}
		last := list[len(list)-1].id
		if last == math.MaxInt64 {
			return files, nil
		}
		low = last + 1
	}
}

// read takes a record of KnownFiles apart.
func (k *indexed) read(pack string) error {
	var n [9]int64
	for i := range n {
		word, rest, ok := strings.Cut(pack, " ")
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil || !ok {
			return fmt.Errorf("%w: file record %q", ErrCorrupt, pack)
		}
		n[i], pack = v, rest
	}
	deps, pack, _ := strings.Cut(pack, "\x1f")
	versionOf, path, ok := strings.Cut(pack, "\x1f")
	if !ok {
		return fmt.Errorf("%w: file record %q", ErrCorrupt, pack)
	}
	*k = indexed{
		id: n[0], root: n[1],
		stat:   Stat{Dev: uint64(n[2]), Ino: uint64(n[3]), Size: n[4], MtimeNS: n[5], CtimeNS: n[6]},
		seenNS: n[7], skipped: n[8] != 0, deps: deps, path: path, versionOf: versionOf,
	}
	return nil
}

// A dependency is a neighbour that was read with a file, by its path relative to
// the file's folder, and the state it was in. Size absent: there was none. Size
// unsettled: it could not be read, or was so young that a change could leave the
// same times; then sum is that of its content, "" where that is not known.
type dependency struct {
	rel                     string
	size, mtime, ctime, ino int64 // times in nanoseconds
	sum                     string
}

const (
	absent    = -1
	unsettled = -2
)

func (d dependency) MarshalJSON() ([]byte, error) {
	buf := appendQuoted([]byte{'['}, d.rel)
	for _, n := range []int64{d.size, d.mtime, d.ctime, d.ino} {
		buf = strconv.AppendInt(append(buf, ','), n, 10)
	}
	return append(appendQuoted(append(buf, ','), d.sum), ']'), nil
}

func (d *dependency) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&d.rel, &d.size, &d.mtime, &d.ctime, &d.ino, &d.sum})
}

// look answers the dependency as the disk has it now.
func look(dir, rel string) dependency {
	path := filepath.Join(dir, filepath.FromSlash(rel))
	st, err := lstat(path)
	if err == nil && st.Mode&fs.ModeSymlink != 0 {
		if path, err = realPath(path); err == nil {
			st, err = lstat(path)
		}
	}
	switch {
	case err == nil:
		return dependency{rel: rel, size: st.Size, mtime: st.MtimeNS, ctime: st.CtimeNS, ino: int64(st.Ino)}
	case vanished(err):
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
	if d.size != unsettled {
		return look(dir, d.rel) == d
	}
	if d.sum == "" {
		return false
	}
	path, err := realPath(filepath.Join(dir, filepath.FromSlash(d.rel)))
	if err != nil {
		return false
	}
	content, _, err := readFile(path, maxNeighbour)
	return err == nil && halfSum(content) == d.sum
}

// A watch tells whether neighbours are as they were. Many files of a folder
// share theirs, so it remembers.
type watch map[string]bool

// changed reports whether a neighbour of the file at path is not as deps says.
func (w watch) changed(path, deps string) bool {
	if deps == "" {
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
