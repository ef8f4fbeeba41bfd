package sync

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/store"
)

// A scope is the folders that contain the handoffs of one project, absolute; nil is
// everything.
type scope []string

// scopeOf lists the folders of a project: its own, its other work trees, and
// those of encoded names.
func (o *Options) scopeOf(roots []discover.Root) scope {
	if o.Only == "" {
		return nil
	}
	dirs := append(scope{o.Only}, gitinfo.FurtherWorkTrees(o.Only)...)
	if path := mirrorOf(roots); path != "" {
		dirs = append(dirs, foldersOf(path, o.Only)...)
	}
	for _, name := range o.encodedNames() {
		for _, r := range roots {
			for _, in := range []string{"", "handoffs", filepath.Join(".claude", "handoffs")} {
				dir := filepath.Join(r.Path, in, name)
				if st, err := fsx.Lstat(dir); err == nil && st.Mode.IsDir() {
					dirs = append(dirs, dir)
				}
			}
		}
	}
	return dirs
}

// encodedNames returns the encoded names of the project's folder and of known folders in it:
// sessions begin there too.
func (o *Options) encodedNames() []string {
	names := project.Encodings(o.Only)
	for _, path := range o.Known {
		if fsx.Within(filepath.Clean(path), o.Only) {
			names = append(names, project.Encodings(filepath.Clean(path))...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// starts lists the folders of a root to walk, relative to it, none in another;
// part says that they are not all of the root.
func (sc scope) starts(r discover.Root) (list []string, part bool) {
	if sc == nil {
		return []string{""}, false
	}
	list = []string{}
	for _, dir := range sc {
		if fsx.Within(r.Path, dir) {
			return []string{""}, false
		}
		if rel, inside := fsx.Relative(dir, r.Path); inside {
			list = append(list, rel)
		}
	}
	return outermost(list), true
}

// outermost sorts folders and drops those that are in others.
func outermost(list []string) []string {
	slices.Sort(list)
	out := []string{}
	for _, dir := range list {
		if !slices.ContainsFunc(out, func(o string) bool { return fsx.Within(filepath.FromSlash(dir), filepath.FromSlash(o)) }) {
			out = append(out, dir)
		}
	}
	return out
}

// rulesOf returns a fingerprint of what decides which files are handoffs: some roots, and
// the program and more.
func rulesOf(roots []discover.Root, parts ...string) int64 {
	for _, r := range roots {
		parts = slices.Concat(parts, []string{"", r.Path}, r.Include, []string{""}, r.Exclude)
	}
	return store.Sum64([]byte(strings.Join(parts, "\x00")))
}
