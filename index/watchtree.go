package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"handex/index/internal/fsx"
)

// A tree is the folders whose events are taken, and what is known of them. It is
// built anew rather than mended where it may have come to differ from the disk.
type tree struct {
	source  *fsnotify.Watcher // nil if the system gives none
	roots   []*watchedRoot
	folders map[string]*watchedFolder
	paths   map[FileID]string // of the folders
	ignore  []FileID
	linked  map[string]bool   // files outside the rules that handoffs are read with
	devices map[uint64]string // why the events of a device are not to be trusted, empty if they are
	real    []string          // paths of the roots that are there
	mounts  string            // as they were below them
	max     int
	full    string // why no more folders are watched, empty if they are
}

// A watchedRoot is a root of a watch.
type watchedRoot struct {
	rules
	id    FileID // of its folder; zero while there is none
	doubt string // why events alone do not keep it current; empty if they do
	links []string
	tops  map[string]bool // of work trees whose commits are followed
}

// A watchedFolder is a folder that the walks of some roots come to.
type watchedFolder struct {
	id     FileID
	places []seat
	below  map[string]bool // names of the watched folders in it
}

// A seat is a folder as the rules of a root see it; closed if they keep out.
type seat struct {
	root   *watchedRoot
	place  place
	closed bool
}

// newTree watches the folders that walks of the roots visit, and the one where
// questions are asked.
func newTree(ctx context.Context, s *Store, roots []Root, questions string, most int) *tree {
	t := &tree{
		folders: map[string]*watchedFolder{}, paths: map[FileID]string{}, linked: map[string]bool{}, devices: map[uint64]string{},
		ignore: s.dir.own(), max: most,
	}
	for _, root := range roots {
		if path, err := realPath(root.Path); err == nil {
			t.real = append(t.real, path)
		}
	}
	t.mounts = fsx.Mounts(t.real)
	var err error
	if t.source, err = fsnotify.NewWatcher(); err != nil {
		t.full = "the system gives no events: " + err.Error()
	} else if err := t.source.Add(questions); err != nil {
		t.full = t.refused(err)
	}
	for _, root := range roots {
		t.addRoot(ctx, root)
	}
	for _, r := range t.roots {
		t.followLinks(r)
	}
	return t
}

func (t *tree) close() {
	if t != nil && t.source != nil {
		_ = t.source.Close() // its only error is that it is closed
	}
}

// events is nil, from which nothing ever comes, where the system gives none.
func (t *tree) events() <-chan fsnotify.Event {
	if t.source == nil {
		return nil
	}
	return t.source.Events
}

func (t *tree) errors() <-chan error {
	if t.source == nil {
		return nil
	}
	return t.source.Errors
}

func (t *tree) addRoot(ctx context.Context, root Root) {
	root.Path = filepath.Clean(root.Path)
	rules, err := newRules(root)
	r := &watchedRoot{rules: rules}
	r.root = root
	t.roots = append(t.roots, r)
	if err != nil {
		r.doubt = err.Error()
		return
	}
	if r.id, err = IDOf(root.Path); err != nil {
		r.doubt = reason(err)
		return
	}
	t.add(ctx, r, root.Path, r.start())
}

// doubts notes why events do not tell all of a root; the first reason stays.
func (r *watchedRoot) doubts(path, reason string) {
	if r.doubt == "" {
		r.doubt = describe(r.root.Path, []Trouble{{path, reason}})
	}
}

// add watches a folder and what is below it, and reports whether there are
// files that the rules take. A folder is watched before it is listed: what comes
// in between is listed, or makes an event, or both.
func (t *tree) add(ctx context.Context, r *watchedRoot, path string, f place) (found bool) {
	if ctx.Err() != nil {
		return false
	}
	if strings.Count(f.rel, "/") > maxWatchDepth {
		r.doubts(path, "too many folders deep")
		return false
	}
	folder := t.watch(r, path)
	if folder == nil {
		return false
	}
	entries, err := listEntries(path)
	if err != nil {
		if !vanished(err) || f.rel == "" {
			r.doubts(path, reason(err))
		}
		return false
	}
	f, skip := r.listed(f, func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	})
	folder.places = append(folder.places, seat{r, f, skip != ""})
	if skip != "" {
		return false
	}
	for _, e := range entries {
		if e.IsDir() {
			child, skip := r.enter(f, e.Name())
			found = skip == "" && t.add(ctx, r, filepath.Join(path, e.Name()), child) || found
			continue
		}
		found = t.file(r, f, path, e.Name(), e.Type()) || found
	}
	return found
}

