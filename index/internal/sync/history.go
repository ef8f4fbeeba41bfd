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

// Version is the content of a file at one time. Replaced is when other content was written in its
// place, as far as that is known; it is zero for the current content.
type Version struct {
	store.Summary
	Replaced time.Time
}

// Versions returns all versions of the file that contains the handoff with the public id hid: the
// current content, then earlier ones, newest first. For a file of several handoffs it returns one
// for each version, and for the version with the requested handoff that one. The error is
// *NotFoundError if there is no such handoff.
func (s *Syncer) Versions(ctx context.Context, hid string) ([]Version, error) {
	var list []Version
	err := s.ReadHandoff(ctx, "read versions", hid, func(q *sqlitedb.Queries, id int64) (err error) {
		list, err = s.versions(ctx, q, id)
		return err
	})
	return list, err
}

// versions returns the versions of the file that contains the handoff with a row id: see Versions.
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

// owners tells which file an earlier version at a path belongs to: the file that was moved away
// from there next, or else the one that is there.
type owners struct {
	histories map[string]*archive.PathHistory // by the path the file is at
}

// owners reads the histories of moved files from the archive.
func (s *Syncer) owners() (owners, error) {
	a := archive.New(s.Settings.Archive, s.Settings.Now)
	var errs []error
	o := owners{a.PathHistories(func(_ string, err error) { errs = append(errs, err) })}
	return o, store.WrapError("read versions", a.Dir, errors.Join(errs...))
}

// of returns the current path of the file that was at path at the time written, in nanoseconds.
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

// owns reports whether a row is a version of the file whose current path is file.
func (o owners) owns(file string, row sqlitedb.VersionsOfRow) bool {
	if row.VersionOf == "" {
		return row.Path == file
	}
	return o.of(row.VersionOf, row.MtimeNs) == file
}

// oneOfEach keeps one row for each file: the row of the handoff id if the file has it, else the
// first. Rows of one file must be adjacent.
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
	// GitReport counts the versions that were imported from git.
	GitReport = archive.ImportReport
)

// ErrNoArchive says that there is no archive in which earlier versions could be kept.
var ErrNoArchive = errors.New("no earlier versions are kept")

// GitOptions says how versions are imported from git. Getenv is os.Getenv or alike; Known and Home
// are those of RefreshOptions.
type GitOptions struct {
	Getenv func(string) string
	Known  []string
	Home   string
}

// ImportGit stores in the archive the content that handoffs had in any commit, for all repositories
// that the roots are in or contain. The next Refresh indexes it. Git is only used to read. The
// error is that of ctx, or wraps ErrNoArchive; problems of a repository are in the report.
func (s *Syncer) ImportGit(ctx context.Context, roots []discover.Root, o GitOptions) (archive.ImportReport, error) {
	if s.Settings.Archive.Dir == "" || s.Settings.ReadOnly {
		return archive.ImportReport{}, &store.Error{
			Op: "import versions from git", Path: s.Settings.Archive.Dir,
			Err: ErrNoArchive,
		}
	}
	return archive.New(s.Settings.Archive, s.Settings.Now).ImportGit(ctx, roots, finderOf(o.Known, o.Home), o.Getenv)
}

// ArchiveFile copies the file at path, which is absolute, into the archive, for a caller that is
// about to overwrite or remove it: the next Refresh of the roots indexes the copy as an earlier
// version. It does nothing if no archive is kept, if none of the roots would index the file, or if
// there is no file.
func ArchiveFile(o Settings, roots []discover.Root, r Options, path string) error {
	return archive.New(o.Archive, o.Now).AddFile(roots, finderOf(r.Known, r.Home), path)
}

// finderOf returns a finder of projects with the given known folders and home folder.
func finderOf(folders []string, home string) *project.Finder {
	known := project.NewKnownPaths(folders)
	known.Home = home
	return project.NewFinder(known)
}
