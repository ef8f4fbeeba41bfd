package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
	fswatch "github.com/OWNER/handex/index/internal/watch"
)

// WatchState is what a living watcher says of itself.
type WatchState struct {
	PID     int
	Folders int  // whose events it takes
	Settled bool // no change waits to be indexed
	Roots   []WatchedRoot
}

// WatchedRoot is a root of a watch. Doubt says why events alone do not keep it
// current, so that it is swept; it is empty where they do.
type WatchedRoot struct {
	discover.Root
	Doubt string `json:",omitempty"`
}

// A watchState is what a watcher sends to other processes.
type watchState struct {
	WatchState
	View    string // see viewOf
	Known   []string
	Encoded []string        // names of watched folders that known folders can give their names to
	Skipped []discover.Skip `json:",omitempty"` // in an answer
}

// answerWait is how long a watcher may take to answer.
const answerWait = 100 * time.Millisecond

// WatchState returns how the index is watched; nil if no watcher lives.
func (s *Store) WatchState(ctx context.Context) *WatchState {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	c, err := fswatch.Dial(ctx, s.Dir.Socket())
	if err != nil {
		return nil
	}
	defer c.Close()
	var state watchState
	if c.State(&state) != nil {
		return nil
	}
	return &state.WatchState
}

// Watched reports whether a watcher keeps the index so that Refresh with the
// same arguments would find nothing to do, and returns what that would report
// of files that could not be indexed. Where there is any doubt it is false; it
// takes a millisecond where a watcher answers, and at most a tenth of a second.
//
// It asks the watcher by a Unix socket. Why the answer may be believed:
//
//   - All events of a watcher come through one queue, and the kernel puts an
//     event there before the call that caused it returns. When the question has
//     come, what was written before it is therefore in the queue. The
//     watcher then makes a file in a folder of its own that it watches. When it
//     takes the event of that file it has taken all before it, and also learned
//     if the queue ran over. If any of them is news it refreshes, and only then
//     it answers. File systems where events are not so are in the table of fsx.
//   - A refresh that follows an event sees the change: its second look at files
//     younger than two seconds does not go by their times.
//   - The folders with events are those that a refresh has listed, and each was
//     watched before the last refresh listed it: where one was not, there is
//     another refresh.
//   - What makes no event is compared when the question comes: the identity of
//     the roots, mounts, where links lead, files with several names or outside
//     the folders, what may not be read, and what git has checked out. A root with
//     anything else that events do not show (file systems of other machines, folders
//     whose disk fails or that are too many) is in doubt, and roots in doubt are never
//     answered for.
//     Two things go unseen until the next sweep: a write through mapped memory,
//     and one by a second name that a file was given while it was watched.
//   - Only a process that lives and sees the same files answers: a socket that
//     was left behind, or copied, is refused by the kernel, and View says
//     others apart.
//   - If another process has written to the index since, perhaps for other roots,
//     the watcher refreshes before it answers.
//   - The answer names the roots and all else that decides what a refresh finds;
//     covers says when that covers this process's.
func (s *Store) Watched(ctx context.Context, scope Scope) (sync.Report, bool) {
	if s.Settings.ReadOnly {
		return sync.Report{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	c, err := fswatch.Dial(ctx, s.Dir.Socket())
	if err != nil {
		return sync.Report{}, false
	}
	defer c.Close()
	view := s.viewOf(scope.Home)
	var state, answer watchState
	if c.State(&state) != nil || state.View != view || !state.covers(scope) {
		return sync.Report{}, false
	}
	if c.Ask(&answer) != nil || !answer.Settled || answer.View != view || !answer.covers(scope) {
		return sync.Report{}, false
	}
	return sync.Report{Skipped: slices.DeleteFunc(answer.Skipped, func(f discover.Skip) bool {
		return !slices.ContainsFunc(scope.Roots,
			func(r discover.Root) bool { return fsx.Within(f.Path, filepath.Clean(r.Path)) })
	})}, true
}

// viewOf returns a text that is equal in processes that would index the same files in
// the same way: of one program, in one zone, with one home, that see the same mounts
// and index.
func (s *Store) viewOf(home string) string {
	mounts, _ := os.Readlink("/proc/self/ns/mnt") // where there is none, nobody answers
	id, err := fsx.IDOf(s.Settings.Dir)
	return store.Digest([]string{
		mounts, s.Settings.Program, store.ZoneFingerprint(s.Settings.Zone), home,
		fmt.Sprint(id, err == nil),
	})
}

// covers reports whether what a watcher refreshes leaves a refresh of the scope
// nothing to do.
//
// Every root must be watched, by the same rules and in the same order, as the first
// root that finds a file keeps it. For the same reason no other root that is watched
// may share folders with one of them.
func (b *watchState) covers(scope Scope) bool {
	at := -1
	for _, r := range scope.Roots {
		i := slices.IndexFunc(b.Roots, func(w WatchedRoot) bool { return w.same(r) })
		if i <= at || b.Roots[i].Doubt != "" {
			return false
		}
		at = i
	}
	for _, w := range b.Roots {
		asked := slices.ContainsFunc(scope.Roots, w.same)
		if !asked && slices.ContainsFunc(scope.Roots, func(r discover.Root) bool {
			path := filepath.Clean(r.Path)
			return fsx.Within(path, w.Path) || fsx.Within(w.Path, path)
		}) {
			return false
		}
	}
	return b.names(scope.Known, b.Known) && b.names(b.Known, scope.Known)
}

func (w WatchedRoot) same(r discover.Root) bool {
	return w.Path == filepath.Clean(r.Path) && slices.Equal(w.Include, r.Include) && slices.Equal(w.Exclude, r.Exclude)
}

// names reports whether projects have the same names with these known folders as with
// the others: one that is not among those matters only where a folder has its encoded
// name.
func (b *watchState) names(known, others []string) bool {
	return !slices.ContainsFunc(known, func(path string) bool {
		return !slices.Contains(others, path) &&
			slices.ContainsFunc(project.Encodings(path), func(name string) bool { return slices.Contains(b.Encoded, name) })
	})
}

// currentStamp returns a text for the state of the index: every transaction that writes
// what a refresh found gives it another. Empty while there is no index.
func (s *Store) currentStamp(ctx context.Context) (stamp string, err error) {
	err = s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		facts, err := q.Facts(ctx)
		for _, f := range facts {
			if f.Key == store.FactStamp {
				stamp = f.Value
			}
		}
		return err
	})
	if errors.Is(err, store.ErrNoIndex) {
		err = nil
	}
	return stamp, err
}
