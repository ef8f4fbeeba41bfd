// Package project finds the project of a file, and the folders of projects: by repositories, by the
// files that formats and agents keep in a folder, and by the encoded names of folders.
package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
)

// Project is the project that a handoff belongs to. Root is the real path of its folder, or, for
// handoffs in an encoded folder that no known folder has the name of, that name. Ambiguous lists
// the known folders if several have it: then none is chosen, and Root is the name too.
type Project struct {
	Root, Name string
	Ambiguous  []string
}

// KnownPaths is a set of known folders by their encoded names. The zero value is empty.
type KnownPaths struct {
	// Home, if set, is no project because of what agents keep there.
	Home   string
	byName map[string][]string
}

// NewKnownPaths returns the given folders, so that each can be found by any of its encoded names.
func NewKnownPaths(paths []string) KnownPaths {
	known := KnownPaths{byName: map[string][]string{}}
	seen := map[string]bool{}
	for _, path := range paths {
		path = filepath.Clean(path)
		if seen[path] {
			continue
		}
		seen[path] = true
		for _, name := range Encodings(path) {
			known.byName[name] = append(known.byName[name], path)
		}
	}
	return known
}

// Finder finds the projects of many files and reads each folder once. It is not safe for concurrent
// use.
type Finder struct {
	known    KnownPaths
	marked   map[string]string   // folder -> nearest marked folder, "" if none
	looks    map[string]likeness // folder -> how much it looks like a project's
	resolved map[string]string   // folder -> real path
	dirs     map[[2]string]Project
	fault    error // of reading the disk since it was last nil
}

// NewFinder returns a Finder, which finds the projects of files. It resolves encoded names by known.
func NewFinder(known KnownPaths) *Finder {
	return &Finder{
		known: known, marked: map[string]string{}, looks: map[string]likeness{}, resolved: map[string]string{},
		dirs: map[[2]string]Project{},
	}
}

// Of is Finder.Of for a single file.
func Of(path, scanRoot string, known KnownPaths) Project {
	project, _ := NewFinder(known).Of(path, scanRoot)
	return project
}

// Of returns the project of the file at path, found in a scan of scanRoot; both are absolute. The
// project is the nearest folder above the file, up to scanRoot, that is a repository or contains
// what only a project's folder contains (.flow-guardian, docs/handoffs ...). If there is none, it
// is the nearest that looks like a project's, as it contains go.mod, CLAUDE.md or the like. If none
// does, the first folder below scanRoot is the project, unless that is the name of a part of a
// project; then scanRoot is. The file need not exist. It is an error if a folder could not be read,
// so that the project may be another.
func (p *Finder) Of(path, scanRoot string) (Project, error) {
	key := [2]string{filepath.Dir(path), filepath.Clean(scanRoot)}
	project, ok := p.dirs[key]
	if ok {
		return project, nil
	}
	p.fault = nil
	project = p.find(key[0], key[1])
	if p.fault == nil {
		p.dirs[key] = project
	}
	return project, p.fault
}

// there reports whether a file or folder exists at path. If that cannot be read, it returns false.
func (p *Finder) there(path string) bool {
	_, err := fsx.Lstat(path)
	p.note(err)
	return err == nil
}

// repository returns the folder of the repository whose work tree is dir, "" if dir is no work
// tree.
func (p *Finder) repository(dir string) string {
	root, err := gitinfo.Repository(dir)
	p.note(err)
	return root
}

// note records an error that may pass in p.fault. Other errors are ignored.
func (p *Finder) note(err error) {
	if fsx.IsTemporary(err) {
		p.fault = err
	}
}

// find returns the project of a file in the folder dir, found in a scan of root: see Of.
func (p *Finder) find(dir, root string) Project {
	if name, ok := encodedName(dir); ok {
		return p.named(name)
	}
	if dir != root {
		if _, inside := fsx.Relative(dir, root); !inside {
			root = dir
		}
	}
	if marked := p.nearest(dir, root); marked != "" {
		return p.at(marked)
	}
	if likely := p.likely(dir, root); likely != "" {
		return p.at(likely)
	}
	return p.unmarked(dir, root)
}

// encodedName returns the nearest encoded name in the path dir that is directly in a folder named
// handoffs or in .claude/projects, where each project has a folder with such a name.
func encodedName(dir string) (string, bool) {
	names := strings.Split(filepath.ToSlash(dir), "/")
	for i := len(names) - 1; i > 0; i-- {
		above := names[i-1]
		divided := above == "handoffs" || above == "projects" && i > 1 && names[i-2] == ".claude"
		if divided && IsEncoded(names[i]) {
			return names[i], true
		}
	}
	return "", false
}

// IsEncoded reports whether a name is that of an encoded path, which begins with a slash or, on Windows, with a drive.
func IsEncoded(name string) bool {
	if strings.HasPrefix(name, "-") {
		return len(name) > 1
	}
	return len(name) > 3 && isLetterOfASCII(name[0]) && name[1:3] == "--"
}

