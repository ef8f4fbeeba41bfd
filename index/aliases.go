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

// Error is an error for people, with what to do about it.
type Error = store.Error

// What a caller can act on; every error of this package that has such a cause
// wraps it.
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
	// Summary is what every listing shows of a handoff.
	Summary = store.Summary
	// Handoff is everything the index knows of one handoff.
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
	// SearchOptions says where a search looks and what it brings along.
	SearchOptions = search.Options
	// View is one state of the index, for whoever asks several things of it.
	View = search.View
	// Result is what a search found, in Hits, Buckets and Facets.
	Result = search.Result
	// Hit is one handoff a search found.
	Hit = search.Hit
	// Bucket is one value, or pair of values, and how many handoffs have it.
	Bucket = search.Bucket
	// Facet is the buckets of one field.
	Facet = search.Facet
	// Snippet is a line of a handoff that answers the query.
	Snippet = search.Snippet
	// Recent is what the index contains of one project for who takes the work up.
	Recent = search.Recent
	// NotFoundError says that no handoff has the reference.
	NotFoundError = search.NotFoundError
	// AmbiguousError says that a reference fits several handoffs.
	AmbiguousError = search.AmbiguousError
	// Lexicon knows the words of the index.
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
	// Progress says how far a refresh is.
	Progress = sync.Progress
	// Ack says that a person has seen to a handoff, as it was then.
	Ack = sync.Ack
	// ArchiveOptions says where earlier versions of files are kept, and how many.
	ArchiveOptions = archive.Options
	// Version is what a file said at one time.
	Version = sync.Version
	// GitOptions says what is taken from git.
	GitOptions = sync.GitOptions
	// GitReport counts what was taken from git.
	GitReport = sync.GitReport
	// Inspector reads files as a refresh reads them, but without an index.
	Inspector = sync.Inspector
	// Inspection is what a file says.
	Inspection = sync.Inspection
)

// ErrNoArchive says that earlier versions have no place to be kept.
var ErrNoArchive = sync.ErrNoArchive

// ArchiveFile copies a file into the archive, as a refresh would.
func ArchiveFile(o Options, roots []Root, r RefreshOptions, path string) error {
	return sync.ArchiveFile(o, roots, r, path)
}

// ProjectFolders lists the folders that contain the handoffs of the project in
// folder dir, absolute.
func ProjectFolders(dir string, env RootEnv, known []string) []string {
	return sync.ProjectFolders(dir, env, known)
}

type (
	// A Project is what a handoff belongs to.
	Project = project.Project
	// KnownPaths finds known folders by their encoded name.
	KnownPaths = project.KnownPaths
	// A RootEnv is what the roots depend on.
	RootEnv = project.Env
)

// NewKnownPaths returns the folders, each under every encoding there is.
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
	// WalkReport says what a walk saw and what it could not take.
	WalkReport = discover.Report
)

// Find returns the files below root that are handoffs by their paths and, where their
// names leave it open, by their first bytes. What cannot be read is in the report.
func Find(ctx context.Context, root Root) ([]File, WalkReport, error) {
	return discover.Find(ctx, root, discover.Options{})
}

// Match reports whether the file rel of root would be indexed by its path
// alone, and the rule that decided. rel is relative to the root, with slashes.
// Where the rule leaves it to the file's first bytes, ok is true.
func Match(rel string, root Root) (ok bool, rule string) { return discover.Match(rel, root) }

// Why is Match for a file that exists: it reads from the disk what the walk would read.
// path is absolute.
func Why(path string, root Root) (ok bool, rule string) { return discover.Why(path, root) }

// IsMember reports whether a name is that of a member, as ada@laptop, which can be the
// name of a folder and of a ref of git.
func IsMember(name string) bool { return discover.IsMember(name) }

// A GitState is how a work tree of git is.
type GitState = gitinfo.State

// A WorkTree is what git has written down of a work tree.
type WorkTree = gitinfo.WorkTree

// A Repository is a bare repository of handex's own, in which git may use the network.
type Repository = gitinfo.Own

// A Blob is the content of a file in git.
type Blob = gitinfo.Blob

// ErrTooMuch says that a transfer was larger than allowed.
var ErrTooMuch = gitinfo.ErrTooMuch

// A Remote is one that a repository has configured.
type Remote = gitinfo.Remote

// ReadGit runs git to read the state of the work tree that dir, an absolute path, lies
// in. ok is false where it is in none. Git is only asked to read, and runs no program
// that the repository's configuration names. getenv is os.Getenv or alike.
func ReadGit(ctx context.Context, dir string, getenv func(string) string) (state GitState, ok bool, err error) {
	return gitinfo.ReadState(ctx, dir, getenv)
}

// FindWorkTree returns the work tree of git that dir, an absolute path without
// links, is in; nil if it is in none.
func FindWorkTree(dir string) *WorkTree { return gitinfo.FindWorkTree(dir) }

// Foreign returns, by their ids, which handoffs are not shown to have been written on
// this machine: what others share, and what cannot be found out, too. getenv is os.Getenv or alike.
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

// FolderIdentity names the folder at dir, an absolute path, as the one it is, with the
// remotes of its repository: another folder that is there later has another name. It
// returns "" for one that is not there or whose remotes cannot be read.
func FolderIdentity(ctx context.Context, dir string, getenv func(string) string) string {
	return gitinfo.FolderIdentity(ctx, dir, getenv)
}
