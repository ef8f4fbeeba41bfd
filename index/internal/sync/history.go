package sync

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/project"
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

type (
	// ArchiveOptions says where earlier versions of handoffs are kept, and how many.
	ArchiveOptions = archive.Options
	// GitReport counts what was taken from git.
	GitReport = archive.ImportReport
)

// ErrNoArchive says that earlier versions have no place to be kept.
var ErrNoArchive = errors.New("no earlier versions are kept")

// GitOptions says how versions are taken from git. Getenv is os.Getenv or alike;
// Known and Home are those of RefreshOptions.
type GitOptions struct {
	Getenv func(string) string
	Known  []string
	Home   string
}

// ImportGit stores in the archive what the handoffs of the roots said in any commit of
// the repositories that the roots are in or hold. The next Refresh indexes it. Git is
// only asked to read. The error is that of ctx, or wraps ErrNoArchive; what is wrong
// with a repository is in the report.
func (s *Syncer) ImportGit(ctx context.Context, roots []discover.Root, o GitOptions) (archive.ImportReport, error) {
	if s.Settings.Archive.Dir == "" || s.Settings.ReadOnly {
		return archive.ImportReport{}, &store.Error{
			Op: "import versions from git", Path: s.Settings.Archive.Dir,
			Err: ErrNoArchive,
		}
	}
	return archive.New(s.Settings.Archive, s.Settings.Now).ImportGit(ctx, roots, finderOf(o.Known, o.Home), o.Getenv)
}

// ArchiveFile copies what a handoff says into the archive, for a caller that is about to
// overwrite or remove the file at path, which is absolute: the next Refresh of the
// roots then finds it as an earlier version. It does nothing where no archive is
// kept, where none of the roots would index the file, and where there is none.
func ArchiveFile(o Settings, roots []discover.Root, r Options, path string) error {
	return archive.New(o.Archive, o.Now).AddFile(roots, finderOf(r.Known, r.Home), path)
}

// finderOf returns a finder of projects that knows some folders, and which is the home.
func finderOf(folders []string, home string) *project.Finder {
	known := project.NewKnownPaths(folders)
	known.Home = home
	return project.NewFinder(known)
}
