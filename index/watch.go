package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
	fswatch "github.com/OWNER/handex/index/internal/watch"
)

// A Scope is what decides what a refresh finds: the roots, and the folders by which encoded names
// are read.
type Scope struct {
	Roots []discover.Root
	Known []string // as RefreshOptions.Known
	Home  string
}

// WatchOptions says how a watch is done.
type WatchOptions struct {
	// Scope returns what to watch; it is required. It is called at the start and before every
	// sweep, so that new folders are found. An error of the first call ends the watch; after a
	// later error the last scope is used.
	Scope func() (Scope, error)
	// Refreshed, if set, is called after the first refresh and after every one that changed the
	// index. Its error ends the watch, unless it is ErrNoIndex: then another index is built.
	Refreshed func(sync.Report) error
	// Progress, if set, is called during the first refresh, as RefreshOptions says.
	Progress func(sync.Progress)
	// Tell, if set, gets messages for a person: at the start what is watched, later what has
	// changed about that, and what failed.
	Tell func(string)
	// Sweep is the time between refreshes that do not wait for an event: 0 is a minute if events
	// alone are not reliable, else five.
	Sweep time.Duration
	// MaxFolders bounds the folders whose events are requested: the system needs about a kilobyte
	// for each. 0 is 32,768.
	MaxFolders int
}

const (
	quiet             = 200 * time.Millisecond // for more changes to come before a refresh
	sweepDoubtful     = time.Minute
	sweepWatched      = 5 * time.Minute
	defaultMaxFolders = 32_768
	watchTick         = time.Second
	maxPause          = 2 * time.Second // between two, which is else as long as the first took
)

// Watch keeps the index current until ctx ends, and returns its error. It takes the system's events
// about the folders below the roots only as hints that a refresh is needed, never for what has
// changed: events get lost, and some file systems have none. So from time to time it sweeps, which
// is a Refresh of all roots, and also when events were lost.
//
// While it watches, other processes may rely on it: see Watched. A refresh that fails is reported
// and tried again; only an index that cannot be written ends the watch.
func (s *Store) Watch(ctx context.Context, o WatchOptions) error {
	if s.Settings.ReadOnly {
		return &store.Error{Op: "watch", Path: s.Settings.Dir, Err: store.ErrReadOnly}
	}
	o.MaxFolders = cmp.Or(o.MaxFolders, defaultMaxFolders)
	w := &watcher{Store: s, o: o, timer: time.NewTimer(time.Hour), pending: map[string]*fswatch.Question{}}
	defer w.close()
	if err := w.sweep(ctx); err != nil {
		return err
	}
	return w.run(ctx)
}

// A watcher is the state of one run of Watch. It has one goroutine: while it refreshes, the system
// keeps the events that come.
type watcher struct {
	*Store
	o     WatchOptions
	scope Scope
	watchSet

	socket  *fswatch.Listener            // nil while another watcher answers
	pending map[string]*fswatch.Question // by the mark behind the changes before them

	dirty  bool        // a change may not be in the index yet
	stamp  string      // of the index after the last refresh
	shown  string      // of the index that Refreshed was called for
	report sync.Report // of the last refresh
	begun  bool        // the first refresh is done
	swept  string      // the last message about what is not watched
	failed string      // the last message about a failure

	timer   *time.Timer // ends the wait for more changes, or the pause after a refresh
	resting bool        // it is the pause
	ticks   int         // since the last sweep
}

// close stops watching and answering.
func (w *watcher) close() {
	w.timer.Stop()
	w.folders.Close()
	w.socket.Close()
}

