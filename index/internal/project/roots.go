package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
)

// Env is what the choice of roots depends on. Home and WorkDir are absolute; Home may be empty.
// Getenv is os.Getenv or alike.
type Env struct {
	Home, WorkDir string
	Getenv        func(string) string
}

// DefaultRoots returns the folders that are searched if none is configured: where agents keep
// handoffs for the user, the project of the working folder with all its work trees, and the
// projects of the known folders (see KnownFolders). A root is listed if it exists, even if it
// cannot be read, and if no other searches it already. The home folder as a whole is never one, nor
// are folders above it.
func (e Env) DefaultRoots(known []string) []discover.Root {
	var roots []discover.Root
	for _, path := range e.UserFolders() {
		roots = addRoot(roots, path)
	}
	var projects []string
	for _, path := range append(e.workTrees(), known...) {
		if project := e.ProjectFolder(path); project != "" {
			projects = append(projects, project)
		}
	}
	slices.Sort(projects)
	for _, path := range projects {
		roots = addRoot(roots, path)
	}
	return roots
}

// workTrees returns the working folder, and the other work trees of its repository that name that
// repository themselves.
func (e Env) workTrees() []string {
	list := []string{e.WorkDir}
	main, _ := gitinfo.Repository(e.ProjectFolder(e.WorkDir))
	if main == "" {
		return list
	}
	for _, tree := range gitinfo.FurtherWorkTrees(main) {
		if of, _ := gitinfo.Repository(tree); of == main {
			list = append(list, tree)
		}
	}
	return append(list, main)
}

// claudeFolders returns the folders in which Claude Code keeps its data.
func (e Env) claudeFolders() []string {
	var dirs []string
	if e.Home != "" {
		dirs = append(dirs, filepath.Join(e.Home, ".claude"))
	}
	if e.Getenv != nil {
		if dir := e.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) && !slices.Contains(dirs, filepath.Clean(dir)) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	return dirs
}

// UserFolders returns the user's folders of handoffs that exist.
func (e Env) UserFolders() []string {
	var dirs []string
	for _, dir := range e.claudeFolders() {
		dirs = append(dirs, filepath.Join(dir, "handoffs"), filepath.Join(dir, "session-data"))
	}
	if e.Home != "" {
		dirs = append(dirs, filepath.Join(e.Home, ".bon", "handoffs"), filepath.Join(e.Home, ".claude-handoffs"))
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return !isFolder(dir) })
}

// ProjectFolder returns the folder of the project that contains path: the nearest repository or
// marked folder, or else path itself. It returns "" for a folder that is too large to search: the
// home folder, a folder above it, or a folder at the top of the disk that nothing marks.
func (e Env) ProjectFolder(path string) string {
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) || e.holdsHome(path) || !isFolder(path) {
		return ""
	}
	p := NewFinder(KnownPaths{Home: e.Home})
	for dir := path; !e.holdsHome(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if p.nearest(dir, dir) != "" {
			return dir
		}
	}
	if filepath.Dir(filepath.Dir(path)) == filepath.Dir(path) {
		return ""
	}
	return path
}

// holdsHome reports whether dir is the home folder or above it.
func (e Env) holdsHome(dir string) bool {
	if e.Home == "" {
		return dir == filepath.Dir(dir)
	}
	home := filepath.Clean(e.Home)
	if target, err := fsx.RealPath(home); err == nil && fsx.Within(target, dir) {
		return true
	}
	return fsx.Within(home, dir) || dir == filepath.Dir(dir)
}

// isFolder reports whether path is a folder, or may be one because its state cannot be read.
func isFolder(path string) bool {
	st, err := fsx.Follow(path)
	return err == nil && st.Mode.IsDir() || err != nil && !fsx.Vanished(err)
}

// addRoot adds a root with the default patterns for path, unless another root searches it.
func addRoot(roots []discover.Root, path string) []discover.Root {
	for _, root := range roots {
		if root.Reaches(path) {
			return roots
		}
	}
	return append(roots, discover.Root{Path: path})
}

// ParseRoots returns the roots in list, the value of HANDEX_ROOTS: folders separated as in PATH,
// each searched by the known patterns. A leading ~ is the home folder, and relative ones are
// relative to the working folder; empty ones are left out.
func (e Env) ParseRoots(list string) []discover.Root {
	var roots []discover.Root
	for _, path := range filepath.SplitList(list) {
		root := discover.Root{Path: e.Absolute(path)}
		isKnown := slices.ContainsFunc(roots, func(r discover.Root) bool { return r.Path == root.Path })
		if path != "" && !isKnown {
			roots = append(roots, root)
		}
	}
	return roots
}

// Absolute returns the absolute path of a root as the user writes it: a leading ~ is
// the home folder, and a relative path is relative to the working folder.
func (e Env) Absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && e.Home != "" && (rest == "" || rest[0] == '/' ||
		rest[0] == filepath.Separator) {
		path = filepath.Join(e.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.WorkDir, path)
	}
	return filepath.Clean(path)
}
