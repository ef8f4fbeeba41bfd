package index

import (
	"cmp"
	"context"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/search"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
)

// Error is an error for people: the operation, its path, why it failed, and what to do about it.
type Error = store.Error

// The causes on which a caller can act. Every error of this package that has one of
// them wraps it.
var (
	ErrNoIndex  = store.ErrNoIndex
	ErrBusy     = store.ErrBusy
	ErrReadOnly = store.ErrReadOnly
	ErrCorrupt  = store.ErrCorrupt
	ErrOutdated = store.ErrOutdated
	ErrForeign  = store.ErrForeign
	ErrFull     = store.ErrFull
)

type (
	// Summary is the part of a handoff that every listing shows.
	Summary = store.Summary
	// Handoff is everything that the index contains of one handoff.
	Handoff = store.Handoff
)

// Exposed and NarrowRights look for rights of others to a folder of handex's own, and
// take them away. MakePrivate makes such a folder, or refuses it where others can write.
var (
	Exposed      = store.Exposed
	NarrowRights = store.NarrowRights
	MakePrivate  = fsx.MakePrivate
)

// EncodeV1 and EncodeV2 name the handoff folder of a project folder as versions 1 and
// 2 of the contract do.
var (
	EncodeV1 = project.EncodeV1
	EncodeV2 = project.EncodeV2
)

type (
	// SearchOptions says where a search looks and what it returns besides the hits.
	SearchOptions = search.Options
	// View is one state of the index, for several reads.
	View = search.View
	// Result is the result of a search, in Hits, Buckets and Facets.
	Result = search.Result
	// Hit is one handoff that a search found.
	Hit = search.Hit
	// Bucket is one value, or pair of values, and how many handoffs have it.
	Bucket = search.Bucket
	// Facet is a field with its buckets.
	Facet = search.Facet
	// Snippet is a line of a handoff that answers the query.
	Snippet = search.Snippet
	// Recent is what the index contains of one project, for a session that continues the work.
	Recent = search.Recent
	// NotFoundError says that no handoff has the reference.
	NotFoundError = search.NotFoundError
	// AmbiguousError says that a reference fits several handoffs.
	AmbiguousError = search.AmbiguousError
	// Lexicon is the words of the index.
	Lexicon = search.Lexicon
)

// PathsOf returns the folders of roots; nil for nil.
func PathsOf(roots []Root) []string {
	if roots == nil {
		return nil
	}
	paths := make([]string, len(roots))
	for i, r := range roots {
		paths[i] = r.Path
	}
	return paths
}

type (
	// Options says where an index is and how it behaves.
	Options = sync.Settings
	// RefreshOptions says how a refresh is done.
	RefreshOptions = sync.Options
	// Report counts what a refresh did.
	Report = sync.Report
	// Progress says how many of the files a refresh has handled.
	Progress = sync.Progress
	// Ack is an acknowledgement: a person has seen a handoff with the text that it had then.
	Ack = sync.Ack
	// ArchiveOptions says where earlier versions of files are kept, and how many.
	ArchiveOptions = archive.Options
	// Version is the content of a file at one time.
	Version = sync.Version
	// GitOptions says how versions are imported from git.
	GitOptions = sync.GitOptions
	// GitReport counts the versions that were imported from git.
	GitReport = sync.GitReport
	// Inspector reads files as a refresh reads them, but without an index.
	Inspector = sync.Inspector
	// Inspection is the content of a file.
	Inspection = sync.Inspection
)

// ErrNoArchive says that there is no archive in which earlier versions could be kept.
var ErrNoArchive = sync.ErrNoArchive

// ArchiveFile copies the file at path, which is absolute, into the archive, for a caller that is
// about to overwrite or remove it. It does nothing if no archive is kept, or if none of the roots
// would index the file.
func ArchiveFile(o Options, roots []Root, r RefreshOptions, path string) error {
	return sync.ArchiveFile(o, roots, r, path)
}

// ProjectFolders returns the folders that contain the handoffs of the project in the absolute
// folder dir. known is the result of RootEnv.KnownFolders.
func ProjectFolders(dir string, env RootEnv, known []string) []string {
	return sync.ProjectFolders(dir, env, known)
}

