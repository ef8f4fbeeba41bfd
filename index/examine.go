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
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
)

// Remedy is what puts a finding right.
type Remedy string

// The remedies. A finding without one is for the person.
const (
	Refresh Remedy = "refresh" // Store.Refresh
	Rebuild Remedy = "rebuild" // Store.Mend
	Sweep   Remedy = "sweep"   // Store.Sweep
	Narrow  Remedy = "narrow"  // NarrowRights
)

// Finding is something about an index that is not as it should be.
type Finding struct {
	Code   string // damage, drift, source, stale, settings, leftover, rights, slow
	Text   string
	Remedy Remedy
}

// Fact is a fact about an index, for people.
type Fact struct{ Name, Value string }

// Examination is what Examine found out.
type Examination struct {
	Facts    []Fact
	Findings []Finding
}

func (e *Examination) fact(name, format string, args ...any) {
	e.Facts = append(e.Facts, Fact{name, fmt.Sprintf(format, args...)})
}

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

// Examine looks for everything that can be wrong with an index: damage (Check),
// handoffs on disk that are not as they were indexed, files that were left
// behind, settings, rights, and what is slow. deep reads every file again, and
// not a sample. It changes nothing. The error is why it could not be looked at.
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
	for _, step := range []func() error{
		func() error { return s.examineFile(ctx, e) },
		func() error { return s.examineSources(ctx, e, roots, o, deep) },
	} {
		if err := step(); err != nil {
			return nil, store.WrapError("examine index", s.Settings.Dir, err)
		}
	}
	return e, nil
}

// examineLock reports whether a refresh or a watch is at work.
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

// examineFile checks the database as a whole.
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

// examineSettings compares how the database was made with how one is made now.
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

// examineSources compares the handoffs on disk with what is indexed of them.
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
