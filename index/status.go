package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/search"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
	"github.com/OWNER/handex/parse"
	schema "github.com/OWNER/handex/sql"
)

// A Status is what the index contains, in numbers. Path is empty and all numbers are 0 while there
// is no index.
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

// RootStatus is a root of the index. Files counts the files in the root, Handoffs also their
// earlier versions. RefreshedAt is when a refresh of the root last wrote anything.
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

// Status returns the status of the whole index, with all roots that were ever searched.
func (s *Store) Status(ctx context.Context) (*Status, error) { return s.StatusOf(ctx, nil) }

// StatusOf returns the status of the index, counting only what belongs to roots; nil means all.
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

// count sets the numbers of st. They count only the roots whose paths are among the given ones; nil
// means all.
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

// A Remedy is the action that corrects a finding.
type Remedy string

// The remedies. A finding without one is for the person.
const (
	Refresh Remedy = "refresh" // Store.Refresh
	Rebuild Remedy = "rebuild" // Store.Mend
	Sweep   Remedy = "sweep"   // Store.Sweep
	Narrow  Remedy = "narrow"  // NarrowRights
)

// A Finding is something wrong with an index.
type Finding struct {
	Code   string // damage, drift, source, stale, settings, leftover, rights, slow
	Text   string
	Remedy Remedy
}

// A Fact is a fact about an index, for people.
type Fact struct{ Name, Value string }

// An Examination is the result of Examine.
type Examination struct {
	Facts    []Fact
	Findings []Finding
}

// fact adds a fact with a formatted value.
func (e *Examination) fact(name, format string, args ...any) {
	e.Facts = append(e.Facts, Fact{name, fmt.Sprintf(format, args...)})
}

// find adds a finding with a formatted text.
func (e *Examination) find(code string, remedy Remedy, format string, args ...any) {
	e.Findings = append(e.Findings, Finding{code, fmt.Sprintf(format, args...), remedy})
}

const (
	// maxLog is how long a write-ahead log may be after a refresh: twice the
	// size to which it is cut.
	maxLog = 32 << 20
	// slowProbe is how long the simplest question may take.
	slowProbe = 500 * time.Millisecond
	// named is how many files a finding names.
	named = 3
)

// Examine looks for everything that can be wrong with an index: damage (Check), handoffs on disk
// that differ from the index, files that were left behind, settings, rights, and what is slow. deep
// reads every file again instead of a sample. It changes nothing. The error says why the index
// could not be examined.
func (s *Store) Examine(ctx context.Context, roots []discover.Root, o sync.Options, deep bool) (*Examination, error) {
	e := &Examination{}
	s.examineLock(ctx, e)
	leftovers, err := s.Dir.Leftovers()
	if err != nil {
		return nil, store.WrapError("examine index", s.Settings.Dir, err)
	}
	for _, path := range leftovers {
		e.find("leftover", Sweep, "%s is a leftover", path)
	}
	for _, path := range store.Exposed(s.Settings.Dir) {
		e.find("rights", Narrow, "other users can access %s", path)
	}
	if _, err := s.Dir.Current(); errors.Is(err, store.ErrNoIndex) {
		e.find("drift", Refresh, "%v", store.ErrNoIndex)
		return e, nil
	}
	damage, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	for _, text := range damage {
		e.find("damage", Rebuild, "%s", text)
	}
	if len(damage) > 0 {
		return e, nil
	}
	if err = s.examineFile(ctx, e); err == nil {
		err = s.examineSources(ctx, e, roots, o, deep)
	}
	if err != nil {
		return nil, store.WrapError("examine index", s.Settings.Dir, err)
	}
	return e, nil
}

// examineLock adds the facts whether a refresh or a watch is running.
func (s *Store) examineLock(ctx context.Context, e *Examination) {
	f := flock.New(s.Dir.LockPath(), flock.SetFlag(os.O_RDONLY))
	ok, err := f.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.fact("lock", "none yet")
	case err != nil:
		e.fact("lock", "%v", err)
	case ok:
		e.fact("lock", "free")
		_ = f.Close()
	default:
		e.fact("lock", "locked: the index is being refreshed")
	}
	if w := s.WatchState(ctx); w != nil {
		e.fact("watch", "process %d, for changes in %d folders", w.PID, w.Folders)
	} else {
		e.fact("watch", "none")
	}
}

// examineFile adds facts and findings about the size and speed of the database, and about its
// settings.
func (s *Store) examineFile(ctx context.Context, e *Examination) error {
	before := s.Settings.Now()
	status, err := s.Status(ctx)
	if err != nil {
		return err
	}
	took := s.Settings.Now().Sub(before)
	e.fact("index", "%s", status.Path)
	e.fact("size", "%d bytes", status.Bytes)
	if info, err := os.Stat(status.Path + "-wal"); err == nil {
		e.fact("log", "%d bytes", info.Size())
		if info.Size() > maxLog {
			e.find("slow", Rebuild, "the log has grown to %d bytes", info.Size())
		}
	}
	e.fact("handoffs", "%d in %d files", status.Handoffs, status.Files)
	e.fact("probe", "%d ms", took.Milliseconds())
	if took > slowProbe {
		e.find("slow", Rebuild, "counting the handoffs took %d ms", took.Milliseconds())
	}
	return s.examineSettings(ctx, e)
}

// examineSettings adds the settings with which the database was created, and a finding for each
// that a new database would not have.
func (s *Store) examineSettings(ctx context.Context, e *Examination) error {
	db, err := s.Reader(ctx)
	if err != nil {
		return err
	}
	want := s.Journal()
	if !s.Disk.SharedMemory {
		e.fact("folder", "on %s: without a write-ahead log", s.Disk.Name)
	}
	for _, c := range []struct{ name, query, want string }{
		{"journal", "PRAGMA journal_mode", strings.ToLower(want)},
		{"page size", "PRAGMA page_size", fmt.Sprint(store.PageSize)},
		{"full text", "SELECT group_concat(k || '=' || v, ' ') FROM (SELECT k, v FROM fts_config ORDER BY k)", ""},
	} {
		list, err := store.ReadStrings(ctx, db, c.query)
		if err != nil {
			return err
		}
		got := strings.Join(list, " ")
		e.fact(c.name, "%s", got)
		if c.want != "" && got != c.want {
			e.find("settings", Rebuild, "%s is %s, not %s", c.name, got, c.want)
		}
	}
	return nil
}

// examineSources adds findings for the handoffs on disk that differ from the index.
func (s *Store) examineSources(ctx context.Context, e *Examination, roots []discover.Root, o sync.Options,
	deep bool,
) error {
	d, err := s.Drift(ctx, roots, o, deep)
	if err != nil {
		return err
	}
	e.drift("new", d.New)
	e.drift("changed", d.Changed)
	e.drift("gone", d.Gone)
	for _, t := range d.Troubles {
		e.find("stale", "", "%s: %s", t.Path, t.Reason)
	}
	e.fact("read again", "%d files", d.Read)
	for _, path := range d.Differing {
		e.find("source", Rebuild, "%s differs from the index, although its size and times do not", path)
	}
	return nil
}

// drift adds one finding about files that are new, changed or gone, as how says, and names the
// first of them.
func (e *Examination) drift(how string, paths []string) {
	if len(paths) == 0 {
		return
	}
	slices.Sort(paths)
	more := ""
	if n := len(paths) - named; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	e.find("drift", Refresh, "%s since the last refresh: %s%s", how, strings.Join(paths[:min(len(paths), named)], ", "),
		more)
}