type (
	// A Project is the project that a handoff belongs to.
	Project = project.Project
	// KnownPaths finds known folders by their encoded name.
	KnownPaths = project.KnownPaths
	// A RootEnv is what the choice of roots depends on.
	RootEnv = project.Env
)

// NewKnownPaths returns the given folders, so that each can be found by any of its encoded names.
func NewKnownPaths(paths []string) KnownPaths { return project.NewKnownPaths(paths) }

// ProjectOf returns the project of the file at path, found in a scan of scanRoot; both
// are absolute. The file need not exist.
func ProjectOf(path, scanRoot string, known KnownPaths) Project {
	return project.Of(path, scanRoot, known)
}

type (
	// A Root is a folder to search for handoffs.
	Root = discover.Root
	// A Skip is a file that looks like a handoff and is not indexed, and why.
	Skip = discover.Skip
	// A Trouble is a folder that could not be read.
	Trouble = discover.Trouble
	// A File is a file that is a handoff by its path.
	File = discover.File
	// WalkReport lists what a walk could not take or read.
	WalkReport = discover.Report
)

// Find returns the files below root that are handoffs by their paths and, if their names leave it
// open, by their first bytes. What cannot be read is in the report.
func Find(ctx context.Context, root Root) ([]File, WalkReport, error) {
	return discover.Find(ctx, root, discover.Options{})
}

// Match reports whether the file rel of root would be indexed by its path alone, and the rule that
// decided. rel is relative to the root, with slashes. If the rule depends on the file's first
// bytes, ok is true.
func Match(rel string, root Root) (ok bool, rule string) { return discover.Match(rel, root) }

// Why is Match for the existing file at the absolute path: it also reads from the disk what a walk
// would read.
func Why(path string, root Root) (ok bool, rule string) { return discover.Why(path, root) }

// IsMember reports whether name is that of a member, such as ada@laptop. It can then be the name of
// a folder and of a git ref.
func IsMember(name string) bool { return discover.IsMember(name) }

// A GitState is the state of a work tree of git.
type GitState = gitinfo.State

// A WorkTree is the data that git keeps about a work tree, read without running git.
type WorkTree = gitinfo.WorkTree

// A Repository is a bare repository of handex's own, in which git may use the network.
type Repository = gitinfo.Own

// A Blob is the content of a file in git.
type Blob = gitinfo.Blob

// ErrTooMuch says that a transfer was larger than allowed.
var ErrTooMuch = gitinfo.ErrTooMuch

// A Remote is a remote in the configuration of a repository.
type Remote = gitinfo.Remote

// ReadGit runs git to read the state of the work tree that contains dir, an absolute path. ok is
// false if dir is in none. Git only reads, and runs no program that the repository's configuration
// names. getenv is os.Getenv or alike.
func ReadGit(ctx context.Context, dir string, getenv func(string) string) (state GitState, ok bool, err error) {
	return gitinfo.ReadState(ctx, dir, getenv)
}

// FindWorkTree returns the work tree of git that contains dir, an absolute path without links; nil
// if none does.
func FindWorkTree(dir string) *WorkTree { return gitinfo.FindWorkTree(dir) }

// Foreign returns the ids of the handoffs that are not shown to have been written on this machine:
// those that others share, and those for which this cannot be found out. getenv is os.Getenv or
// alike.
func Foreign(ctx context.Context, handoffs []Summary, getenv func(string) string) map[string]bool {
	files := make([]gitinfo.File, 0, len(handoffs))
	for _, h := range handoffs {
		file := gitinfo.File{ID: h.ID, Path: cmp.Or(h.VersionOf, h.Path)}
		if h.VersionOf != "" {
			file.Copy = h.Path
		}
		if h.Member == "" {
			files = append(files, file)
		}
	}
	foreign := gitinfo.Foreign(ctx, files, getenv)
	for _, h := range handoffs {
		if h.Member != "" {
			foreign[h.ID] = true
		}
	}
	return foreign
}

// FolderIdentity returns a fingerprint of the folder at dir, an absolute path, and of the remotes
// of its repository: another folder that is there later has another one. It returns "" if there is
// no folder or its remotes cannot be read.
func FolderIdentity(ctx context.Context, dir string, getenv func(string) string) string {
	return gitinfo.FolderIdentity(ctx, dir, getenv)
}
