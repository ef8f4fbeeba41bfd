package index

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
	"handex/index/internal/gitinfo"
)

// A gitRepo is a repository to take versions from: dir is a work tree of it, main
// what tells it from others.
type gitRepo struct{ dir, main string }

// repoSearch finds the repositories that roots lie in and that lie in roots.
type repoSearch struct {
	byMain   map[string]gitRepo
	dirs     map[string]bool // folders that are work trees
	troubles []discover.Trouble
}

// repositories lists them by their folder. Of several work trees of one
// repository it has one, the main one if that was found.
func repositories(ctx context.Context, roots []discover.Root) (list []gitRepo, dirs map[string]bool, troubles []discover.Trouble) {
	s := &repoSearch{byMain: map[string]gitRepo{}, dirs: map[string]bool{}}
	for _, root := range roots {
		s.above(root.Path)
		err := discover.EachFolder(ctx, root, func(dir string) bool {
			if s.add(dir) || !isBare(dir) {
				return true
			}
			s.troubles = append(s.troubles, discover.Trouble{Path: dir, Reason: "a bare git repository: its files have no place on disk"})
			return false
		})
		if err != nil {
			s.troubles = append(s.troubles, discover.Trouble{Path: root.Path, Reason: err.Error()})
		}
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
