package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"handex/cmd/internal/save"
	"handex/index"
)

// store is the index of this run, and how it is.
type store struct {
	*index.Store
	roots   []index.Root
	report  index.Report
	archive string // where earlier versions are kept, "" if they are not
	scratch string // folder of an index that lasts as long as the run
	frozen  string // why the index answers as it is, "" if it need not
}

// Close closes the index.
func (s *store) Close() error {
	var err error
	if s.Store != nil {
		err = s.Store.Close()
	}
	if s.scratch != "" {
		err = errors.Join(err, os.RemoveAll(s.scratch))
	}
	return err
}

// open opens the index and, unless told not to, brings it up to date. Where
// that cannot be, the index answers as it is, and the person is told.
func (a *app) open() (*store, error) {
	s, err := a.openAsIs()
	if err != nil {
		return nil, err
	}
	if err := a.catchUp(s); err != nil {
		return s, err
	}
	return s, a.mirrorAcks()
}

// catchUp brings the index up to date, unless it is or need not be.
func (a *app) catchUp(s *store) error {
	if a.flags.NoRefresh && s.scratch == "" {
		return nil
	}
	if report, ok := s.Watched(a.ctx, index.Scope{Roots: s.roots, Known: a.known(), Home: a.env.Home}); ok {
		s.report = report
		return nil
	}
	return a.refresh(index.RefreshOptions{})
}

// openAsIs opens the index without looking at any handoff. Where no index can
// be written, one that is there is read, or else one is made for this run.
func (a *app) openAsIs() (*store, error) {
	if a.store != nil {
		return a.store, nil
	}
	roots, err := a.roots()
	if err != nil {
		return nil, err
	}
	options, err := a.indexOptions()
	if err != nil {
		return nil, err
	}
	a.store = &store{roots: roots, archive: options.Archive.Dir}
	reason := "there is no folder for the index"
	if options.Dir != "" {
		reason = options.Dir + " cannot be written"
		if a.store.Store, err = a.openKept(options); err != nil {
			a.store = nil
			return nil, err
		}
	}
	if a.store.Store == nil {
		if err := a.openScratch(reason); err != nil {
			a.store = nil
			return nil, err
		}
	}
	return a.store, nil
}

func (a *app) indexOptions() (index.Options, error) {
	c, err := a.config()
	if err != nil {
		return index.Options{}, err
	}
	dir := a.flags.Index
	switch {
	case dir != "":
		dir = a.env.abs(dir)
	case a.env.CacheHome != "":
		dir = filepath.Join(a.env.CacheHome, "handex")
	}
	o := index.Options{Dir: dir, Now: a.env.Now, Zone: a.env.Zone, Stale: c.StaleAfter, Program: build().Version, Readers: a.readers, LockWait: a.lockWait, Getenv: a.env.Getenv}
	if !a.flags.NoArchive && !isOn(a.env.Getenv("HANDEX_NO_ARCHIVE")) {
		o.Archive = c.Archive
		o.Archive.Clock = a.env.Clock
	}
	return o, nil
}

// openKept opens the index that outlives the run; nil if there can be none.
func (a *app) openKept(options index.Options) (*index.Store, error) {
	if !save.Writable(options.Dir) {
		return a.openToRead(options)
	}
	s, err := index.Open(a.ctx, options)
	if errors.Is(err, index.ErrReadOnly) {
		return a.openToRead(options)
	}
	return s, err
}

// openToRead opens an index that cannot be written; nil if there is none, or
// one that is damaged.
func (a *app) openToRead(options index.Options) (*index.Store, error) {
	options.ReadOnly = true
	s, err := index.Open(a.ctx, options)
	if err != nil {
		return nil, err
	}
	status, err := s.Status(a.ctx)
	switch {
	case errors.Is(err, index.ErrForeign):
		return nil, errors.Join(err, s.Close())
	case err != nil:
		a.note(err.Error())
		return nil, s.Reopen()
	case status.Path == "":
		return nil, s.Close()
	}
	a.flags.NoRefresh = true
	a.store.frozen = options.Dir + " cannot be written"
	if a.lockWait == 0 {
		a.note(a.store.frozen + "; the answer is from the index as it is")
	}
	return s, nil
}

// refresh brings the open index up to date. A search can go on without.
func (a *app) refresh(o index.RefreshOptions) error {
	s := a.store
	o.Home = a.env.Home
	if o.Known == nil {
		o.Known = a.known()
	}
	report, err := s.Refresh(a.ctx, s.roots, o)
	for _, notice := range s.Notices() {
		a.note(notice)
	}
	switch {
	case recoverable(err) && s.scratch == "":
		status, statusErr := s.Status(a.ctx)
		if statusErr != nil || status.Path == "" {
			if failed := a.openScratch(err.Error()); failed != nil {
				return errors.Join(err, failed)
			}
			return a.refresh(o)
		}
		a.note(err.Error() + "; the answer is from the index as it was " + a.options().Date(status.RefreshedAt, "minute"))
		return nil
	case err != nil:
		return err
	}
	a.took(report)
	return nil
}

// took notes what a refresh came to.
func (a *app) took(report index.Report) {
	a.store.report = report
	for _, t := range report.Troubles {
		if t.Path == a.store.archive {
			a.note(t.Path + ": " + t.Reason)
		}
	}
}

// warn tells, in a line each, what an answer may lack.
func (a *app) warn(stale []index.Trouble) {
	stale = append(slices.Clip(stale), a.missed(stale)...)
	if len(stale) > 0 {
		list := make([]string, len(stale))
		for i, t := range stale {
			list[i] = t.Path + " (" + t.Reason + ")"
		}
		const shown = 3
		more := ""
		if len(list) > shown {
			more = fmt.Sprintf(" and %d more", len(list)-shown)
		}
		a.say("warning: could not be read, so what is known of it is from before: " + strings.Join(list[:min(len(list), shown)], ", ") + more)
	}
	if n := len(a.store.report.Skipped); n == 1 {
		a.note("1 file could not be indexed; handex status tells why")
	} else if n > 1 {
		a.note(fmt.Sprintf("%d files could not be indexed; handex status tells why", n))
	}
}

// missed lists what this run could not read, save for what the roots tell.
func (a *app) missed(stale []index.Trouble) []index.Trouble {
	return slices.DeleteFunc(slices.Clone(a.store.report.Troubles), func(t index.Trouble) bool {
		return slices.ContainsFunc(stale, func(s index.Trouble) bool { return s.Path == t.Path || strings.HasPrefix(s.Reason, t.Path+": ") })
	})
}

// warnStale is warn for an answer that does not know by itself what it lacks.
func (a *app) warnStale() error {
	stale, err := a.store.Stale(a.ctx, a.store.roots)
	if err != nil {
		return err
	}
	a.warn(stale)
	return nil
}

// staleness is why what is known of a file is from before, "" if it is not.
func (a *app) staleness(path string) (string, error) {
	stale, err := a.store.Stale(a.ctx, a.store.roots)
	for _, t := range stale {
		if rel, relErr := filepath.Rel(t.Path, path); relErr == nil && filepath.IsLocal(rel) {
			return t.Reason, err
		}
	}
	return "", err
}

// abs resolves a path a person gave.
func (e Env) abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && e.Home != "" {
		path = filepath.Join(e.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.WorkDir, path)
	}
	return filepath.Clean(path)
}
