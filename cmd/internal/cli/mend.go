package cli

import (
	"errors"

	"handex/index"
)

// whole runs a command that answers from the index. Where that turns out to be
// damaged it runs again: with the file read anew, since some passing read errors
// look like damage, and then with a new index. It does not where part of an
// answer has been written.
func (a *app) whole(run func() error) error {
	before := a.out.written
	err := run()
	for _, cure := range []func(error) error{a.reread, a.mend} {
		if !errors.Is(err, index.ErrCorrupt) || a.store == nil || a.out.written != before {
			return err
		}
		if failed := cure(err); failed != nil {
			return failed
		}
		err = run()
	}
	return err
}

// reread closes the index, whatever closing a damaged file says.
func (a *app) reread(error) error {
	if err := a.store.Reopen(); !errors.Is(err, index.ErrCorrupt) {
		return err
	}
	return nil
}

// mend puts a new index in the place of a damaged one, or where none can be
// written there, one for this run.
func (a *app) mend(cause error) error {
	s := a.store
	report, err := s.Mend(a.ctx, s.roots, index.RefreshOptions{Known: a.known(), Home: a.env.Home}, cause)
	for _, notice := range s.Notices() {
		a.note(notice)
	}
	switch {
	case err == nil:
		s.report = report
		return nil
	case s.scratch != "" || !recoverable(err):
		return err
	}
	a.note("the index is damaged (" + cause.Error() + ")")
	if failed := a.openScratch(err.Error()); failed != nil {
		return errors.Join(err, failed)
	}
	a.flags.NoRefresh = false
	return nil
}

// recoverable reports whether an answer can do without writing to the index.
func recoverable(err error) bool {
	return errors.Is(err, index.ErrBusy) || errors.Is(err, index.ErrFull) || errors.Is(err, index.ErrReadOnly)
}
