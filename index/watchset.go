package index

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
	fswatch "github.com/OWNER/handex/index/internal/watch"
)

// A watchSet is the folders whose events a watch takes, and the files that it compares because
// their changes make no events.
type watchSet struct {
	folders *fswatch.Folders
	seen    []fswatch.Folder // folders of the last refresh
	roots   []WatchedRoot
	linked  map[string]bool // files of the folders that handoffs are read with
	odd     map[string]oddFile
	around  string   // see aroundOf
	encoded []string // names in paths that known folders can give their names to
	stale   bool     // all is to be watched again
}

// An oddFile is the state of a file whose changes may make no event that is taken. If it was young,
// the next change may leave the same state.
type oddFile struct {
	state string
	young bool
}

// maxOdd bounds the files that are compared for each question.
const maxOdd = 1000

// rewatch watches all folders anew if the set is stale or the roots have changed. most bounds the
// number of folders. A refresh must follow: it sees changes from before a folder is watched, and
// later changes make events.
func (w *watchSet) rewatch(s *Store, roots []discover.Root, most int) error {
	private := s.Dir.WatchDir()
	if err := os.MkdirAll(private, 0o700); err != nil {
		return store.WrapError("watch", s.Settings.Dir, err)
	}
	around := s.aroundOf(roots)
	if !w.stale && w.around == around {
		return nil
	}
	w.folders.Close()
	w.folders = fswatch.New(private, most)
	w.folders.Add(w.seen)
	w.around, w.stale, w.roots = around, false, nil
	for _, root := range roots {
		root.Path = filepath.Clean(root.Path)
		w.roots = append(w.roots, WatchedRoot{Root: root})
	}
	return nil
}

// aroundOf returns a text that differs when a root, or the folder of the watchers, has come, gone
// or become another folder, or something was mounted in it: these changes make no event.
func (s *Store) aroundOf(roots []discover.Root) string {
	var text strings.Builder
	paths := []string{s.Dir.WatchDir()}
	for _, root := range roots {
		paths = append(paths, root.Path)
	}
	for i, path := range paths {
		id, err := fsx.IDOf(path)
		fmt.Fprintln(&text, id, err == nil)
		if target, err := fsx.RealPath(path); err == nil {
			paths[i] = target
		}
	}
	return text.String() + fsx.Mounts(paths)
}

// follow watches what a refresh looked at. joined reports whether something of it was not watched
// before, so that a change during the refresh may have been missed.
func (w *watchSet) follow(ctx context.Context, s *Store, c *discover.Coverage,
	troubles []discover.Trouble,
) (joined bool, err error) {
	w.seen = c.Folders
	joined, doubts := w.folders.Add(c.Folders)
	for i := range w.roots {
		w.roots[i].Doubt = ""
	}
	w.encoded = w.encodedNames()
	files, err := w.neighbours(ctx, s)
	for _, t := range append(doubts, troubles...) {
		if t.Shows {
			files = append(files, t.Path)
		} else {
			w.doubt(t.Path, t.Reason)
		}
	}
	odd := map[string]oddFile{}
	for _, path := range append(files, c.Files...) {
		was, ok := w.odd[path]
		if !ok && len(odd) >= maxOdd {
			w.doubt(path, fmt.Sprintf("is one of more than %d files that change without file events", maxOdd))
			continue
		}
		if !ok {
			was, joined = statOdd(path, s.Settings.Clock()), true
		}
		odd[path] = was
	}
	w.odd = odd
	return joined, err
}

// doubt records why events do not show all changes in the roots that contain path. A root keeps its
// first reason.
func (w *watchSet) doubt(path, reason string) {
	for i := range w.roots {
		if r := &w.roots[i]; r.Doubt == "" && fsx.Within(path, r.Path) {
			r.Doubt = sync.SummarizeTroubles(r.Path, []discover.Trouble{{Path: path, Reason: reason}})
		}
	}
}

// doubts returns how many roots events alone do not keep current, and the first of them with their
// reasons.
func (w *watchSet) doubts() (n int, names string) {
	const most = 3
	var list []string
	for _, r := range w.roots {
		if r.Doubt == "" {
			continue
		}
		if n++; n <= most {
			list = append(list, r.Path+" ("+r.Doubt+")")
		}
	}
	if n > most {
		list = append(list, fmt.Sprintf("and %d more", n-most))
	}
	return n, strings.Join(list, ", ")
}

