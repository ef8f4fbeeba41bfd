package index

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strconv"
	"time"

	"handex/index/internal/sqlitedb"
	"handex/parse"
	schema "handex/sql"
)

// Status is what the index holds, in numbers. Path is empty and all numbers are
// 0 while there is no index.
type Status struct {
	Path        string // of the database in use
	Bytes       int64
	Schema      int
	SQLite      string // version
	Zone        string // times without a zone were read in it
	RefreshedAt time.Time
	Files       int
	Handoffs    int
	Roots       []RootStatus
	Formats     []Bucket // Values: the format
	Projects    []ProjectStatus
	Problems    []ProblemStatus // worst first
	Skips       []Skip
}

// RootStatus is a root of the index. RefreshedAt is when a refresh of it last
// wrote anything.
type RootStatus struct {
	Path            string
	Files, Handoffs int
	RefreshedAt     time.Time
	Trouble         string
}

// ProjectStatus is a project of the index. Newest is when its newest handoff
// was written.
type ProjectStatus struct {
	Name, Root string
	Handoffs   int
	Newest     time.Time
}

// ProblemStatus is a rule that Handoffs handoffs break, Count times in all.
type ProblemStatus struct {
	Rule            string
	Severity        parse.Severity
	Handoffs, Count int
}

// Status counts what the index holds.
func (s *Store) Status(ctx context.Context) (*Status, error) {
	st := &Status{Schema: schema.Version, RefreshedAt: s.refreshedAt()}
	err := s.transaction(ctx, "read index", func(q *sqlitedb.Queries) error {
		st.Path = s.dir.join(s.generation())
		if info, err := os.Stat(st.Path); err == nil {
			st.Bytes = info.Size()
		}
		return errors.Join(st.countAll(ctx, q), st.list(ctx, q, s.opt.Zone))
	})
	if err != nil {
		return st, unlessEmpty(err)
	}
	db, err := s.reader(ctx)
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&st.SQLite)
	}
	return st, fault("read index", st.Path, err)
}

// refreshedAt is when a refresh last ended well.
func (s *Store) refreshedAt() time.Time {
	info, err := os.Stat(s.dir.lock())
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().In(s.opt.Zone)
}

func (st *Status) countAll(ctx context.Context, q *sqlitedb.Queries) error {
	facts, err := q.Facts(ctx)
	if err != nil {
		return err
	}
	for _, f := range facts {
		switch f.Key {
		case factHandoffs:
			st.Handoffs, _ = strconv.Atoi(f.Value)
		case factZone:
			st.Zone = f.Value
		}
	}
	n, err := q.CountFiles(ctx)
	st.Files = int(n)
	return err
}

func (st *Status) list(ctx context.Context, q *sqlitedb.Queries, zone *time.Location) error {
	at := func(ms int64) time.Time { return time.UnixMilli(ms).In(zone) }
	roots, err := q.CountByRoot(ctx)
	for _, r := range roots {
		st.Roots = append(st.Roots, RootStatus{r.Path, int(r.Files), int(r.Handoffs), at(r.RefreshedAt), r.Trouble})
	}
	formats, err2 := q.CountByFormat(ctx)
	for _, f := range formats {
		st.Formats = append(st.Formats, Bucket{[]string{f.Format}, int(f.N)})
	}
	projects, err3 := q.CountByProject(ctx)
	for _, p := range projects {
		st.Projects = append(st.Projects, ProjectStatus{p.Name, p.Root, int(p.N), at(p.Newest)})
	}
	problems, err4 := q.CountByProblem(ctx)
	for _, p := range problems {
		st.Problems = append(st.Problems, ProblemStatus{p.Rule, parse.Severity(p.Severity), int(p.Handoffs), int(p.N)})
	}
	skips, err5 := q.SkippedFiles(ctx)
	for _, f := range skips {
		st.Skips = append(st.Skips, Skip{f.Path, f.Skip})
	}
	return errors.Join(err, err2, err3, err4, err5)
}

// Check looks for damage: of the database, of the full-text index against the
// text it is of, and of what belongs together. Each string is one fault; none
// means there is none. It reads everything and takes seconds.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	db, err := s.reader(ctx)
	if err != nil {
		return nil, unlessEmpty(err)
	}
	faults, err := lines(ctx, db, "PRAGMA integrity_check(20)")
	if err != nil {
		return nil, fault("check index", s.opt.Dir, err)
	}
	if len(faults) == 1 && faults[0] == "ok" {
		faults = nil
	}
	orphans, err := lines(ctx, db, "SELECT 'row ' || rowid || ' of ' || \"table\" || ' belongs to no ' || parent FROM pragma_foreign_key_check LIMIT 20")
	if err != nil {
		return nil, fault("check index", s.opt.Dir, err)
	}
	drift, err := s.checkFullText(ctx)
	return append(append(faults, orphans...), drift...), err
}

// checkFullText needs a connection that may write, though it writes nothing.
func (s *Store) checkFullText(ctx context.Context) ([]string, error) {
	if s.opt.ReadOnly {
		return nil, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := s.reader(ctx); err != nil {
		return nil, unlessEmpty(err)
	}
	db, err := connect(ctx, s.dir.join(s.generation()), 1, writeDSN...)
	if err != nil {
		return nil, fault("check index", s.opt.Dir, err)
	}
	defer func() { _ = db.Close() }()
	var faults []string
	for _, table := range []string{"fts", "stem"} {
		_, err := db.ExecContext(ctx, "INSERT INTO "+table+" ("+table+", rank) VALUES ('integrity-check', 1)")
		switch {
		case err == nil:
		case errors.Is(causeOf(err), ErrCorrupt):
			faults = append(faults, "the full-text index "+table+" does not agree with its text")
		default:
			return faults, fault("check index", s.opt.Dir, err)
		}
	}
	return faults, nil
}

// lines reads the first column of all rows.
func lines(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		list = append(list, line)
	}
	return list, rows.Err()
}
