package index

import (
	"os"
	"path/filepath"
	"strings"

	"handex/index/internal/fsx"
)

// repository returns the folder of the git repository whose work tree dir is,
// or "". That is dir itself, save for a further work tree of a repository: then
// it is the main one, so that all work trees are one project. A submodule is a
// project of its own.
func (p *Projects) repository(dir string) string {
	mark := filepath.Join(dir, ".git")
	st, ok := p.there(mark)
	switch {
	case !ok:
		return ""
	case st.Mode.IsRegular():
		return p.mainWorkTree(dir, mark)
	}
	return dir
}

// mainWorkTree follows a .git file to the main work tree of a linked one, as
// git does: gitdir names the private folder, commondir in it the shared one.
// The private folder must name the .git file in turn: a file that comes with a
// download cannot claim to be another project's work tree.
func (p *Projects) mainWorkTree(dir, mark string) string {
	private, ok := p.readLink(mark, "gitdir: ", dir)
	if !ok {
		return dir
	}
	back, ok := p.readLink(filepath.Join(private, "gitdir"), "", private)
	if !ok || !p.samePlace(back, mark) {
		return dir
	}
	common, ok := p.readLink(filepath.Join(private, "commondir"), "", private)
	if !ok {
		return dir
	}
	if base := filepath.Base(common); base == ".git" || base == ".bare" {
		return filepath.Dir(common)
	}
	return common
}

// workTrees lists the further work trees of the repository at dir, as it knows
// them.
func (p *Projects) workTrees(dir string) []string {
	private := filepath.Join(dir, ".git", "worktrees")
	var trees []string
	for _, name := range fsx.ListFolders(private) {
		if mark, ok := p.readLink(filepath.Join(private, name, "gitdir"), "", private); ok {
			trees = append(trees, filepath.Dir(mark))
		}
	}
	return trees
}

// readLink reads a file of git's that holds a path after prefix; relative ones
// are relative to dir.
func (p *Projects) readLink(path, prefix, dir string) (string, bool) {
	data, err := fsx.ReadHead(path, 8192)
	if err != nil {
		p.doubt(err)
		return "", false
	}
	line, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if !ok || line == "" || strings.ContainsAny(line, "\x00\n") {
		return "", false
	}
	if line = filepath.FromSlash(line); !filepath.IsAbs(line) {
		line = filepath.Join(dir, line)
	}
	return filepath.Clean(line), true
}

func (p *Projects) samePlace(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Lstat(a)
	if err == nil {
		var y os.FileInfo
		if y, err = os.Lstat(b); err == nil {
			return os.SameFile(x, y)
		}
	}
	p.doubt(err)
	return false
}
