package sync

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// An indexed is what the index contains of a file: enough to see without opening it
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

// unchanged reports whether st is what the index saw, and long enough ago.
func (k *indexed) unchanged(st fsx.Stat) bool {
	return k.same(st) && !st.IsYoung(k.seenNS)
}

func (k *indexed) same(st fsx.Stat) bool {
	st.Mode = 0
	return k.stat == st
}

// isRenumbered reports whether st is likely that of the file on a disk with another number.
func (k *indexed) isRenumbered(st fsx.Stat) bool {
	return k.stat.Dev != st.Dev && k.stat.Size == st.Size && k.stat.MtimeNS == st.MtimeNS
}

// isOfAnotherZone reports whether a build in another zone took the file over: its
// dates are not right. A file that could not be read has the same size.
func (k *indexed) isOfAnotherZone() bool { return k.stat.Size < 0 }

// packed is how many files or folders are requested at once.
const packed = 512

// unpackFiles unpacks the records of KnownFiles.
func unpackFiles(pack string, err error) ([]indexed, error) {
	if pack == "" || err != nil {
		return nil, err
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

// read unpacks a record of KnownFiles.
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
	if ids == "[]" {
		return nil, nil
	}
	return c.q.FileDetails(c.ctx, ids)
}

func (c catalog) filesOf(dir int64) ([]indexed, error) {
	return unpackFiles(c.q.FilesOfFolder(c.ctx, sql.NullInt64{Int64: dir, Valid: true}))
}

func (c catalog) countFiles(root int64) (int64, error) { return c.q.CountFilesOfRoot(c.ctx, root) }

// linked reads the files that links lead to, and earlier versions.
func (c catalog) linked() ([]indexed, error) { return unpackFiles(c.q.LinkedFiles(c.ctx)) }

// linkedBelow reads those of some folders, of which none is in another.
func (c catalog) linkedBelow(dirs []string) (files []indexed, _ error) {
	for _, dir := range dirs {
		low, high := rangeBelow(dir)
		links, err := unpackFiles(c.q.LinkedFilesBelow(c.ctx, sqlitedb.LinkedFilesBelowParams{Low: low, High: high}))
		if err != nil {
			return nil, err
		}
		versions, err := unpackFiles(c.q.VersionsBelow(c.ctx, sqlitedb.VersionsBelowParams{Low: low, High: high}))
		if err != nil {
			return nil, err
		}
		files = slices.Concat(files, links, versions)
	}
	return files, nil
}

// all reads all files of the index.
func (c catalog) all() (files []indexed, _ error) {
	err := inPacks(func(low int64) (last int64, more bool, _ error) {
		some, err := unpackFiles(c.q.KnownFiles(c.ctx, sqlitedb.KnownFilesParams{Low: low, N: packed}))
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

// inPacks reads one pack after the other, each from an id on.
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
