package index

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Scope is what a refresh looks at: roots, and what names are read by.
type Scope struct {
	Roots []Root
	Known []string // as RefreshOptions.Known
	Home  string
}

func (c Scope) refresh() RefreshOptions { return RefreshOptions{Known: c.Known, Home: c.Home} }

// WatchOptions says what a watch does.
type WatchOptions struct {
	// Scope answers what to watch; it is required. It is asked at the start and
	// before every sweep, so that folders which are new to it join. Its first
	// error ends the watch; at a later one the last answer holds.
	Scope func() (Scope, error)
	// Refreshed, if set, is called after the first refresh and after every one
	// that finds another index than the last. Its error ends the watch.
	Refreshed func(Report) error
	// Progress, if set, is called during the first refresh, as RefreshOptions says.
	Progress func(Progress)
	// Tell, if set, gets what a person should know: at the start what is
	// watched, later what has changed about that, and what failed.
	Tell func(string)
	// Quiet is how long no change must come before a refresh; 0 is 100 ms. It
	// comes after four times as long in any case. Between two there is as much
	// time as the first took, but no more than 2 s.
	Quiet time.Duration
	// Sweep is the time between refreshes that do not wait for an event: 0 is
	// a minute where events alone are not to be trusted, and five elsewhere.
	Sweep time.Duration
	// MaxFolders bounds the folders whose events are asked for: the system
	// keeps about a kilobyte for each. 0 is 32,768.
	MaxFolders int
}

const (
	defaultQuiet      = 100 * time.Millisecond
	sweepDoubtful     = time.Minute
	sweepWatched      = 5 * time.Minute
	defaultMaxFolders = 32_768
	heartbeat         = time.Second
	maxPause          = 2 * time.Second
)

// Watch keeps the index current until ctx ends, and answers its error. The
// system's events about the folders below the roots are taken for hints that
// something is to be refreshed, never for what it is: events get lost, and some
// file systems have none. So there is a sweep, a Refresh like any other, now
// and then, and at once when events were lost.
//
// While it watches, other processes may rely on it: see Watched. A refresh that
// fails is told and tried again; only an index that cannot be written ends the
// watch.
func (s *Store) Watch(ctx context.Context, o WatchOptions) error {
	if s.opt.ReadOnly {
		return &Error{Op: "watch", Path: s.opt.Dir, Err: ErrReadOnly}
	}
	w := &watcher{Store: s, o: o, quiet: newAlarm(), late: newAlarm(), rest: newAlarm(), heart: heart{dir: s.dir}}
	w.o.Quiet = cmp.Or(o.Quiet, defaultQuiet)
	w.o.MaxFolders = cmp.Or(o.MaxFolders, defaultMaxFolders)
	defer w.close()
	if err := w.heart.prepare(); err != nil {
		return fault("watch", s.opt.Dir, err)
	}
	if err := w.sweep(ctx); err != nil {
		return err
	}
	return w.run(ctx)
}

// A watcher is one run of Watch. It has one goroutine: while it refreshes, the
// system keeps the events that come.
type watcher struct {
	*Store
	o     WatchOptions
	scope Scope
	heart heart
	tree  *tree

	dirty  bool     // a change may not be in the index yet
	again  bool     // the tree must be built anew
	asks   []string // questions that wait for an answer
	stamp  string   // of the index after the last refresh
	shown  string   // of the index that Refreshed was called for
	report Report   // of the last refresh
	begun  bool     // the first refresh is done
	swept  string   // what was last told of what is not watched
	failed string   // what was last told of a failure

	quiet, late alarm // end the wait for more changes
	rest        alarm // ends the pause after a refresh
	resting     bool
	sinceSweep  time.Duration
}

// An alarm is a timer that may be set while it is set.
type alarm struct{ *time.Timer }

func newAlarm() alarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return alarm{t}
}

func (w *watcher) close() {
	w.tree.close()
	w.heart.close()
}

