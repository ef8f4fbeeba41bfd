package sync

import (
	"context"
	"errors"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/store"
)

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
