package sync

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// A snapshot is the part of the index that a refresh needs. The files of a folder are read only
// when something about the folder has changed, except in a build.
type snapshot struct {
	have    bool // there is a generation to start from
	renamed bool // encoded names may mean other folders than before
	facts   map[string]string
	roots   []sqlitedb.Root
	dirs    directories
	held    map[string]*indexed // by path; of a quiet folder they are not looked up
	earlier map[string]*indexed // earlier versions, by their path in the archive
	stock   catalog
}

// readState reads the facts and the roots of the last refresh from the index.
func (r *refresher) readState() error {
	ctx, q := r.stock.ctx, r.stock.q
	err := r.readFacts(ctx, q)
	if err != nil {
		return err
	}
	if r.o.Only != "" {
		// Names are compared when all projects are: with some folders alone,
		// those of the others would be read again.
		r.known = cmp.Or(r.facts[store.FactKnown], r.known)
	}
	if r.o.Only != "" && r.o.Elsewhere {
		if r.elsewhere, err = q.FoldersOfProjects(ctx,
			store.TextList(append(project.Encodings(r.o.Only), r.o.Only))); err != nil {
			return err
		}
	}
	r.roots, err = q.Roots(ctx)
	return err
}

// readFiles reads the folders and files from the index. The files of a folder are left out until
// something about it has changed.
func (r *refresher) readFiles(scans []*scan) error {
	r.renamed = !r.build && r.facts[store.FactKnown] != r.known
	if err := r.directories(scans); err != nil {
		return err
	}
	files, err := r.readUnlisted(scans)
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		if f.versionOf != "" {
			r.earlier[f.path] = f
			continue
		}
		if f.folder != 0 {
			f.dir = r.dirs.byPath[filepath.Dir(f.path)]
		}
		r.held[f.path] = f
	}
	if !r.renamed {
		return nil
	}
	return r.markRenamed()
}

// readUnlisted returns the files that are not read folder by folder: in a build all, in a refresh
// of one project the earlier versions and the files found by links in its folders, else all of
// these.
func (r *refresher) readUnlisted(scans []*scan) ([]indexed, error) {
	switch {
	case r.build:
		return r.stock.all()
	case r.o.Only != "":
		return r.stock.linkedBelow(r.projectFolders(scans))
	}
	return r.stock.linked()
}

// projectFolders returns the folders that a refresh of one project has to look at, none inside
// another.
func (r *refresher) projectFolders(scans []*scan) []string {
	list := []string{filepath.Clean(r.o.Only)}
	for _, s := range scans {
		list = append(list, s.folders...)
	}
	return outermost(list)
}

// directories reads the directories that the scans can find from the index. A build reads all, to
// compare only, and numbers them anew.
func (r *refresher) directories(scans []*scan) error {
	if r.build {
		before := directories{byPath: map[string]*directory{}}
		r.dirs.before = before.byPath
		return before.all(r.stock)
	}
	if !slices.ContainsFunc(scans, func(s *scan) bool { return s.part }) {
		return r.dirs.all(r.stock)
	}
	for _, s := range scans {
		for _, dir := range s.folders {
			if err := r.dirs.below(r.stock, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// markRenamed reads the project of each file from the index into r.projects, so that files can be
// read again whose project has another name since other folders are known.
func (r *refresher) markRenamed() error {
	rows, err := r.stock.q.ProjectsOfFiles(r.stock.ctx)
	r.projects = map[int64]string{}
	for _, row := range rows {
		r.projects[row.FileID] = row.Root
	}
	return err
}

// isRenamed reports whether a file belongs to another project than before, because other folders
// are known now.
func (r *refresher) isRenamed(f *indexed) bool {
	project, ok := r.projects[f.id]
	if !ok || !mayBeNamed(f.path) {
		return false
	}
	var root string
	for _, row := range r.roots {
		if row.ID == f.root {
			root = row.Path
		}
	}
	now, err := r.loader.projectAt(f.path, root)
	r.doubt = cmp.Or(r.doubt, err)
	return now.Root != project
}

// mayBeNamed reports whether path may contain an encoded name, which says what project a file
// belongs to.
func mayBeNamed(path string) bool { return strings.Contains(path, string(filepath.Separator)+"-") }

func idsOf(files []*indexed) []int64 {
	list := make([]int64, len(files))
	for i, f := range files {
		list[i] = f.id
	}
	return list
}

// A scope is the list of absolute folders that contain the handoffs of one project; nil means all
// folders.
type scope []string

// scopeOf returns the folders of the project of o: its own, its other work trees, those in the
// mirror, and those with its encoded names. It returns nil if o is not limited to one project.
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

// encodedNames returns the encoded names of the project's folder and of the known folders in it:
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

// starts returns the folders of root r to walk, relative to it, none inside another; part says that
// they are not all of the root.
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

// outermost returns the folders sorted, without those that are inside others.
func outermost(list []string) []string {
	slices.Sort(list)
	out := []string{}
	for _, dir := range list {
		isInner := func(o string) bool { return fsx.Within(filepath.FromSlash(dir), filepath.FromSlash(o)) }
		if !slices.ContainsFunc(out, isInner) {
			out = append(out, dir)
		}
	}
	return out
}

// rulesOf returns a fingerprint of the rules that decide which files are handoffs: of the paths and
// patterns of roots, and of parts, such as the name of the program.
func rulesOf(roots []discover.Root, parts ...string) int64 {
	for _, r := range roots {
		parts = slices.Concat(parts, []string{"", r.Path}, r.Include, []string{""}, r.Exclude)
	}
	return store.Sum64([]byte(strings.Join(parts, "\x00")))
}