// The limits of a walk hold here, too.
const (
	maxWatchDepth   = 64
	maxWatchEntries = 100_000
)

var errTooMany = fmt.Errorf("more than %d entries", maxWatchEntries)

func listEntries(path string) ([]fs.DirEntry, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	var entries []fs.DirEntry
	for {
		more, err := dir.ReadDir(4096)
		entries = append(entries, more...)
		switch {
		case len(entries) > maxWatchEntries:
			return nil, errTooMany
		case len(more) == 0:
			return entries, unlessEnd(err)
		}
	}
}

// watch takes the events of one folder. It is nil where the walk would not come
// or events do not.
func (t *tree) watch(r *watchedRoot, path string) *watchedFolder {
	id, err := IDOf(path)
	if err != nil || slices.Contains(t.ignore, id) {
		return nil
	}
	if other, ok := t.paths[id]; ok && other != path && id != (FileID{}) {
		r.doubts(path, "is the same folder as "+other)
		return nil
	}
	if folder := t.folders[path]; folder != nil && folder.id != id {
		t.drop(path)
	} else if folder != nil {
		folder.places = slices.DeleteFunc(folder.places, func(p seat) bool { return p.root == r })
		return folder
	}
	if why := t.device(path, id); why != "" {
		r.doubts(path, why)
	}
	if t.full == "" && len(t.folders) >= t.max {
		t.full = "more than " + counted(t.max, "folder")
	}
	if t.full != "" {
		r.doubts(path, t.full)
		return nil
	}
	if err := t.source.Add(path); err != nil {
		if !vanished(err) || path == r.root.Path {
			r.doubts(path, t.refused(err))
		}
		return nil
	}
	folder := &watchedFolder{id: id}
	t.folders[path], t.paths[id] = folder, path
	if above := t.folders[filepath.Dir(path)]; above != nil && path != filepath.Dir(path) {
		if above.below == nil {
			above.below = map[string]bool{}
		}
		above.below[filepath.Base(path)] = true
	}
	return folder
}

// refused says why the system takes no watch. When it has run out of them no
// more are tried.
func (t *tree) refused(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		t.full = "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
	case tight(err):
		t.full = "the system has run out of watches: " + reason(err)
	default:
		return "no events: " + reason(err)
	}
	return t.full
}

// device says why the events of a folder's file system are not to be trusted.
func (t *tree) device(path string, id FileID) string {
	why, ok := t.devices[id.Dev]
	if !ok {
		if kind := fsx.KindOf(path); !kind.Events {
			why = strings.TrimSpace("its file system "+kind.Name) + " may not tell of every change"
		}
		t.devices[id.Dev] = why
	}
	return why
}

// file looks at an entry that is no folder, and reports whether the rules take
// it. A handoff that has several names can be written by one of them that
// nobody watches.
func (t *tree) file(r *watchedRoot, f place, dir, name string, kind fs.FileMode) bool {
	if !r.file(f, name).ok {
		return false
	}
	path := filepath.Join(dir, name)
	switch {
	case kind&fs.ModeSymlink != 0:
		r.links = append(r.links, path)
	case namesOf(path) > 1:
		r.doubts(path, "has another name")
	}
	return true
}

// followLinks takes the events of the files that links lead to. Whatever is not
// one step to a file of a watched folder is left to the sweep.
func (t *tree) followLinks(r *watchedRoot) {
	for _, link := range r.links {
		to, err := os.Readlink(link)
		if err != nil {
			continue // it is gone, which makes an event
		}
		file := filepath.Clean(to)
		if !filepath.IsAbs(to) {
			file = filepath.Join(filepath.Dir(link), to)
		}
		if t.folders[filepath.Dir(file)] == nil || !oneStep(link, file) {
			r.doubts(link, "is a link that leads elsewhere")
			continue
		}
		t.linked[file] = true
	}
	r.links = nil
}

// oneStep reports whether a link leads to just this file, which has no other
// name. Its text alone does not tell: above a root that is a link itself, ".."
// is not what it says.
func oneStep(link, file string) bool {
	st, err := lstat(file)
	if err != nil {
		return vanished(err) && filepath.Dir(link) == filepath.Dir(file)
	}
	id, err := IDOf(link)
	return err == nil && id == st.id() && st.Mode.IsRegular() && namesOf(file) < 2
}

// namesOf is how many names a file has.
func namesOf(path string) uint64 {
	_, n, _ := lstatLinks(path)
	return n
}
