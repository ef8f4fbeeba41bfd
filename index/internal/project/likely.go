package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

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

// likely returns the nearest folder, dir or one above it up to root, that looks
// like a project's; "" if none does. A part of a project is none, whatever is
// in it, and a README makes none of a folder among notes and archives.
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

// maxLooked is how many entries of a folder are looked at.
const maxLooked = 4096

// likenessOf reads, once, how much a folder looks like a project's.
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
