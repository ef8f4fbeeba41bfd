package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"handex/index"
)

// A hurry is a look at one project for somebody who waits, up to the deadline of
// the run. First the index is brought up to date as far as the project goes. What
// stands in the way of that (another process that writes, damage, a full disk, too
// much to read) must not stand in the way of an answer: then the newest handoffs of
// the project are read into an index for this run, and if that fails, too, the index
// answers as it is.
type hurry struct {
	*app
	options index.RefreshOptions
}

const (
	// mostFiles is how many files are read; the others are left to the next runs.
	mostFiles = 256
	// busyPart is for how large a part of the time another process is waited for.
	busyPart = 10
)

// newHurry is a look at the project that a folder is in.
func newHurry(a *app, dir string) *hurry {
	root := cmp.Or(a.project(dir), dir)
	if !filepath.IsAbs(root) {
		root = dir
	}
	a.dir = dir
	a.folders = index.KnownFoldersOf(a.rootEnv(), root)
	a.lockWait = max(time.Millisecond, a.left()/busyPart)
	return &hurry{a, index.RefreshOptions{Only: root, Elsewhere: true, Most: mostFiles, Known: a.folders, Home: a.env.Home}}
}

// left is how much time there is.
func (a *app) left() time.Duration {
	deadline, ok := a.ctx.Deadline()
	if !ok {
		return time.Minute
	}
	return time.Until(deadline)
}

// A reading reads what somebody waits for, and reports whether there is anything.
type reading func(*index.Store) (found bool, err error)

// gather reads from the first index that can be had.
func (h *hurry) gather(read reading) error {
	late := h.fromIndex(read)
	if errors.Is(late, index.ErrCorrupt) && h.store != nil && h.reread(late) == nil {
		if late = h.fromIndex(read); errors.Is(late, index.ErrCorrupt) {
			// What is too damaged for it every refresh comes by.
			_ = h.store.SetAside(h.ctx, late)
		}
	}
	if late == nil || !isOfIndex(late) || h.ctx.Err() != nil {
		return late
	}
	kept := h.store
	err := h.fromScratch(read)
	if err == nil {
		h.note(late.Error() + "; the newest handoffs of the project are read anew for this run")
		if kept != nil {
			_ = kept.Close() // what is wrong with it was told
		}
		return nil
	}
	if kept == nil {
		return late
	}
	err = h.store.Close()
	h.store = kept
	found := false
	if err = errors.Join(err, h.mirrorAcks()); err == nil {
		found, err = read(kept.Store)
	}
	if err != nil || !found {
		return late
	}
	h.note(late.Error() + "; this is from the index as it was")
	return nil
}

// isOfIndex reports whether an error is of the index, and not of what was asked.
func isOfIndex(err error) bool {
	_, ok := errors.AsType[*index.Error](err)
	return ok
}

// fromIndex takes half of the time.
func (h *hurry) fromIndex(read reading) error {
	asIs := h.flags.NoRefresh
	s, err := h.openAsIs()
	if err != nil {
		return err
	}
	switch {
	case s.frozen != "":
		return &index.Error{Op: "refresh index", Err: errors.New(s.frozen)}
	case !asIs || s.scratch != "":
		err = h.refreshIn(h.left() / 2)
	}
	if err == nil {
		err = h.mirrorAcks()
	}
	if err != nil {
		return err
	}
	_, err = read(s.Store)
	return err
}

// fromScratch takes two thirds of what is left.
func (h *hurry) fromScratch(read reading) error {
	roots, err := h.roots()
	if err != nil {
		return err
	}
	h.store = &store{roots: roots}
	if err := h.makeScratch(true); err != nil {
		return err
	}
	if err := h.refreshIn(h.left() * 2 / 3); err != nil {
		return err
	}
	if err := h.mirrorAcks(); err != nil {
		return err
	}
	_, err = read(h.store.Store)
	return err
}

// refreshIn brings the open index up to date for the project, within a time.
func (h *hurry) refreshIn(patience time.Duration) error {
	ctx, stop := context.WithTimeout(h.ctx, patience)
	defer stop()
	report, err := h.store.Refresh(ctx, h.store.roots, h.options)
	if err != nil {
		if ctx.Err() != nil && h.ctx.Err() == nil {
			err = &index.Error{Op: "refresh index", Err: errors.New("it takes longer than there is time for")}
		}
		return err
	}
	h.took(report)
	if report.Left > 0 {
		h.note(fmt.Sprintf("%d older files of the project are left to the next time", report.Left))
	}
	return nil
}
