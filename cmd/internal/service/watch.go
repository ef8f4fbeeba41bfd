package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/OWNER/handex/index"
)

// scope returns the roots and known folders for a watch.
func (v *View) scope() index.Scope {
	return index.Scope{Roots: v.roots, Known: v.knownFolders(), Home: v.opt.Home}
}

// Watch keeps the open index current until ctx ends. Before each look at all folders it
// reads the user's settings again. It sets the Scope of the options itself.
func (s *Service) Watch(ctx context.Context, o index.WatchOptions) error {
	refreshed := o.Refreshed
	o.Scope = s.newScope
	o.Refreshed = func(report index.Report) error {
		s.report = report
		return refreshed(report)
	}
	return s.store.Watch(ctx, o)
}

// newScope reads the configuration again and returns the roots and known folders that a
// watch keeps current from now on.
func (s *Service) newScope() (index.Scope, error) {
	next := View{opt: s.opt, watches: true}
	roots, err := next.Roots()
	if err != nil {
		return index.Scope{}, err
	}
	if _, err := next.Settings(); err != nil {
		return index.Scope{}, err
	}
	s.settings, s.known, s.roots = next.settings, next.knownFolders(), roots
	return s.scope(), nil
}

// Temporary reports whether the open index is one that lasts only as long as the Service.
func (s *Service) Temporary() bool { return s.temp != "" }

// A Live answers many requests at once from one index, which a watch keeps current.
type Live struct {
	*Options
	service   *Service // the watch's, once that runs
	view      atomic.Pointer[View]
	changes   atomic.Uint64
	repairing sync.RWMutex // while one request repairs the index no other reads it
	acking    sync.Mutex   // one request at a time writes acknowledgements
}

// GoLive opens the index for the given number of concurrent readers, refreshes it, and
// returns a Live that answers from it. After that, only Close of the Service may be called.
func (s *Service) GoLive(ctx context.Context, readers int, progress func(index.Progress)) (*Live, error) {
	s.readers = readers
	err := s.OpenAsIs(ctx)
	switch {
	case err != nil:
	case s.refreshes():
		err = s.refresh(ctx, index.RefreshOptions{Progress: progress})
	default:
		err = s.requireIndex()
	}
	if err != nil {
		return nil, err
	}
	if err := s.mirrorAcks(ctx); err != nil {
		return nil, err
	}
	s.knownFolders() // a View that is shared finds nothing by itself
	l := &Live{Options: s.opt, service: s}
	l.publish()
	return l, nil
}

// publish makes later requests answer from the present state of the Service.
func (l *Live) publish() {
	v := l.service.View
	l.view.Store(&v)
	l.changes.Add(1)
}

// Generation returns a number that changes whenever answers can change.
func (l *Live) Generation() uint64 { return l.changes.Load() }

// Changed is called when the acknowledgements in the index have changed, so that
// Generation changes.
func (l *Live) Changed() { l.changes.Add(1) }

// Follow keeps the index current until ctx ends. It calls note with each note for the user.
func (l *Live) Follow(ctx context.Context, note func(string)) {
	s := l.service
	if s.opt.NoRefresh || s.frozen != "" {
		return
	}
	err := s.Watch(ctx, index.WatchOptions{Tell: note, Refreshed: func(index.Report) error {
		err := s.mirrorAcks(ctx)
		for _, text := range s.Notes() {
			note(text)
		}
		if err == nil {
			l.publish()
		}
		return err
	}})
	if err != nil && ctx.Err() == nil {
		note(err.Error() + "; the pages are no longer updated")
	}
}

// Do runs operation on a view of the current index. If the index turns out to be damaged,
// operation runs once more, and if that fails too, the index is rebuilt and operation runs
// again.
func (l *Live) Do(ctx context.Context, operation func(*View) error) error {
	v := l.view.Load()
	l.repairing.RLock()
	err := operation(v)
	l.repairing.RUnlock()
	if !errors.Is(err, index.ErrCorrupt) {
		return err
	}
	l.repairing.Lock()
	defer l.repairing.Unlock()
	// Another request may have repaired it.
	if err = operation(v); !errors.Is(err, index.ErrCorrupt) {
		return err
	}
	// However long that takes: each request has less time than a large index needs.
	if _, err := v.mend(context.WithoutCancel(ctx), err); err != nil {
		return err
	}
	return operation(v)
}

// Ack acknowledges a handoff with a note, or with undo removes its acknowledgements. That
// there are none to remove is no error.
func (l *Live) Ack(ctx context.Context, id, note string, undo bool) error {
	l.acking.Lock()
	defer l.acking.Unlock()
	defer l.changes.Add(1)
	return l.Do(ctx, func(v *View) error {
		_, err := v.writeAck(ctx, []string{id}, note, undo)
		if err == nil {
			_, err = v.copyAcks(ctx)
		}
		return err
	})
}
