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

// A WatchState is the state of a running watcher, as it publishes it.
type WatchState struct {
	PID     int
	Folders int  // whose events it takes
	Settled bool // no change waits to be indexed
	Roots   []WatchedRoot
}

// A WatchedRoot is a root of a watch. Doubt says why events alone do not keep it current, so that
// it is swept; it is empty if they do.
type WatchedRoot struct {
	discover.Root
	Doubt string `json:",omitempty"`
}

// A watchState is the message that a watcher sends to other processes.
type watchState struct {
	WatchState
	View    string // see viewOf
	Known   []string
	Encoded []string        // names of watched folders that known folders can give their names to
	Skipped []discover.Skip `json:",omitempty"` // in an answer
}

// answerWait is how long a watcher may take to answer.
const answerWait = 100 * time.Millisecond

// WatchState returns the state of the process that watches the index, nil if there is none.
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

// Watched reports whether a watcher keeps the index so current that a Refresh of the
// scope would find nothing to do. The report has the files that such a Refresh would
// report as skipped. If there is any doubt, Watched returns false. It
// takes a millisecond if a watcher answers, and at most a tenth of a second.
//
// It sends the watcher a question over a Unix socket. Why the answer may be believed:
//
//   - All events of a watcher come through one queue, and the kernel puts an
//     event there before the call that caused it returns. When the question
//     arrives, the events of all earlier changes are therefore in the queue. The
//     watcher then makes a file in a folder of its own that it watches. When it
//     takes the event of that file, it has taken all before it, and also knows
//     if the queue overflowed. If any of them is a change, it refreshes before
//     it answers. The table of fsx says on which file systems events work like this.
//   - A refresh that follows an event sees the change: its second look at files
//     younger than two seconds does not go by their times.
//   - The folders with events are those that a refresh has listed, and each was
//     watched before the last refresh listed it: if one was not, there is
//     another refresh.
//   - Changes without an event are found by a comparison when the question arrives: of
//     the identity of the roots, mounts, the targets of links, files with several names
//     or outside the folders, unreadable files, and the commit that is checked out. A root
//     with anything else that events do not show (file systems of other machines, folders
//     whose disk fails or that are too many) is in doubt, and for roots in doubt Watched
//     returns false.
//     Two things go unseen until the next sweep: a write through mapped memory,
//     and one by a second name that a file was given while it was watched.
//   - Only a running process that sees the same files answers: the kernel refuses a
//     socket that was left behind, or copied, and View differs in processes that see
//     other files.
//   - If another process has written to the index since, perhaps for other roots,
//     the watcher refreshes before it answers.
//   - The answer contains the roots and all else that decides what a refresh finds;
//     covers compares them with the scope.
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

// viewOf returns a text that is equal in processes that would index the same files in the same way:
// those of one program, in one time zone, with one home folder, that see the same mounts and index.
func (s *Store) viewOf(home string) string {
	mounts, _ := os.Readlink("/proc/self/ns/mnt") // where there is none, nobody answers
	id, err := fsx.IDOf(s.Settings.Dir)
	return store.Digest([]string{
		mounts, s.Settings.Program, store.ZoneFingerprint(s.Settings.Zone), home,
		fmt.Sprint(id, err == nil),
	})
}

// covers reports whether a refresh of the scope would find nothing to do, because the watcher
// refreshes all of it.
//
// Every root must be watched, by the same rules and in the same order, as the first root that finds
// a file keeps it. For the same reason no other root that is watched may share folders with one of
// them.
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

// same reports whether r has the same folder and globs.
func (w WatchedRoot) same(r discover.Root) bool {
	return w.Path == filepath.Clean(r.Path) && slices.Equal(w.Include, r.Include) && slices.Equal(w.Exclude, r.Exclude)
}

// names reports whether the folders known give projects the same names as the folders others would:
// a known folder that is missing in others matters only if a watched folder has its encoded name.
func (b *watchState) names(known, others []string) bool {
	return !slices.ContainsFunc(known, func(path string) bool {
		return !slices.Contains(others, path) &&
			slices.ContainsFunc(project.Encodings(path), func(name string) bool { return slices.Contains(b.Encoded, name) })
	})
}

// currentStamp returns the stamp of the index, a text that changes with every transaction that
// writes the result of a refresh. It is "" while there is no index.
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
