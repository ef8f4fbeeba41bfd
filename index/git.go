package index

import (
	"cmp"
	"context"

	"github.com/OWNER/handex/index/internal/gitinfo"
)

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
// in. ok is false where it lies in none. Git is only asked to read, and runs no program
// that the repository's configuration names. getenv is os.Getenv or alike.
func ReadGit(ctx context.Context, dir string, getenv func(string) string) (state GitState, ok bool, err error) {
	return gitinfo.ReadState(ctx, dir, getenv)
}

// FindWorkTree returns the work tree of git that dir, an absolute path without
// links, lies in; nil if it lies in none.
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