func isLetterOfASCII(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// named returns the project with an encoded name. Only known folders count: the name cannot be
// decoded, as many paths have the same.
func (p *Finder) named(name string) Project {
	var roots []string
	for _, path := range p.known.byName[name] {
		root := path
		if r := p.repository(path); r != "" {
			root = r
		}
		if root = p.real(root); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	if len(roots) == 1 {
		return p.at(roots[0])
	}
	return Project{Root: name, Name: name, Ambiguous: roots}
}

// at returns the project whose folder is root.
func (p *Finder) at(root string) Project {
	root = p.real(root)
	return Project{Root: root, Name: strings.TrimSuffix(filepath.Base(root), ".git")}
}

// real returns path without symbolic links, so that a folder is one project whatever links lead to
// it. If that fails, it returns path.
func (p *Finder) real(path string) string {
	resolved, ok := p.resolved[path]
	if !ok {
		var err error
		if resolved, err = fsx.RealPath(path); err != nil {
			p.note(err)
			return path
		}
		p.resolved[path] = resolved
	}
	return resolved
}

// nearest returns the folder of the project whose repository or marks are in dir or in the nearest
// folder above it, up to root; "" if there is none. For a further work tree it is the main one.
func (p *Finder) nearest(dir, root string) string {
	for d := dir; ; d = filepath.Dir(d) {
		marked, ok := p.marked[d]
		if !ok {
			if marked = p.repository(d); marked == "" && !p.isHome(d) && p.hasMark(d) {
				marked = d
			}
			if p.fault == nil {
				p.marked[d] = marked
			}
		}
		if marked != "" || d == root || d == filepath.Dir(d) {
			return marked
		}
	}
}

// isHome reports whether dir is a user's home folder, where the marks are the agents' own. It has
// transcripts, which shows it if the home folder is not known.
func (p *Finder) isHome(dir string) bool {
	if dir == p.known.Home {
		return true
	}
	return p.there(filepath.Join(dir, ".claude", "projects"))
}

// Marks are the files and folders that formats put into a project's own folder.
var Marks = []string{
	".flow-guardian", ".act", ".bon", ".planning", "meta/handoff.yaml", "thoughts/shared",
	".claude/handoffs", "docs/handoffs",
}

// hasMark reports whether dir contains one of Marks.
func (p *Finder) hasMark(dir string) bool {
	return slices.ContainsFunc(Marks, func(mark string) bool {
		return p.there(filepath.Join(dir, filepath.FromSlash(mark)))
	})
}

// unmarked returns the project of a file in dir if no folder up to root looks like a project: the
// first folder below root, or root.
func (p *Finder) unmarked(dir, root string) Project {
	if rel, ok := fsx.Relative(dir, root); ok && !discover.IsLayout(filepath.Base(root)) {
		if first, _, _ := strings.Cut(rel, "/"); !discover.IsLayout(first) {
			return p.at(filepath.Join(root, first))
		}
	}
	project := p.at(root)
	project.Name = p.holder(root)
	return project
}

// holder returns the name of the nearest folder, root or above it, that is not a part of a project
// by its name: the project of /x/app/.bon/handoffs is called app.
func (p *Finder) holder(root string) string {
	dir := root
	for discover.IsLayout(filepath.Base(dir)) && filepath.Dir(dir) != dir && p.nearest(dir, dir) == "" {
		dir = filepath.Dir(dir)
		if p.isHome(dir) {
			rel, _ := fsx.Relative(root, dir)
			return rel
		}
	}
	return filepath.Base(dir)
}

// likeness is how much a folder looks like that of a project.
type likeness int

const (
	notAProject    likeness = iota
	likelyProject           // it has a README, which parts of projects have, too
	certainProject          // it has what only the folder of a project has
)

// rootFiles are the names, in lower case, of what programs and agents look for in
// the folder of a project.
var rootFiles = []string{
	"go.mod", "go.work", "package.json", "deno.json", "pyproject.toml", "setup.py", "cargo.toml", "pom.xml",
	"build.gradle", "build.gradle.kts", "gemfile", "composer.json", "mix.exs", "pubspec.yaml", "package.swift",
	"cmakelists.txt", "makefile", "justfile", "flake.nix", "claude.md", "agents.md", "gemini.md", ".claude", ".cursor",
	".hg", ".svn", ".jj",
}

// likely returns the nearest folder, dir or one above it up to root, that looks like a project's;
// "" if none does. A folder with the name of a part of a project does not count, whatever it
// contains, nor does a README in a folder among notes and archives.
func (p *Finder) likely(dir, root string) string {
	candidate := ""
	for d := dir; ; d = filepath.Dir(d) {
		base := filepath.Base(d)
		if discover.IsInnerFolder(base) {
			candidate = ""
		}
		if candidate == "" && !discover.IsLayout(base) {
			switch p.likenessOf(d) {
			case certainProject:
				return d
			case likelyProject:
				candidate = d
			case notAProject:
			}
		}
		if d == root || d == filepath.Dir(d) {
			return candidate
		}
	}
}

// maxLooked is how many entries of a folder are read.
const maxLooked = 4096

// likenessOf returns how much a folder looks like a project's, by the names in it. It reads the
// folder once.
func (p *Finder) likenessOf(dir string) likeness {
	like, ok := p.looks[dir]
	if ok || p.isHome(dir) {
		return like
	}
	f, _, err := fsx.OpenDir(dir, true)
	if err != nil {
		p.note(err)
		return notAProject
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(maxLooked)
	p.note(err)
	for _, name := range names {
		lower := strings.ToLower(name)
		if slices.Contains(rootFiles, lower) || strings.HasSuffix(lower, ".sln") {
			like = certainProject
			break
		}
		if strings.HasPrefix(lower, "readme") {
			like = likelyProject
		}
	}
	if p.fault == nil {
		p.looks[dir] = like
	}
	return like
}
