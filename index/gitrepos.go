package index

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"handex/index/internal/fsx"
	"handex/index/internal/gitinfo"
	"handex/index/internal/store"
)

// A gitRepo is a repository to take versions from: dir is a work tree of it, main
// what tells it from others.
type gitRepo struct{ dir, main string }

// repoSearch finds the repositories that roots lie in and that lie in roots.
type repoSearch struct {
	ctx      context.Context //nolint:containedctx // lives as long as the call
	byMain   map[string]gitRepo
	dirs     map[string]bool // folders that are work trees
	troubles []store.Trouble
	left     int // folders that may still be looked at
}

// maxFolders is how many folders a search for repositories looks at.
const maxFolders = 1_000_000

// repositories lists them by their folder. Of several work trees of one
// repository it has one, the main one if that was found.
func repositories(ctx context.Context, roots []Root) (list []gitRepo, dirs map[string]bool, troubles []store.Trouble) {
	s := &repoSearch{
		ctx: ctx, byMain: map[string]gitRepo{}, dirs: map[string]bool{}, left: maxFolders,
	}
	for _, root := range roots {
		r, err := newRules(root)
		if err != nil {
			s.troubles = append(s.troubles, store.Trouble{Path: root.Path, Reason: err.Error()})
			continue
		}
		s.above(root.Path)
		s.descend(r, r.start(), 0)
	}
	for _, repo := range s.byMain {
		list = append(list, repo)
	}
	slices.SortFunc(list, func(a, b gitRepo) int { return strings.Compare(a.dir, b.dir) })
	return list, s.dirs, s.troubles
}

// above adds the repository that a root lies in.
func (s *repoSearch) above(root string) {
	for dir := filepath.Dir(root); ; dir = filepath.Dir(dir) {
		if s.add(dir) || dir == filepath.Dir(dir) {
			return
		}
	}
}

// add adds the repository whose work tree dir is, if it is one.
func (s *repoSearch) add(dir string) bool {
	main, _ := gitinfo.Repository(dir)
	if main == "" || isEmpty(filepath.Join(main, ".git")) {
		return false
	}
	s.dirs[dir] = true
	if _, ok := s.byMain[main]; !ok || main == dir {
		s.byMain[main] = gitRepo{dir, main}
	}
	return true
}

// descend looks at a folder and those in it that a walk would enter.
func (s *repoSearch) descend(r rules, f place, depth int) {
	const maxDepth = 64
	if s.left--; s.left < 0 || depth > maxDepth || s.ctx.Err() != nil {
		return
	}
	dir := filepath.Join(r.root.Path, filepath.FromSlash(f.rel))
	if !s.add(dir) && isBare(dir) {
		s.troubles = append(s.troubles, store.Trouble{Path: dir, Reason: "a bare git repository: its files have no place on disk"})
		return
	}
	for _, name := range fsx.ListFolders(dir) {
		if child, skip := r.enter(f, name); skip == "" {
			s.descend(r, child, depth+1)
		}
	}
}

// isEmpty reports whether a folder can be listed and holds nothing. Such a .git
// marks a project, but git sees no repository in it.
func isEmpty(dir string) bool {
	f, _, err := fsx.OpenDir(dir, true)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	_, err = f.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// isBare reports whether a folder has what git keeps, and no work tree.
func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := fsx.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
