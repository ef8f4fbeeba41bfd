package sync

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// A snapshot is what the index holds, as far as a refresh has to do with it. The files
// of a folder are looked up when something about the folder has changed, but for a build.
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

func newSnapshot() *snapshot {
	return &snapshot{
		facts: map[string]string{}, dirs: newDirectories(), held: map[string]*indexed{},
		earlier: map[string]*indexed{},
	}
}

// readState reads the facts and the roots of the last refresh from the index.
func (r *refresher) readState(ctx context.Context, q *sqlitedb.Queries) error {
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

// readFiles reads what the index knows of folders and files. The files of a folder
// are only asked for when something about it has changed.
func (r *refresher) readFiles(ctx context.Context, q *sqlitedb.Queries, p *planner, scans []*scan) (err error) {
	p.stock = catalog{ctx, q}
	r.renamed = !r.build && r.facts[store.FactKnown] != r.known
	if err := r.directories(ctx, q, p, scans); err != nil {
		return err
	}
	files, err := r.readUnlisted(p, scans)
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
			f.dir = p.dirs.byPath[filepath.Dir(f.path)]
		}
		p.held[f.path] = f
	}
	if !r.renamed {
		return nil
	}
	return r.markRenamed(ctx, q, p)
}

// readUnlisted reads the files that no folder asks for: all for a build, or those in the
// folders of the project for a refresh of one.
func (r *refresher) readUnlisted(p *planner, scans []*scan) ([]indexed, error) {
	switch {
	case r.build:
		return p.stock.all()
	case r.o.Only != "":
		return p.stock.linkedBelow(r.projectFolders(scans))
	}
	return p.stock.linked()
}

// projectFolders returns the folders that a refresh of one project has to do with.
func (r *refresher) projectFolders(scans []*scan) []string {
	list := []string{filepath.Clean(r.o.Only)}
	for _, s := range scans {
		for _, rel := range s.starts {
			list = append(list, filepath.Join(s.root.Path, filepath.FromSlash(rel)))
		}
	}
	slices.Sort(list) // a folder comes before those in it
	dirs := list[:1]
	for _, dir := range list[1:] {
		if !slices.ContainsFunc(dirs, func(d string) bool { return fsx.Within(dir, d) }) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// directories reads those that the scans can find. A build numbers them again.
func (r *refresher) directories(ctx context.Context, q *sqlitedb.Queries, p *planner, scans []*scan) (err error) {
	if r.build {
		before := newDirectories()
		p.dirs.before = before.byPath
		return before.all(ctx, q)
	}
	p.dirs.stored = func() (int64, error) { return q.LastFolderID(ctx) }
	if !slices.ContainsFunc(scans, func(s *scan) bool { return s.part }) {
		return p.dirs.all(ctx, q)
	}
	for _, s := range scans {
		for _, rel := range s.starts {
			if err := p.dirs.below(ctx, q, filepath.Join(s.root.Path, filepath.FromSlash(rel))); err != nil {
				return err
			}
		}
	}
	return nil
}

// markRenamed plans to read again the files whose project has another name now that
// other folders are known.
func (r *refresher) markRenamed(ctx context.Context, q *sqlitedb.Queries, p *planner) error {
	rows, err := q.ProjectsOfFiles(ctx)
	if err != nil {
		return err
	}
	roots := map[int64]string{}
	for _, root := range r.roots {
		roots[root.ID] = root.Path
	}
	projects := map[int64]string{}
	for _, row := range rows {
		projects[row.FileID] = row.Root
	}
	p.reread = func(f *indexed) bool {
		project, ok := projects[f.id]
		if !ok || !mayBeNamed(f.path) {
			return false
		}
		now, err := r.loader.projectAt(f.path, roots[f.root])
		r.doubt = cmp.Or(r.doubt, err)
		return now.Root != project
	}
	return nil
}

// mayBeNamed reports whether an encoded name may say which project a file is of.
func mayBeNamed(path string) bool { return strings.Contains(path, string(filepath.Separator)+"-") }

func idsOf(files []*indexed) []int64 {
	list := make([]int64, len(files))
	for i, f := range files {
		list[i] = f.id
	}
	return list
}
