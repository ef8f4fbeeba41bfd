package archive

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
)

// ImportReport counts what was imported from git: Versions are contents of handoffs in the history
// of the repositories, New those that the archive did not have. Troubles are repositories that
// could not be read, as a whole or in part.
type ImportReport struct {
	Repositories, Versions, New int
	Troubles                    []discover.Trouble
}

// A gitImport is the state of one run of ImportGit.
type gitImport struct {
	archive  *Archive
	roots    []discover.Root
	projects *project.Finder
	getenv   func(string) string

	repositories map[string]string // a work tree of each, by its main folder
	workTrees    map[string]bool   // folders that are one
	paths        map[string]*gitPath
	bytes        int64
	report       ImportReport
}

// A gitPath is what the rules decide about a path that was in a repository.
type gitPath struct {
	root    *discover.Root // nil: it is no handoff
	fits    func(text []byte) bool
	project project.Project
}

// A gitContent is a content in the history of a repository, with the first commit
// that had it and the author's time.
type gitContent struct {
	gitinfo.Change
	path string // absolute
}

// maxContents is how many contents are imported at most from one repository.
const maxContents = 100_000

// ImportGit stores the content that handoffs of the roots had in any commit of the repositories
// that the roots are in or contain. The error is that of ctx; problems of a repository are in the
// report.
func (a *Archive) ImportGit(ctx context.Context, roots []discover.Root, projects *project.Finder,
	getenv func(string) string,
) (ImportReport, error) {
	g := &gitImport{
		archive: a, roots: roots, projects: projects, getenv: getenv,
		repositories: map[string]string{}, workTrees: map[string]bool{}, paths: map[string]*gitPath{},
	}
	g.findRepositories(ctx)
	dirs := slices.Sorted(maps.Values(g.repositories))
	for _, dir := range dirs {
		if err := g.repository(ctx, dir); err != nil {
			g.trouble(dir, err.Error())
		}
		main, _ := gitinfo.Repository(dir)
		if _, err := fsx.Lstat(filepath.Join(main, ".git", "shallow")); err == nil {
			g.trouble(dir, "a shallow clone: older commits are missing")
		}
		if ctx.Err() != nil {
			return g.report, ctx.Err()
		}
	}
	g.report.Repositories = len(dirs)
	if err := a.Sync(); err != nil {
		g.trouble(a.Dir, "earlier versions are not kept: "+fsx.Reason(err))
	}
	return g.report, nil
}

// trouble adds a trouble to the report.
func (g *gitImport) trouble(path, reason string) {
	g.report.Troubles = append(g.report.Troubles, discover.Trouble{Path: path, Reason: reason})
}

// findRepositories finds the repositories that the roots are in and those inside the roots. Of
// several work trees of one repository it takes one, the main one if that was found.
func (g *gitImport) findRepositories(ctx context.Context) {
	for _, root := range g.roots {
		for dir := filepath.Dir(root.Path); !g.add(dir) && dir != filepath.Dir(dir); {
			dir = filepath.Dir(dir)
		}
		w, err := discover.NewWalk(ctx, root, discover.Options{})
		if err != nil {
			g.trouble(root.Path, err.Error())
			continue
		}
		for f := range w.Folders() {
			if !g.add(f.Path) && gitinfo.IsBare(f.Path) {
				g.trouble(f.Path, "a bare git repository: its files are not on disk")
				continue // which is not listed, so that nothing in it is walked
			}
			_, _ = f.List(nil) // what cannot be read shows no repository
		}
	}
}

// add adds the repository of the work tree dir and returns true, or returns false if dir is no work
// tree. An empty .git marks a project, but is no repository.
func (g *gitImport) add(dir string) bool {
	main, _ := gitinfo.Repository(dir)
	if main == "" {
		return false
	}
	if entries, err := os.ReadDir(filepath.Join(main, ".git")); err == nil && len(entries) == 0 {
		return false
	}
	g.workTrees[dir] = true
	if g.repositories[main] == "" || main == dir {
		g.repositories[main] = dir
	}
	return true
}

// repository imports the contents of handoffs in the history of one repository. dir is a work tree
// of it.
func (g *gitImport) repository(ctx context.Context, dir string) error {
	list, err := g.contents(ctx, dir)
	if err != nil || len(list) == 0 {
		return err
	}
	blobs := make([]string, len(list))
	for i, c := range list {
		blobs[i] = c.Blob
	}
	return gitinfo.ReadContents(ctx, dir, g.getenv, blobs, fsx.MaxFile, func(i int, raw []byte) error {
		return g.store(dir, list[i], raw)
	})
}

// contents returns the contents of handoffs in the history of a repository, newest first.
func (g *gitImport) contents(ctx context.Context, dir string) (list []*gitContent, _ error) {
	seen := map[[2]string]*gitContent{}
	err := gitinfo.EachChange(ctx, dir, g.getenv, discover.TextKinds, func(change gitinfo.Change) error {
		rel := filepath.FromSlash(change.Path)
		path := filepath.Join(dir, rel)
		if !filepath.IsLocal(rel) || strings.ContainsAny(rel, "\x00\n") || g.pathOf(path).root == nil {
			return nil
		}
		c := seen[[2]string{change.Blob, path}]
		if c == nil {
			if len(list) == maxContents {
				return fmt.Errorf("more than %d versions of handoffs: the oldest are left out", maxContents)
			}
			c = &gitContent{path: path}
			seen[[2]string{change.Blob, path}] = c
			list = append(list, c)
		}
		c.Change = change // of several the last, which is the first that had it
		return nil
	})
	return list, err
}

// pathOf returns what the rules of the roots decide about a path. The result is remembered. The
// disk is read only to find repositories, as the folders may be gone.
func (g *gitImport) pathOf(path string) *gitPath {
	p, ok := g.paths[path]
	if ok {
		return p
	}
	p = &gitPath{}
	g.paths[path] = p
	for i, root := range g.roots {
		rel, inside := fsx.Relative(path, root.Path)
		if !inside {
			continue
		}
		ok, p.fits = discover.MatchIn(rel, root, func(dir string) bool { return g.workTrees[dir] })
		if ok {
			p.root = &g.roots[i]
			p.project, _ = g.projects.Of(path, root.Path)
			break
		}
	}
	return p
}

// store adds a content to the archive if its text can be that of a handoff. It fails when more has
// been imported than the archive may hold.
func (g *gitImport) store(dir string, c *gitContent, raw []byte) error {
	p := g.paths[c.path]
	if len(bytes.TrimSpace(raw)) == 0 || !p.fits(raw) {
		return nil
	}
	if g.bytes += int64(len(raw)); g.archive.MaxBytes > 0 && g.bytes > g.archive.MaxBytes {
		return fmt.Errorf("over the limit of the archive (%d bytes): the oldest versions are left out", g.archive.MaxBytes)
	}
	g.report.Versions++
	about := SidecarOf(c.path, *p.root, p.project, 0)
	about.Written, about.Repository, about.Commit = c.At, dir, c.Commit
	if g.archive.Add(about, raw, false) {
		g.report.New++
	}
	return nil
}
