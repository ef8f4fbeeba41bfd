package sync

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
)

// A mirror is the folder with the handoffs that other machines share. Its project is
// that of the clone of the same repository on this machine, whose folder the file clone
// of the mirror names, or else one of the mirror's own. It is not safe for concurrent use.
type mirror struct {
	path, home string
	program    string
	roots      []discover.Root
	clones     map[string]clone // by the folder of a project in the mirror
	folders    map[string]int64 // the rules of the folders of members
}

// mirrorOf returns the folder of the mirror that the roots know, "" for none.
func mirrorOf(roots []discover.Root) string {
	for _, r := range roots {
		if r.Mirror != "" {
			return filepath.Clean(r.Mirror)
		}
	}
	return ""
}

// A clone is what the mirror says of a project's clone on this machine.
type clone struct {
	named string // its folder, "" if none is named
	root  string // the same without links, "" if it is not there
	text  []byte // of the file that names it
}

// cloneFile names the clone, in the folder of a project in the mirror.
const cloneFile = "clone"

const longestClone = 4 << 10

// readClone reads the file that names the clone of a project.
func readClone(folder string) (clone, error) {
	text, err := fsx.ReadHead(filepath.Join(folder, cloneFile), longestClone)
	if err != nil {
		if fsx.Vanished(err) || errors.Is(err, fsx.ErrNotRegular) {
			err = nil
		}
		return clone{}, err
	}
	c := clone{text: text}
	if named := strings.TrimSpace(string(text)); filepath.IsAbs(named) {
		c.named = filepath.Clean(named)
		c.root, err = fsx.RealPath(named)
	}
	if err != nil && !fsx.Vanished(err) {
		return c, err
	}
	return c, nil
}

func (m *mirror) clone(folder string) (clone, error) {
	c, known := m.clones[folder]
	if known {
		return c, nil
	}
	c, err := readClone(folder)
	if err == nil {
		m.clones[folder] = c
	}
	return c, err
}

// sharedAt returns where a file of the mirror comes from, nil for a file of this machine.
func (m *mirror) sharedAt(path string) *discover.Shared {
	return discover.SharedAt(m.path, path)
}

// projectAt finds the project of the file at path, found in a scan of root.
func (l *loader) projectAt(path, root string) (project.Project, error) {
	s := l.mirror.sharedAt(path)
	if s == nil {
		return l.projects.Of(path, root)
	}
	c, err := l.mirror.clone(s.Folder)
	switch {
	case err != nil:
		return project.Project{}, err
	case c.root == "":
		name, err := url.PathUnescape(filepath.Base(s.Folder))
		if err != nil {
			name = filepath.Base(s.Folder)
		}
		return project.Project{Root: s.Folder, Name: name}, nil
	case strings.HasPrefix(s.Rel, "~/"):
		return l.projects.Of(filepath.Join(c.root, "x"), c.root)
	}
	return l.projects.Of(filepath.Join(c.root, filepath.FromSlash(s.Rel)), c.root)
}

// original returns where the handoff is of which a shared file can be a copy: at the same
// place in the clone, or in a hidden folder of the home folder, where agents keep them; ""
// if there is no such place.
func (m *mirror) original(s *discover.Shared, c clone) string {
	base, rel := c.root, s.Rel
	if rest, ok := strings.CutPrefix(rel, "~/"); ok {
		base, rel = m.home, rest
	}
	if base == "" || base == m.home && !strings.HasPrefix(rel, ".") {
		return ""
	}
	return filepath.Join(base, filepath.FromSlash(rel))
}

// noteClone notes what decides about the project of a shared file: the file that names
// the clone, and a file that is in the clone as long as there is one.
func (o *outcome) noteClone(now int64) {
	o.deps = append(o.deps, o.dependency(filepath.Join(o.shared.Folder, cloneFile)).AsOf(now, o.clone.text))
	if o.clone.named != "" {
		o.deps = append(o.deps, o.dependency(filepath.Join(o.clone.named, ".git", "description")))
	}
}

// dependency returns a dependency on the file at path.
func (o *outcome) dependency(path string) deps.Dependency {
	dir := filepath.Dir(o.Path)
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return deps.Dependency{Rel: path, Size: deps.Unsettled}
	}
	return deps.Read(dir, filepath.ToSlash(rel))
}