// encodedNames returns the encoded names of watched folders and in the paths of roots. Known
// folders decide which projects they mean.
func (w *watchSet) encodedNames() []string {
	names := map[string]bool{}
	for _, folder := range w.seen {
		names[filepath.Base(folder.Path)] = true
	}
	for _, r := range w.roots {
		for name := range strings.SplitSeq(filepath.ToSlash(r.Path), "/") {
			names[name] = true
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool { return !project.IsEncoded(name) })
}

// neighbours finds the files that handoffs are read together with. It records those in watched
// folders, so that their events count, and returns the others. A work tree whose commits date
// handoffs is represented by its .git.
func (w *watchSet) neighbours(ctx context.Context, s *Store) (others []string, err error) {
	w.linked = map[string]bool{}
	seen := map[string]bool{}
	err = s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		rows, err := q.FilesWithNeighbours(ctx)
		for _, row := range rows {
			dir := filepath.Dir(row.Path)
			if key := dir + "\x00" + row.Deps; !seen[key] && !deps.OnlySuccessor(row.Deps) {
				seen[key] = true
				others = append(others, w.link(dir, row.Deps)...)
			}
		}
		return err
	})
	slices.Sort(others)
	return slices.Compact(others), store.IgnoreNoIndex(err)
}

// link records the dependencies of a file in dir that are in watched folders, and returns the paths
// of the others. packed is its file.deps.
func (w *watchSet) link(dir, packed string) (others []string) {
	list, _ := deps.Parse(packed) // of a file with others, the next refresh reads it again
	for _, d := range list {
		path := filepath.Join(dir, filepath.FromSlash(d.Rel))
		switch st, names, err := fsx.LstatLinks(path); {
		case d.Size == deps.Successor:
		case d.Size == deps.CheckedOut:
			others = append(others, filepath.Join(path, ".git"))
		case w.folders.Has(filepath.Dir(path)) && (err != nil || st.Mode.IsRegular() && names == 1):
			w.linked[path] = true
		default:
			others = append(others, path)
		}
	}
	return others
}

// statOdd returns the state of a file, following links, or, for .git, of the commit that is checked
// out.
func statOdd(path string, now time.Time) oddFile {
	dir, name := filepath.Split(path)
	if name == ".git" {
		tree := FindWorkTree(filepath.Clean(dir))
		if tree == nil {
			return oddFile{}
		}
		return oddFile{state: tree.Top + "\x00" + tree.HeadMark()}
	}
	d := deps.Read(dir, name)
	return oddFile{fmt.Sprint(d), d.Ctime >= now.UnixNano()-int64(fsx.Racy)}
}

// statOdd reads the state of all odd files. A refresh that begins after it sees no older state.
func (w *watchSet) statOdd(now time.Time) {
	for path := range w.odd {
		w.odd[path] = statOdd(path, now)
	}
}

// oddChanged reports whether an odd file has changed since the last refresh. If sure is set, a file
// that was young then also counts.
func (w *watchSet) oddChanged(now time.Time, sure bool) bool {
	for path, was := range w.odd {
		if sure && was.young || statOdd(path, now).state != was.state {
			return true
		}
	}
	return false
}

// matters reports whether a refresh may find something new because of a change at path.
func (w *watchSet) matters(change fswatch.Change, path string) bool {
	if change == fswatch.None || change == fswatch.Marked {
		return false
	}
	name := filepath.Base(path)
	if w.linked[path] || name == ".git" || name == "CACHEDIR.TAG" || name == "SKILL.md" {
		return true // these change the rules of their folder
	}
	if change == fswatch.Listed {
		if st, err := fsx.Lstat(path); err == nil && (st.Mode.IsDir() || st.Mode&fs.ModeSymlink != 0) {
			return true
		}
	}
	return slices.ContainsFunc(w.roots, func(r WatchedRoot) bool {
		rel, inside := fsx.Relative(path, r.Path)
		return inside && (len(r.Include) > 0 || discover.MayBeHandoff(name)) && discover.MatchOnDisk(rel, r.Root)
	})
}
