package index

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/search"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
	schema "github.com/OWNER/handex/sql"
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
	Versions    int    // of Handoffs, those of earlier versions of files
	Archive     string // where the contents of those are kept; "" if they are not
	Roots       []RootStatus
	Formats     []search.Bucket // Values: the format
	Projects    []ProjectStatus
	Problems    []ProblemStatus // worst first
	Skips       []discover.Skip
	Watch       *WatchState // nil if nobody watches
}

// RootStatus is a root of the index. Files are those that are in it, Handoffs
// counts earlier versions too. RefreshedAt is when a refresh of it last
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

// Status counts what the index has of all roots that were ever searched.
func (s *Store) Status(ctx context.Context) (*Status, error) { return s.StatusOf(ctx, nil) }

// StatusOf counts what the index has of roots; nil are all.
func (s *Store) StatusOf(ctx context.Context, roots []string) (*Status, error) {
	st := &Status{
		Schema: schema.Version, RefreshedAt: s.RefreshedAt(), Watch: s.WatchState(ctx),
		Archive: s.Settings.Archive.Dir,
	}
	err := s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		st.Path = s.Dir.Join(s.Generation())
		if info, err := os.Stat(st.Path); err == nil {
			st.Bytes = info.Size()
		}
		facts, err := q.Facts(ctx)
		for _, f := range facts {
			if f.Key == store.FactZone {
				st.Zone = f.Value
			}
		}
		return errors.Join(err, st.count(ctx, q, roots, s.Settings.Zone))
	})
	if err != nil {
		return st, store.IgnoreNoIndex(err)
	}
	db, err := s.Reader(ctx)
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&st.SQLite)
	}
	return st, store.WrapError("read index", st.Path, err)
}

func (st *Status) count(ctx context.Context, q *sqlitedb.Queries, among []string, zone *time.Location) error {
	at := func(ms int64) time.Time { return time.UnixMilli(ms).In(zone) }
	roots, err := q.CountByRoot(ctx)
	var ids []int64
	for _, r := range roots {
		if !search.IsAmong(r.Path, among) {
			continue
		}
		ids = append(ids, r.ID)
		st.Roots = append(st.Roots, RootStatus{r.Path, int(r.Files), int(r.Handoffs), at(r.RefreshedAt), r.Trouble})
		st.Files, st.Handoffs, st.Versions = st.Files+int(r.Files), st.Handoffs+int(r.Handoffs), st.Versions+int(r.Versions)
	}
	of := store.NumberList(ids)
	formats, err2 := q.CountByFormat(ctx, of)
	for _, f := range formats {
		st.Formats = append(st.Formats, search.Bucket{Values: []string{f.Format}, Count: int(f.N)})
	}
	projects, err3 := q.CountByProject(ctx, of)
	for _, p := range projects {
		st.Projects = append(st.Projects, ProjectStatus{p.Name, p.Root, int(p.N), at(p.Newest)})
	}
	problems, err4 := q.CountByProblem(ctx, of)
	for _, p := range problems {
		st.Problems = append(st.Problems, ProblemStatus{p.Rule, parse.Severity(p.Severity), int(p.Handoffs), int(p.N)})
	}
	skips, err5 := q.SkippedFiles(ctx, of)
	for _, f := range skips {
		st.Skips = append(st.Skips, discover.Skip{Path: f.Path, Reason: f.Skip})
	}
	return errors.Join(err, err2, err3, err4, err5)
}