// rulesOf returns a fingerprint of what decides which files of a folder are handoffs:
// whether the clone of its project is searched, too, where the handoffs of copies are.
// ok is false for a folder that has no shared files.
func (m *mirror) rulesOf(dir string) (rules int64, ok bool) {
	if m.path == "" || !strings.HasPrefix(dir, m.path) {
		return 0, false // as almost all are
	}
	s := m.sharedAt(fsx.Join(dir, "x"))
	if s == nil {
		return 0, false
	}
	rules, ok = m.folders[s.Folder]
	if ok {
		return rules, true
	}
	c, err := m.clone(s.Folder)
	rules = rulesOf(slices.DeleteFunc(slices.Clone(m.roots), func(r discover.Root) bool {
		isOfClone := c.root != "" && (fsx.Within(r.Path, c.root) || fsx.Within(c.root, r.Path))
		rel, inHome := fsx.Relative(r.Path, m.home)
		return !isOfClone && (m.home == "" || (!inHome || rel[0] != '.') && !fsx.Within(m.home, r.Path))
	}), m.program, cloneFile, c.root)
	if err == nil {
		m.folders[s.Folder] = rules
	}
	return rules, true
}

// mayBeCopy reports whether a shared file was a copy, as its file.deps say, or can be one
// now: there is a file of its size.
func (m *mirror) mayBeCopy(path string, size int64, known string) bool {
	s := m.sharedAt(path)
	if s == nil || deps.IsCopy(known) {
		return s != nil
	}
	c, err := m.clone(s.Folder)
	if err != nil {
		return true
	}
	original := m.original(s, c)
	if original == "" {
		return false
	}
	st, err := fsx.Lstat(original)
	return err == nil && st.Size == size || err != nil && !fsx.Vanished(err)
}

// maxKeyDepth is how many folders deep the folder of a project in the mirror can be.
const maxKeyDepth = 16

// eachProject calls do for the folders in dir, which is the mirror, that are those of
// projects with a clone.
func eachProject(dir string, depth int, do func(folder string, c clone)) {
	if c, err := readClone(dir); err == nil && c.root != "" {
		do(dir, c)
	}
	for _, name := range fsx.ListFolders(dir) {
		if depth < maxKeyDepth && !discover.IsMember(name) {
			eachProject(filepath.Join(dir, name), depth+1, do)
		}
	}
}

// foldersOf lists the folders in the mirror of the projects whose clones are in a folder
// or around it.
func foldersOf(mirror, project string) (list []string) {
	eachProject(mirror, 0, func(folder string, c clone) {
		if fsx.Within(project, c.root) || fsx.Within(c.root, project) {
			list = append(list, folder)
		}
	})
	return list
}

// rereadShared plans to read the shared files again that may be copies now of files that
// change, or no more. Those that this refresh does not look at are left to the next one
// that does.
func (r *refresher) rereadShared() error {
	if r.build || r.loader.mirror.path == "" || len(r.plan.changes)+len(r.plan.gone) == 0 {
		return nil
	}
	planned, changed := map[string]int{}, []string{}
	for i, c := range r.plan.changes {
		planned[c.Path] = i
		changed = append(changed, c.Path)
	}
	for _, f := range r.plan.gone {
		changed = append(changed, f.path)
	}
	var copies []string
	eachProject(r.loader.mirror.path, 0, func(folder string, c clone) {
		members := slices.DeleteFunc(fsx.ListFolders(folder), func(name string) bool { return !discover.IsMember(name) })
		for _, path := range changed {
			for _, rel := range r.loader.mirror.placesOf(path, c) {
				for _, member := range members {
					copies = append(copies, discover.SharedPath(folder, member, rel))
				}
			}
		}
	})
	for _, path := range copies {
		if i, ok := planned[path]; ok {
			r.plan.changes[i].force = true
		} else {
			if err := r.rereadCopy(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// placesOf returns where a member of a project shares the file at a path.
func (m *mirror) placesOf(path string, c clone) (list []string) {
	if rel, ok := fsx.Relative(path, c.root); ok {
		list = append(list, rel)
	}
	if rel, ok := fsx.Relative(path, m.home); ok && m.home != "" && rel[0] == '.' {
		list = append(list, "~/"+rel)
	}
	return list
}

func (r *refresher) rereadCopy(path string) error {
	dir := filepath.Dir(path)
	if r.dirs.byPath[dir] == nil {
		if err := r.dirs.below(r.stock, dir); err != nil {
			return err
		}
	}
	d := r.dirs.byPath[dir]
	if d == nil {
		return nil
	}
	old, err := r.indexedAt(path)
	switch {
	case err != nil || old == nil || old.id < 0:
	case old.seen && old.scan != nil:
		r.forceRead(old)
	default:
		d.rules, d.dirty, d.mustWrite, d.handedBack = 0, true, true, true
	}
	return err
}
