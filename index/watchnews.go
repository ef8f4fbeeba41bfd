package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"handex/index/internal/fsx"
	"handex/index/internal/sqlitedb"
)

// news is what an event means for the index.
type news int

const (
	newsNone  news = iota
	newsFile       // a handoff may have come, changed or gone
	newsRules      // other rules hold: the tree must be built anew
)

// take follows an event: new folders are watched, those that went no longer.
func (t *tree) take(ctx context.Context, e fsnotify.Event) news {
	path := filepath.Clean(e.Name)
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if t.folders[path] != nil && (gone || e.Has(fsnotify.Chmod)) {
		if gone {
			t.drop(path)
		}
		return newsFile
	}
	folder := t.folders[filepath.Dir(path)]
	if folder == nil {
		return newsNone
	}
	name := filepath.Base(path)
	if isMarker(name) && (gone || e.Has(fsnotify.Create)) {
		return newsRules
	}
	if e.Has(fsnotify.Create) {
		if news, ok := t.created(ctx, folder, path, name); ok {
			return news
		}
	}
	if t.linked[path] || folder.takes(t, path, name) {
		return newsFile
	}
	return newsNone
}

// isMarker names what changes the rules of the folder it lies in.
func isMarker(name string) bool {
	return name == ".git" || name == "SKILL.md" || name == "CACHEDIR.TAG"
}

// created follows an entry that is new and no plain file; ok is false for those.
func (t *tree) created(ctx context.Context, folder *watchedFolder, path, name string) (_ news, ok bool) {
	st, err := lstat(path)
	switch {
	case err != nil:
		return newsNone, false // gone by now
	case st.Mode&fs.ModeSymlink != 0:
		return newsRules, true
	case !st.Mode.IsDir():
		return newsNone, false
	}
	found := false
	for _, p := range folder.places {
		if child, skip := p.root.enter(p.place, name); skip == "" && !p.closed {
			found = t.add(ctx, p.root, path, child) || found
			t.followLinks(p.root)
		}
	}
	if found {
		return newsFile, true
	}
	return newsNone, true
}

// takes reports whether the rules of a root take a file of the folder.
func (f *watchedFolder) takes(t *tree, path, name string) bool {
	found := false
	for _, p := range f.places {
		if !p.closed && t.file(p.root, p.place, filepath.Dir(path), name, 0) {
			found = true
		}
	}
	return found
}

// drop forgets a folder that went and all that was below it. The system would
// go on telling of a folder that was moved, by its old name.
func (t *tree) drop(path string) {
	folder := t.folders[path]
	if folder == nil {
		return
	}
	for name := range folder.below {
		t.drop(filepath.Join(path, name))
	}
	delete(t.folders, path)
	if t.paths[folder.id] == path {
		delete(t.paths, folder.id)
	}
	if above := t.folders[filepath.Dir(path)]; above != nil {
		delete(above.below, filepath.Base(path))
	}
	_ = t.source.Remove(path) // mostly the system has done so
}

// stands reports whether the tree is of the folders that are there: that roots
// come and go, or another file system is mounted, makes no event.
func (t *tree) stands() bool {
	if t.mounts != fsx.Mounts(t.real) {
		return false
	}
	for _, r := range t.roots {
		if id, err := IDOf(r.root.Path); err != nil && r.id != (FileID{}) || err == nil && id != r.id {
			return false
		}
	}
	return true
}

// doubt notes the roots that a refresh could not read all of.
func (t *tree) doubt(troubles []Trouble) {
	for _, trouble := range troubles {
		for _, r := range t.roots {
			if below(trouble.Path, r.root.Path) {
				r.doubts(trouble.Path, trouble.Reason)
			}
		}
	}
}

// neighbours takes the events of the files that handoffs are read together
// with, which no rule names.
func (t *tree) neighbours(ctx context.Context, s *Store) error {
	err := s.transaction(ctx, "read index", func(q *sqlitedb.Queries) error {
		rows, err := q.FilesWithNeighbours(ctx)
		for _, row := range rows {
			t.neighbour(row.Path, row.Deps)
		}
		return err
	})
	return unlessEmpty(err)
}

func (t *tree) neighbour(path, deps string) {
	var list []dependency
	if json.Unmarshal([]byte(deps), &list) != nil {
		return // the next refresh reads the file anew
	}
	for _, d := range list {
		if d.size == checkedOut {
			t.commits(path, d)
			continue
		}
		file := filepath.Join(filepath.Dir(path), filepath.FromSlash(d.rel))
		st, err := lstat(file)
		watched := t.folders[filepath.Dir(file)] != nil
		if watched && (err != nil || st.Mode.IsRegular() && namesOf(file) < 2) {
			t.linked[file] = true
			continue
		}
		for _, r := range t.roots {
			if below(path, r.root.Path) {
				r.doubts(path, "is read with "+d.rel+", which is not watched")
			}
		}
	}
}

// commits takes the events of the folder where git locks what is checked out, as it
// does to move it.
func (t *tree) commits(path string, d dependency) {
	top := filepath.Join(filepath.Dir(path), filepath.FromSlash(d.rel))
	for _, r := range t.roots {
		if r.tops[top] || !below(path, r.root.Path) {
			continue
		}
		if r.tops == nil {
			r.tops = map[string]bool{}
		}
		r.tops[top] = true
		w := FindWorkTree(top)
		if w == nil {
			continue
		}
		if t.watch(r, w.private) == nil || w.headMark() != d.sum {
			r.doubts(path, "is dated by git, which was not watched in time")
		}
		t.linked[filepath.Join(w.private, "HEAD.lock")] = true
	}
}

// doubtful counts the roots that events alone do not keep current.
func (t *tree) doubtful() int {
	n := 0
	for _, r := range t.roots {
		if r.doubt != "" {
			n++
		}
	}
	return n
}

// swept says which roots are swept, and why; it is empty if none are.
func (t *tree) swept(every time.Duration) string {
	n := t.doubtful()
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("%s by sweep every %d s", counted(n, "root"), int(every.Seconds()))
	const most = 3
	var why []string
	for _, r := range t.roots {
		if r.doubt != "" && len(why) < most {
			why = append(why, r.root.Path+" ("+r.doubt+")")
		}
	}
	if n > most {
		why = append(why, fmt.Sprintf("and %d more", n-most))
	}
	return text + ": " + strings.Join(why, ", ")
}

// unlessEnd is an error of reading a folder, which ends by io.EOF, or because
// the folder is gone.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}
