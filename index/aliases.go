package index

import (
	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/fsx"
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