// run handles events, questions and ticks until ctx ends or one of them fails.
func (w *watcher) run(ctx context.Context) error {
	tick := time.NewTicker(watchTick)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, ok := <-w.folders.Events():
			if !ok {
				return store.WrapError("watch", w.Settings.Dir, errors.New("the file events have ended"))
			}
			err = w.event(ctx, event)
		case lost := <-w.folders.Errors():
			w.notify("file events were lost; all folders are checked again: " + lost.Error())
			w.stale = true
			w.touch()
		case q := <-w.socket.Questions():
			err = w.question(ctx, q)
		case <-w.timer.C:
			err = w.timeout(ctx)
		case <-tick.C:
			err = w.tick(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// event handles an event of the system. A change marks the index as behind. The mark that was made
// for a question means that all changes before it are known, so the question is answered, if need
// be after a refresh.
func (w *watcher) event(ctx context.Context, e fswatch.Event) error {
	change, path := w.folders.Read(e)
	q := w.pending[path]
	switch {
	case change == fswatch.Marked && q != nil && w.dirty:
		return w.catchUp(ctx)
	case change == fswatch.Marked && q != nil:
		delete(w.pending, path)
		q.Answer(w.state(w.report.Skipped))
	case w.matters(change, path):
		w.stale = w.stale || change == fswatch.Moved
		w.touch()
	}
	return nil
}

// question handles a question of another process. If changes are known to be missing in the index,
// it refreshes and answers at once. Otherwise the answer follows when the events of all earlier
// changes have been taken.
func (w *watcher) question(ctx context.Context, q *fswatch.Question) error {
	mark, err := w.folders.Mark()
	w.pending[mark] = q
	if err != nil || w.dirty || w.behind(ctx, true) {
		return w.catchUp(ctx)
	}
	return nil
}

// answer answers all open questions, because a refresh that began after them is done or has failed.
func (w *watcher) answer() {
	for mark, q := range w.pending {
		q.Answer(w.state(w.report.Skipped))
		delete(w.pending, mark)
	}
}

// touch records and publishes that a change may be missing in the index, and starts the timer for a
// refresh.
func (w *watcher) touch() {
	if w.dirty {
		return
	}
	w.dirty = true
	w.socket.Publish(w.state(nil))
	if !w.resting {
		w.timer.Reset(quiet)
	}
}

// timeout handles the end of the wait for more changes, or of a pause: it refreshes if a change may
// be missing.
func (w *watcher) timeout(ctx context.Context) error {
	w.resting = false
	if w.dirty {
		return w.catchUp(ctx)
	}
	return nil
}

// tick runs every second. It sweeps if it is time for that, or refreshes if a change made no event.
func (w *watcher) tick(ctx context.Context) error {
	w.ticks++
	switch {
	case time.Duration(w.ticks)*watchTick >= w.every():
		return w.sweep(ctx)
	case w.behind(ctx, false):
		return w.catchUp(ctx)
	}
	w.listen(ctx)
	return nil
}

// every returns the time between sweeps.
func (w *watcher) every() time.Duration {
	if n, _ := w.doubts(); n > 0 {
		return cmp.Or(w.o.Sweep, sweepDoubtful)
	}
	return cmp.Or(w.o.Sweep, sweepWatched)
}

// sweep determines the scope again, watches all of it anew and refreshes it.
func (w *watcher) sweep(ctx context.Context) error {
	scope, err := w.o.Scope()
	switch {
	case err == nil:
		w.scope = scope
	case !w.begun:
		return err
	default:
		w.notify(err.Error() + "; the folders known so far are watched")
	}
	w.stale, w.ticks = true, 0
	return w.catchUp(ctx)
}

// behind reports whether there is a change that made no event: a root came or went, something was
// mounted, another process wrote to the index, perhaps for other roots, or a file without events
// has changed. If sure is set, a file that may have changed without showing it counts as changed.
func (w *watcher) behind(ctx context.Context, sure bool) bool {
	stamp, err := w.currentStamp(ctx)
	return err != nil || stamp != w.stamp || w.around != w.aroundOf(w.scope.Roots) || w.oddChanged(w.Settings.Clock(),
		sure)
}

// maxPasses bounds how often catchUp refreshes again because a refresh found folders that were not
// watched.
const maxPasses = 3

// catchUp refreshes the index for all events handled so far, then answers open questions and calls
// Refreshed. If a refresh finds folders that were not watched before, it refreshes again: changes
// in them before that made no event.
func (w *watcher) catchUp(ctx context.Context) error {
	w.timer.Stop()
	err := w.rewatch(w.Store, w.scope.Roots, w.o.MaxFolders)
	joined := true
	for pass := 0; err == nil && joined && pass < maxPasses; pass++ {
		joined, err = w.refreshWatched(ctx)
		for _, notice := range w.Notices() {
			w.notify(notice)
		}
	}
	if err != nil {
		return w.failedRefresh(ctx, err)
	}
	w.dirty, w.failed, w.resting = joined, "", !joined
	w.timer.Reset(min(w.report.Elapsed, maxPause))
	w.answer()
	if w.o.Refreshed != nil && (!w.begun || w.stamp != w.shown) {
		w.shown = w.stamp
		err := w.o.Refreshed(w.report)
		if errors.Is(err, store.ErrNoIndex) {
			w.shown = ""
			return w.failedRefresh(ctx, err) // removed since the refresh: another is built
		}
		if err != nil {
			return err
		}
	}
	w.listen(ctx)
	w.reportWatched()
	return nil
}

// refreshWatched refreshes once, and watches the folders that the refresh looked at. joined reports
// whether some were not watched before. A damaged index is rebuilt.
func (w *watcher) refreshWatched(ctx context.Context) (joined bool, err error) {
	w.statOdd(w.Settings.Clock())
	o := sync.Options{Known: w.scope.Known, Home: w.scope.Home, Coverage: &discover.Coverage{}}
	if !w.begun {
		o.Progress = w.o.Progress
	}
	report, err := w.Refresh(ctx, w.scope.Roots, o)
	if err == nil {
		w.stamp, err = w.currentStamp(ctx)
	}
	if err == nil {
		joined, err = w.follow(ctx, w.Store, o.Coverage, report.Troubles)
	}
	if errors.Is(err, store.ErrCorrupt) {
		report, err = w.Mend(ctx, w.scope.Roots, o, err)
		joined = true
	}
	w.report = report
	return joined, err
}

// failedRefresh handles the error of a refresh. It returns the error if that ends the watch;
// otherwise it notifies the user, answers open questions and sets the timer for another attempt.
func (w *watcher) failedRefresh(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if w.folders == nil || errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrForeign) {
		return err
	}
	if text := err.Error(); text != w.failed {
		w.failed = text
		w.notify(text + "; still watching")
	}
	w.dirty, w.resting = true, false
	w.timer.Reset(maxPause)
	w.answer()
	w.socket.Publish(w.state(nil))
	return nil
}

// listen publishes the state to other processes, and takes their questions, unless another watcher
// does. If it cannot, it only notifies the user, as other processes then refresh themselves.
func (w *watcher) listen(ctx context.Context) {
	if w.socket.Stands() {
		w.socket.Publish(w.state(nil))
		return
	}
	w.socket.Close()
	var err error
	w.socket, err = fswatch.Listen(ctx, w.Dir.Socket(), w.state(nil))
	if text := fmt.Sprint(err); err != nil && !errors.Is(err, fswatch.ErrTaken) && text != w.failed {
		w.failed = text
		w.notify("other processes cannot see that the index is watched: " + text)
	}
}

// state returns the state of the watch as JSON, with the files that a refresh would skip.
func (w *watcher) state(skipped []discover.Skip) []byte {
	text, err := json.Marshal(watchState{
		WatchState: WatchState{PID: os.Getpid(), Folders: w.folders.Len(), Settled: !w.dirty, Roots: w.roots},
		View:       w.viewOf(w.scope.Home), Known: w.scope.Known, Encoded: w.encoded, Skipped: skipped,
	})
	if err != nil {
		return nil // from which nobody learns anything
	}
	return text
}

// reportWatched notifies the user of the watched folders and of the roots that are swept: the first
// time, and when these roots change.
func (w *watcher) reportWatched() {
	text := "watching " + store.CountOf(w.folders.Len(), "folder")
	n, swept := w.doubts()
	if n > 0 {
		text += fmt.Sprintf("; %s checked every %d s: %s", store.CountOf(n, "root"), int(w.every().Seconds()), swept)
	}
	if !w.begun || swept != w.swept {
		w.notify(text)
	}
	w.begun, w.swept = true, swept
}

// notify calls WatchOptions.Tell if it is set.
func (w *watcher) notify(text string) {
	if w.o.Tell != nil {
		w.o.Tell(text)
	}
}
