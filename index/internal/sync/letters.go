package sync

import (
	"bytes"
	"path/filepath"
	"strings"

	"handex/index/internal/deps"
	"handex/index/internal/discover"
	"handex/index/internal/fsx"
)

// isHandedOver reports whether the file is a text that a manifest names. It is read
// with that, and would be found twice.
func (o *outcome) isHandedOver(now int64) bool {
	dir, name := filepath.Split(o.Path)
	dir = strings.ToLower(filepath.ToSlash(filepath.Clean(dir)))
	if discover.LetterRule(dir, strings.ToLower(name)) == "" {
		return false
	}
	for _, manifest := range []string{
		"../meta/handoff.yaml", "../meta/handoff-log.yaml", "../meta/handoff.yml",
		"../meta/handoff-log.yml",
	} {
		if data, err := o.neighbour(manifest, now); err == nil && bytes.Contains(data, []byte("discussion/"+name)) {
			return true
		}
	}
	return false
}

// isCopy reports whether the file lies in a further work tree of a repository, and the
// main one, which is searched too, has the same text at the same place: that is the
// handoff, and would be found twice.
func (l *loader) isCopy(o *outcome, raw []byte) bool {
	dir := filepath.Dir(o.Path)
	tree, err := l.commits.tree(dir)
	if err != nil || tree == nil || !tree.IsFurther() {
		return false
	}
	main := tree.InMain(dir)
	rel, err := filepath.Rel(dir, filepath.Join(main, filepath.Base(o.Path)))
	searched := o.scan.root.Reaches(main) || o.scan.main != "" && fsx.Within(main, o.scan.main)
	if err != nil || main == dir || !searched {
		return false
	}
	dep := deps.Read(dir, filepath.ToSlash(rel))
	text, _, err := fsx.ReadSettled(filepath.Join(dir, rel), deps.MaxNeighbour)
	if err == nil {
		dep = dep.AsOf(l.clock, text)
	}
	o.deps = append(o.deps, dep)
	return err == nil && bytes.Equal(text, raw)
}
