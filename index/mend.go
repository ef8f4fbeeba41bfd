package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"

	"handex/index/internal/sqlitedb"
)

// Mend replaces an index that has shown to be damaged: cause is the error, which
// wraps ErrCorrupt. The file is moved aside and a new one is built, which Notices
// tells. What the old one holds of roots that cannot be read now is taken over
// as far as it is whole. Mend does not touch an index that another process has
// replaced meanwhile. Errors are those of Refresh.
func (s *Store) Mend(ctx context.Context, roots []Root, o RefreshOptions, cause error) (Report, error) {
	seen := s.generation()
	return s.locked(ctx, func() (Report, error) {
		if name, err := s.dir.current(); err == nil && seen != "" && name != seen {
			return s.refresh(ctx, roots, o)
		}
		return s.replace(ctx, roots, o, cause)
	})
}

// Condemn has the next refresh of all do what Mend does, for somebody who came by
// damage and has no time for it: a search does not come by all that is damaged.
func (s *Store) Condemn(ctx context.Context, cause error) error {
	const op = "note damage"
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.reader(ctx); err != nil {
		return fault(op, s.opt.Dir, err)
	}
	db, err := connect(ctx, s.dir.join(s.generation()), 1, s.writeDSN()...)
	if err != nil {
		return fault(op, s.opt.Dir, err)
	}
	put := sqlitedb.PutFactParams{Key: factDamage, Value: cause.Error()}
	return fault(op, s.opt.Dir, errors.Join(sqlitedb.New(db).PutFact(ctx, put), db.Close()))
}

// Reopen forgets the connections to the index: what was read through them is
// read again from the file. SQLite reports some passing read errors as damage.
func (s *Store) Reopen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeRead()
}

// rebuild is for a refresh that has met damage: the file gets a second chance.
func (s *Store) rebuild(ctx context.Context, roots []Root, o RefreshOptions, cause error) (Report, error) {
	if err := s.Reopen(); err != nil && !errors.Is(err, ErrCorrupt) {
		return Report{}, err
	}
	report, err := s.refresh(ctx, roots, o)
	if !errors.Is(err, ErrCorrupt) || o.Only != "" {
		return report, err
	}
	return s.replace(ctx, roots, o, cause)
}

// replace moves the generation in use aside and builds a new one.
func (s *Store) replace(ctx context.Context, roots []Root, o RefreshOptions, cause error) (Report, error) {
	if err := s.Reopen(); err != nil && !errors.Is(err, ErrCorrupt) {
		return Report{}, err
	}
	name, err := s.dir.current()
	if err != nil {
		return Report{}, err
	}
	aside, err := s.dir.setAside(name)
	if err != nil {
		return Report{}, err
	}
	s.notice("the index was damaged (%v) and is built anew; the old file is %s", cause, aside)
	report, err := s.refreshFrom(ctx, aside, roots, o)
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, ErrFull), errors.Is(err, ErrReadOnly):
		return report, err
	}
	// What is wrong with the old file is no reason to have no new one.
	return s.refresh(ctx, roots, o)
}

// refreshFrom is refresh with a file that was moved aside in the place of the
// index.
func (s *Store) refreshFrom(ctx context.Context, path string, roots []Root, o RefreshOptions) (Report, error) {
	o.Full = true
	return s.attempt(ctx, o, func(r *refresh) error {
		db, err := connect(ctx, path, 1, readDSN("rw")...)
		if err != nil {
			return fault("open index", path, err)
		}
		defer func() { _ = db.Close() }()
		r.have, r.old = true, path
		err = within(ctx, db, func(tx *sql.Tx) error {
			q := sqlitedb.New(tx)
			if err := r.compare(ctx, q, roots); err != nil {
				return err
			}
			if r.moves != nil {
				r.moves.gone = nil // a path that is damaged looks like a file that moved
			}
			return r.sift(ctx, q)
		})
		return fault("read index", path, errors.Join(err, db.Close()))
	})
}

// sift leaves out of what is taken over the files with a damaged handoff.
func (r *refresh) sift(ctx context.Context, q *sqlitedb.Queries) error {
	whole := r.plan.kept[:0]
	for _, file := range r.plan.kept {
		list, err := q.HandoffsOfFiles(ctx, numberList([]int64{file}))
		if err != nil {
			return err
		}
		ids := make([]int64, len(list))
		for i, h := range list {
			ids[i] = h.ID
		}
		switch err := checkAll(ctx, q, ids); {
		case err == nil:
			whole = append(whole, file)
		case !errors.Is(err, ErrCorrupt):
			return err
		}
	}
	if lost := len(r.plan.kept) - len(whole); lost > 0 {
		r.s.notice("%s that cannot be read now could not be saved", counted(lost, "file"))
	}
	r.plan.kept = slices.Clip(whole)
	return nil
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
