package sync

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

// isHandedOver reports whether a manifest names the file as one of its texts. The file is then read
// together with the manifest, and must not be found twice. now is the time of the refresh in
// nanoseconds.
func (o *outcome) isHandedOver(now int64) bool {
	dir, name := filepath.Split(o.Path)
	dir = strings.ToLower(filepath.ToSlash(filepath.Clean(dir)))
	if discover.LetterRule(dir, strings.ToLower(name)) == "" {
		return false
	}
	for _, manifest := range []string{
		"../meta/handoff.yaml", "../meta/handoff-log.yaml", "../meta/handoff.yml", "../meta/handoff-log.yml",
	} {
		if data, err := o.neighbour(manifest, now); err == nil && bytes.Contains(data, []byte("discussion/"+name)) {
			return true
		}
	}
	return false
}

// isCopy reports whether the file is in a further work tree of a repository, and its main work tree
// is searched and has the same text at the same place. Only the file in the main work tree is then
// a handoff. It is false for folders that are not recorded with the rules of all roots: only those
// with these rules are compared again when other roots are searched.
func (l *loader) isCopy(o *outcome, raw []byte) bool {
	if o.shared != nil {
		return l.isReceived(o, raw)
	}
	dir := filepath.Dir(o.Path)
	tree, err := l.commits.tree(dir)
	if o.dir == nil || o.dir.rules != l.rules || err != nil || tree == nil || !tree.IsFurther() {
		return false
	}
	main := filepath.Join(tree.InMain(dir), filepath.Base(o.Path))
	rel, err := filepath.Rel(dir, main)
	isAround := func(r discover.Root) bool { return fsx.Within(main, r.Path) }
	if err != nil || main == o.Path || !slices.ContainsFunc(l.roots, isAround) {
		return false
	}
	dep := deps.Read(dir, filepath.ToSlash(rel))
	text, _, err := fsx.ReadSettled(main, fsx.MaxFile)
	if err == nil {
		dep = dep.AsOf(l.clock, text)
	}
	mark, _ := filepath.Rel(dir, filepath.Join(tree.Top, ".git"))
	o.deps = append(o.deps, dep, deps.Read(dir, filepath.ToSlash(mark)))
	return err == nil && bytes.Equal(text, raw) && l.isSearched(main)
}

// isReceived is isCopy for a shared file, whose text git can have brought to this machine as well.
// The original is not recorded as a neighbour, because there can be many: see rereadShared.
func (l *loader) isReceived(o *outcome, raw []byte) bool {
	original := l.mirror.original(o.shared, o.clone)
	if original == "" || o.dir == nil {
		return false
	}
	text, _, err := fsx.ReadSettled(original, fsx.MaxFile)
	if err != nil || !bytes.Equal(text, raw) || !l.isSearched(original) {
		return false
	}
	o.deps = append(o.deps, deps.Dependency{Size: deps.Copied})
	return true
}

// isSearched reports whether a walk of one of the roots finds the file at path by its name.
func (l *loader) isSearched(path string) bool {
	target, err := fsx.RealPath(path)
	return err == nil && target == path && slices.ContainsFunc(l.roots, func(r discover.Root) bool {
		ok, _ := discover.Why(path, r)
		return ok
	})
}
