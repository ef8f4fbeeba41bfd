package index

import (
	"context"
	"errors"
	"strconv"
)

// Mend replaces an index that has shown to be damaged: cause is the error, which
// wraps ErrCorrupt. The file is set aside and a new one is built from the files on
// disk. Mend does not touch an index that another process has replaced meanwhile.
// Errors are those of Refresh.
func (s *Store) Mend(ctx context.Context, roots []Root, o RefreshOptions, cause error) (Report, error) {
	seen := s.generation()
	return s.locked(ctx, func() (Report, error) {
		if name, err := s.dir.current(); err != nil || seen == "" || name == seen {
			if err := s.setAside(cause); err != nil {
				return Report{}, err
			}
		}
		return s.refresh(ctx, roots, o)
	})
}

// SetAside moves a damaged index aside, so that the next refresh builds a new one:
// for a caller who has no time to Mend.
func (s *Store) SetAside(ctx context.Context, cause error) error {
	_, err := s.locked(ctx, func() (Report, error) { return Report{}, s.setAside(cause) })
	return err
}

// Reopen closes the connections to the index, so that what was read through them
// is read again from the file. SQLite reports some passing read errors as damage.
func (s *Store) Reopen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeRead()
}

// setAside renames the file of the generation in use and adds a notice of it.
func (s *Store) setAside(cause error) error {
	if err := s.Reopen(); err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	name, err := s.dir.current()
	if err != nil {
		return err
	}
	aside, err := s.dir.setAside(name)
	if err == nil {
		s.notice("the index was damaged (%v) and is built anew; the old file is %s", cause, aside)
	}
	return err
}

// counted is a number, with commas, of things.
func counted(n int, what string) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if n != 1 {
		what += "s"
	}
	return text + " " + what
}
