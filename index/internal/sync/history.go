package sync

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// Version is what a file said at one time. Replaced is when something else was
// written in its place, as far as that is known; of what is there it is zero.
type Version struct {
	store.Summary
	Replaced time.Time
}

// Versions returns all versions of the file which the handoff with a public
// id is of: what is there now, then what it said before, newest first. Of a
// file of several handoffs it has one for each version, the one asked for if it is
// of that. The error is *NotFoundError if there is no such handoff.
func (s *Syncer) Versions(ctx context.Context, hid string) ([]Version, error) {
	var list []Version
	err := s.ReadHandoff(ctx, "read versions", hid, func(q *sqlitedb.Queries, id int64) (err error) {
		list, err = s.versions(ctx, q, id)
		return err
	})
	return list, err
}

func (s *Syncer) versions(ctx context.Context, q *sqlitedb.Queries, id int64) ([]Version, error) {
	of, err := q.OriginOfHandoff(ctx, id)
	if err != nil {
		return nil, err
	}
	o, err := s.owners()
	if err != nil {
		return nil, err
	}
	file := of.Path
	if of.VersionOf != "" {
		file = o.of(of.VersionOf, of.MtimeNs)
	}
	rows, err := q.VersionsOf(ctx, store.TextList(append(o.histories[file].Former(), file)))
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row sqlitedb.VersionsOfRow) bool { return !o.owns(file, row) })
	rows = oneOfEach(rows, id)
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	summaries, err := s.SummariesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	list := make([]Version, len(summaries))
	for i, sum := range summaries {
		list[i].Summary = sum
		if i > 0 {
			list[i].Replaced = time.Unix(0, rows[i-1].MtimeNs).In(s.Settings.Zone)
		}
	}
	return list, nil
}

// owners say which file the earlier versions at a path are of: the one that was
// moved away from there next, or else the one that is there.
type owners struct {
	histories map[string]*archive.PathHistory // by the path the file is at
}

func (s *Syncer) owners() (owners, error) {
	a := archive.New(s.Settings.Archive, s.Settings.Now)
	var errs []error
	o := owners{a.PathHistories(func(_ string, err error) { errs = append(errs, err) })}
	return o, store.WrapError("read versions", a.Dir, errors.Join(errs...))
}

// of returns the current path of the file that was at a path when something was written
// there.
func (o owners) of(path string, written int64) string {
	file, first := path, int64(math.MaxInt64)
	for _, h := range o.histories {
		for _, was := range h.Was {
			if left := was.Left.UnixNano(); was.Path == path && written <= left && left < first {
				file, first = h.Path, left
			}
		}
	}
	return file
}

// owns reports whether a row is of a file, by the path that is at.
func (o owners) owns(file string, row sqlitedb.VersionsOfRow) bool {
	if row.VersionOf == "" {
		return row.Path == file
	}
	return o.of(row.VersionOf, row.MtimeNs) == file
}

// oneOfEach keeps a row for each file, that of the handoff id if it is of it. Rows
// of one file are adjacent.
func oneOfEach(rows []sqlitedb.VersionsOfRow, id int64) []sqlitedb.VersionsOfRow {
	var list []sqlitedb.VersionsOfRow
	for _, row := range rows {
		last := len(list) - 1
		switch {
		case last < 0 || list[last].FileID != row.FileID:
			list = append(list, row)
		case row.ID == id:
			list[last] = row
		}
	}
	return list
}
