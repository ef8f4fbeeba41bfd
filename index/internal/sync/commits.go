package sync

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/latest"
	"github.com/OWNER/handex/parse"
)

// The times of a file show when somebody wrote it only until git writes it: in a
// clone they are those of the checkout. So if a file's date depends on
// its times, the last commit that gave it its content is looked up, provided that git's
// index has that content. The result is stored with the
// file as a dependency on the commit that is checked out: while that is the same,
// git is not run again.

// commits finds the last commits of files, for one refresh. It may be used by several goroutines at
// once.
type commits struct {
	ctx    context.Context //nolint:containedctx // lives as long as the reading of files
	getenv func(string) string
	paths  func() []string // of the files of the refresh, sorted

	mu    sync.Mutex
	dirs  map[string]*treeCommits // by folder, nil for one in no work tree
	trees map[string]*treeCommits // by the top of the work tree
}

// A treeCommits has the commits of one work tree. They are read when they are first needed: most
// work trees need none.
type treeCommits struct {
	*gitinfo.WorkTree
	head  string
	blobs func() map[string]string    // path -> content that git's index has
	times func() map[string]time.Time // path -> last commit
}

// newCommits returns the commits for the files that changes name. Earlier versions have none.
func newCommits(ctx context.Context, getenv func(string) string, changes []change) *commits {
	return &commits{
		ctx: ctx, getenv: getenv, dirs: map[string]*treeCommits{}, trees: map[string]*treeCommits{},
		paths: sync.OnceValue(func() []string {
			list := make([]string, 0, len(changes))
			for i := range changes {
				if changes[i].version == nil {
					list = append(list, changes[i].Path)
				}
			}
			slices.Sort(list)
			return list
		}),
	}
}

// of returns the time of the last commit that gave the file at path its content raw, zero if there
// is none, and the dependency to record for that result. ok is false for a file in no work tree of
// git.
func (c *commits) of(path string, raw []byte) (at time.Time, on deps.Dependency, ok bool) {
	dir := filepath.Dir(path)
	t, err := c.tree(dir)
	switch {
	case err != nil: // asked again by the next refresh
		return time.Time{}, deps.Dependency{Rel: ".git", Size: deps.Unsettled}, true
	case t == nil:
		return time.Time{}, deps.Dependency{}, false
	}
	up, err := filepath.Rel(dir, t.Top)
	rel, inside := fsx.Relative(path, t.Top)
	if err != nil || !inside {
		return time.Time{}, deps.Dependency{}, false
	}
	if blob, known := t.blobs()[rel]; known && gitinfo.IsContent(raw, blob) {
		at = t.times()[rel]
	}
	on = deps.Dependency{Rel: filepath.ToSlash(up), Size: deps.CheckedOut, Sum: t.head}
	if !at.IsZero() {
		on.Mtime = at.UnixNano()
	}
	return at, on, true
}

// tree returns the commits of the work tree that contains the folder dir, nil if none does.
func (c *commits) tree(dir string) (*treeCommits, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, known := c.dirs[dir]
	if known {
		return t, nil
	}
	top, err := gitinfo.FindTop(dir)
	if err != nil {
		return nil, err
	}
	if top != "" {
		if t = c.trees[top]; t == nil {
			t = c.newTree(gitinfo.WorkTreeAt(top))
			c.trees[top] = t
		}
	}
	c.dirs[dir] = t
	return t, nil
}

// newTree returns the commits of a work tree. Git runs when they are first needed.
func (c *commits) newTree(w *gitinfo.WorkTree) *treeCommits {
	t := &treeCommits{WorkTree: w, head: w.HeadMark()}
	t.blobs = sync.OnceValue(func() map[string]string {
		if t.head == "" {
			return nil
		}
		// Files of which git cannot be asked are dated by their own times.
		blobs, _ := w.Tracked(c.ctx, c.below(w.Top), c.getenv)
		return blobs
	})
	t.times = sync.OnceValue(func() map[string]time.Time { return w.CommitTimes(c.ctx, t.blobs(), c.getenv) })
	return t
}

// below returns the files of the refresh that are in the work tree at top, as slash-separated paths
// relative to top.
func (c *commits) below(top string) map[string]bool {
	paths, prefix := c.paths(), strings.TrimSuffix(top, string(filepath.Separator))+string(filepath.Separator)
	from, _ := slices.BinarySearch(paths, prefix)
	wanted := map[string]bool{}
	for _, path := range paths[from:] {
		rel, inside := strings.CutPrefix(path, prefix)
		if !inside {
			break
		}
		if !strings.Contains(rel, "\n") { // which git would read as two
			wanted[filepath.ToSlash(rel)] = true
		}
	}
	return wanted
}

// dated returns the documents of a file, parsed again if its last commit dates them better than its
// times: if one states no date, or if the commit is older than the file, which a checkout wrote. It
// records in o on which commit that depends.
func (l *loader) dated(o *outcome, raw []byte, docs []*parse.Document) []*parse.Document {
	mtime := time.Unix(0, o.stat.MtimeNS)
	unsure := func(d *parse.Document) bool { return isUnsure(d, mtime) }
	if o.shared != nil || !slices.ContainsFunc(docs, unsure) {
		return docs
	}
	at, on, ok := l.commits.of(o.Path, raw)
	undated, copied := slices.ContainsFunc(docs, isUndated), !at.IsZero() && at.Before(mtime)
	if !ok || !undated && !copied && !slices.ContainsFunc(docs, isUnordered) {
		return docs
	}
	onDay := func(d *parse.Document) bool { return !at.Before(d.Date.Time) && at.Before(d.Date.End) }
	if undated && !at.IsZero() || copied && slices.ContainsFunc(docs, onDay) {
		o.committed, o.deps, o.missed = at, nil, nil
		docs = l.parse(o, raw)
	}
	o.deps = append(o.deps, on)
	return docs
}

// isUndated reports whether a document states no date, so that the file's times date it.
func isUndated(d *parse.Document) bool { return latest.IsOfFile(d.Date.Source) }

// isUnordered reports whether only the day of a document is known, so that documents of that day
// have no order.
func isUnordered(d *parse.Document) bool {
	exact := d.Date.Precision == "instant" || d.Date.Precision == "minute"
	return !exact && d.Date.Sort.Equal(d.Date.Time)
}

// isUnsure reports whether mtime, the time of the file, influences the date of a document or which
// handoff is the latest.
func isUnsure(d *parse.Document, mtime time.Time) bool {
	refined := d.Date.Source != "mtime" && d.Date.Sort.Equal(mtime)
	return isUndated(d) || isUnordered(d) || refined || parse.LatestBy(d.Format) == parse.ByMTime
}

// sameCommit reports whether an unchanged file still has the last commit that dated it, though
// another commit is checked out now. If so, it updates the dependencies of o.
func (l *loader) sameCommit(o *outcome, raw []byte) bool {
	list, _ := deps.Parse(o.old.deps)
	_, on, ok := l.commits.of(o.Path, raw)
	i := slices.IndexFunc(list, func(d deps.Dependency) bool { return d.Size == deps.CheckedOut })
	if !ok || i < 0 || list[i].Rel != on.Rel || list[i].Mtime != on.Mtime {
		return false
	}
	list[i], o.deps = on, list
	return true
}
