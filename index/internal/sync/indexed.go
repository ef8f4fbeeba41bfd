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

// An indexed is what the index contains of a file: enough to see, without opening the file, whether
// it has changed.
type indexed struct {
	id, root int64
	stat     fsx.Stat // without Mode
	seenNS   int64
	skipped  bool   // it has no handoffs, because it could not be read
	deps     string // file.deps
	path     string
	// versionOf is the path of the file that this is an earlier version of, "" for a file in a
	// root.
	versionOf string
	folder    int64      // its directory's number
	dir       *directory // nil if a link led to it
	seen      bool       // this refresh came by it
	scan      *scan      // in which
}

// unchanged reports whether st is the state that the index recorded, and was then old enough to be
// reliable.
func (k *indexed) unchanged(st fsx.Stat) bool {
	return k.same(st) && !st.IsYoung(k.seenNS)
}

// same reports whether st is the state that the index recorded. Its mode is ignored.
func (k *indexed) same(st fsx.Stat) bool {
	st.Mode = 0
	return k.stat == st
}

// isRenumbered reports whether st is likely the state of the same file on a disk whose number has
// changed.
func (k *indexed) isRenumbered(st fsx.Stat) bool {
	return k.stat.Dev != st.Dev && k.stat.Size == st.Size && k.stat.MtimeNS == st.MtimeNS
}

// isOfAnotherZone reports whether the file's row was copied by a build in another time zone, so
// that its dates are wrong. It is also true for a file that could not be read, which has the same
// size.
func (k *indexed) isOfAnotherZone() bool { return k.stat.Size < 0 }

// packed is how many files or folders are requested at once.
const packed = 512

// unpackFiles returns the files in pack, the result of the query KnownFiles. err is returned as it
// is.
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

// read sets k from one record of the query KnownFiles. An invalid record is ErrCorrupt.
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

// A catalog reads from the index for a refresh.
type catalog struct {
	ctx context.Context //nolint:containedctx // lives as long as the refresh's transaction
	q   *sqlitedb.Queries
}

// details returns the details of the files whose ids are in a JSON list.
func (c catalog) details(ids string) ([]sqlitedb.FileDetailsRow, error) {
	if ids == "[]" {
		return nil, nil
	}
	return c.q.FileDetails(c.ctx, ids)
}

// filesOf returns the files of the directory with an id.
func (c catalog) filesOf(dir int64) ([]indexed, error) {
	return unpackFiles(c.q.FilesOfFolder(c.ctx, sql.NullInt64{Int64: dir, Valid: true}))
}

// countFiles returns how many files the index contains of the root with an id.
func (c catalog) countFiles(root int64) (int64, error) { return c.q.CountFilesOfRoot(c.ctx, root) }

// linked returns the files that links lead to, and the earlier versions.
func (c catalog) linked() ([]indexed, error) { return unpackFiles(c.q.LinkedFiles(c.ctx)) }

// linkedBelow returns the files that links lead to, and the earlier versions, whose paths are in
// the folders dirs. None of dirs may be in another.
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

// all returns all files of the index, in the order of their ids.
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

// inPacks calls pack for one part of a table after the other until there is no more. pack reads
// rows with ids from low on, and returns the last id and whether there were any.
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
