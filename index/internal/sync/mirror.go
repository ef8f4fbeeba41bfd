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

// A mirror is the folder with the handoffs that other machines share. The project of a shared
// handoff is that of the clone of the same repository on this machine, or if there is none, one of
// the mirror's own. The file "clone" in the mirror names the clone's folder. A mirror is not safe
// for concurrent use.
type mirror struct {
	path, home string
	program    string
	roots      []discover.Root
	clones     map[string]clone // by the folder of a project in the mirror
	folders    map[string]int64 // the rules of the folders of members
}

// mirrorOf returns the folder of the mirror that is set in the roots, "" for none.
func mirrorOf(roots []discover.Root) string {
	for _, r := range roots {
		if r.Mirror != "" {
			return filepath.Clean(r.Mirror)
		}
	}
	return ""
}

// A clone is what the mirror records about a project's clone on this machine.
type clone struct {
	named string // its folder, "" if none is named
	root  string // the same without links, "" if it is not there
	text  []byte // of the file that names it
}

// cloneFile names the clone, in the folder of a project in the mirror.
const cloneFile = "clone"

const longestClone = 4 << 10

// readClone reads the file that names a project's clone, in the project's folder in the mirror. The
// clone is empty if there is no such file.
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

// clone returns the clone of the project with the given folder in the mirror. It is read once.
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

// sharedAt returns who shares the file at path and from which place, nil if path is not in the
// mirror.
func (m *mirror) sharedAt(path string) *discover.Shared {
	return discover.SharedAt(m.path, path)
}

// projectAt returns the project of the file at path, found in a scan of root.
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

// original returns the path of the file on this machine that a shared file can be a copy of: at the
// same place in the clone, or in a hidden folder of the home folder, where agents keep handoffs. It
// returns "" if there is no such place.
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

// noteClone records as dependencies what decides the project of a shared file: the file that names
// the clone, and a file that every clone contains.
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

// rulesOf returns a fingerprint of what decides which files of a folder with shared files are
// handoffs: the roots around or in the clone of its project, because a copy of a file that is
// searched there is no handoff. ok is false for a folder that has no shared files.
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

// mayBeCopy reports whether a shared file was a copy, as known (its file.deps) says, or may be one
// now: the file that it would be a copy of has the same size.
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

// maxKeyDepth is how deep in the mirror the folder of a project can be.
const maxKeyDepth = 16

// eachProject calls do for each folder of a project in dir, the mirror, that has a clone on this
// machine. depth is the depth of dir, at first 0.
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

// foldersOf returns the folders in the mirror of the projects whose clones are in the folder
// project or around it.
func foldersOf(mirror, project string) (list []string) {
	eachProject(mirror, 0, func(folder string, c clone) {
		if fsx.Within(project, c.root) || fsx.Within(c.root, project) {
			list = append(list, folder)
		}
	})
	return list
}

// rereadShared plans to read again the shared files that may now become copies, or stop being
// copies, because files of this machine change. Those that this refresh does not walk are left to
// the next one that does.
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

// placesOf returns the places, relative to the clone or to the home folder ("~/"), at which a
// member would share the file at path.
func (m *mirror) placesOf(path string, c clone) (list []string) {
	if rel, ok := fsx.Relative(path, c.root); ok {
		list = append(list, rel)
	}
	if rel, ok := fsx.Relative(path, m.home); ok && m.home != "" && rel[0] == '.' {
		list = append(list, "~/"+rel)
	}
	return list
}

// rereadCopy plans to read the shared file at path again. If no walk has come by it, its directory
// is marked for the next refresh.
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