func (w *watcher) run(ctx context.Context) error {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, ok := <-w.tree.events():
			err = w.event(ctx, event, ok)
		case fault := <-w.tree.errors():
			w.lost(fault)
		case <-w.quiet.C:
			err = w.catchUp(ctx)
		case <-w.late.C:
			err = w.catchUp(ctx)
		case <-w.rest.C:
			w.rested()
		case <-tick.C:
			err = w.tick(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// event takes a hint, or a question of another process.
func (w *watcher) event(ctx context.Context, e fsnotify.Event, ok bool) error {
	if !ok {
		w.lost(errors.New("the system's events have ended"))
		return nil
	}
	if ask, ok := w.heart.asked(e); ok {
		w.asks = append(w.asks, ask)
		if w.dirty || !w.tree.stands() {
			return w.catchUp(ctx)
		}
		w.answer()
		return nil
	}
	switch w.tree.take(ctx, e) {
	case newsNone:
	case newsRules:
		w.again = true
		w.touch()
	case newsFile:
		w.touch()
	}
	return nil
}

// lost has everything looked at anew, because events were lost.
func (w *watcher) lost(err error) {
	if err == nil {
		return
	}
	w.tell("events were lost, everything is looked at anew: " + err.Error())
	w.again = true
	w.touch()
}

// touch notes that a change may not be in the index, and sets the alarms, unless
// there is a pause.
func (w *watcher) touch() {
	first := !w.dirty
	w.dirty = true
	if w.resting {
		return
	}
	w.quiet.Reset(w.o.Quiet)
	if first {
		w.late.Reset(4 * w.o.Quiet)
	}
}

// pause lets others have the machine where a refresh takes long.
func (w *watcher) pause(spent time.Duration) {
	w.resting = true
	w.rest.Reset(min(spent, maxPause))
}

// rested ends the pause.
func (w *watcher) rested() {
	w.resting = false
	if w.dirty {
		w.quiet.Reset(w.o.Quiet)
		w.late.Reset(4 * w.o.Quiet)
	}
}

// tick runs every heartbeat.
func (w *watcher) tick(ctx context.Context) error {
	w.sinceSweep += heartbeat
	stamp, err := w.currentStamp(ctx)
	switch {
	case w.sinceSweep >= w.every():
		return w.sweep(ctx)
	case !w.tree.stands(), err == nil && stamp != w.stamp:
		// A root came or went, or another process wrote what it found, perhaps
		// for other roots.
		return w.catchUp(ctx)
	}
	w.heart.forget()
	w.beat()
	return nil
}

// every is the time between sweeps.
func (w *watcher) every() time.Duration {
	if w.tree.doubtful() > 0 {
		return cmp.Or(w.o.Sweep, sweepDoubtful)
	}
	return cmp.Or(w.o.Sweep, sweepWatched)
}

// sweep asks anew what to watch, and refreshes all of it.
func (w *watcher) sweep(ctx context.Context) error {
	scope, err := w.o.Scope()
	switch {
	case err == nil:
		w.scope = scope
	case !w.begun:
		return err
	default:
		w.tell(err.Error() + "; what was watched is watched on")
	}
	w.again, w.sinceSweep = true, 0
	return w.catchUp(ctx)
}

// catchUp brings the index up to date with every event taken so far. Where the
// tree is built anew, that comes first: what changes before a folder is watched
// is seen by the refresh, what changes later makes an event.
func (w *watcher) catchUp(ctx context.Context) error {
	w.quiet.Stop()
	w.late.Stop()
	if w.again || !w.tree.stands() {
		w.tree.close()
		w.tree = newTree(ctx, w.Store, w.scope.Roots, w.heart.folder(), w.o.MaxFolders)
		w.again = false
	}
	o := w.scope.refresh()
	if !w.begun {
		o.Progress = w.o.Progress
	}
	report, err := w.Refresh(ctx, w.scope.Roots, o)
	if err == nil {
		err = w.settle(ctx, report)
	}
	if errors.Is(err, ErrCorrupt) {
		if report, err = w.Mend(ctx, w.scope.Roots, w.scope.refresh(), err); err == nil {
			err = w.settle(ctx, report)
		}
	}
	for _, notice := range w.Notices() {
		w.tell(notice)
	}
	if err != nil {
		return w.unsettled(ctx, err)
	}
	if err := w.show(report); err != nil {
		return err
	}
	w.beat()
	w.tellTree()
	return nil
}

// settle takes note of how a refresh has left the index, and answers those who
// wait for it.
func (w *watcher) settle(ctx context.Context, report Report) error {
	stamp, err := w.currentStamp(ctx)
	if err != nil {
		return err
	}
	if err := w.tree.neighbours(ctx, w.Store); err != nil {
		return err
	}
	w.tree.doubt(report.Troubles)
	w.dirty, w.failed, w.report, w.stamp = false, "", report, stamp
	w.pause(report.Elapsed)
	w.answer()
	return nil
}

// show hands an index that has changed to whoever watches.
func (w *watcher) show(report Report) error {
	if w.begun && w.stamp == w.shown || w.o.Refreshed == nil {
		return nil
	}
	w.shown = w.stamp
	return w.o.Refreshed(report)
}

// unsettled decides what becomes of a watch whose refresh failed.
func (w *watcher) unsettled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, ErrReadOnly) || errors.Is(err, ErrForeign) {
		return err
	}
	if text := err.Error(); text != w.failed {
		w.failed = text
		w.tell(text + "; watching goes on")
	}
	w.dirty = true
	w.quiet.Reset(maxPause)
	w.beat()
	return nil
}

// tellTree tells what is watched at first, and then what changes of what is not.
func (w *watcher) tellTree() {
	swept := w.tree.swept(w.every())
	text := "watching " + counted(len(w.tree.folders), "folder")
	if swept != "" {
		text += "; " + swept
	}
	if !w.begun || swept != w.swept {
		w.tell(text)
	}
	w.begun, w.swept = true, swept
}

func (w *watcher) tell(text string) {
	if w.o.Tell != nil {
		w.o.Tell(text)
	}
}
