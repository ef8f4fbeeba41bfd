package sync

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/search"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// Settings says where an index is and how it behaves.
type Settings struct {
	// Dir is the absolute folder of the index; it is made if need be.
	Dir string
	// Now returns the time from which dates and ages are counted; it is required.
	Now func() time.Time
	// Clock returns the machine's time, which decides whether the state of a file is young. It is
	// needed if Now returns another time; nil is Now.
	Clock func() time.Time
	// Zone is the time zone in which times without a zone were written; nil is UTC. An index built
	// with another zone is rebuilt by the next Refresh.
	Zone *time.Location
	// ReadOnly promises that nothing is written, not even a lock.
	ReadOnly bool
	// Stale is the age from which an open handoff is stale; 0 is 7 days.
	Stale time.Duration
	// Archive is where earlier versions of files are kept.
	Archive archive.Options
	// Program is the name and version of the program. Another program may have other rules of what
	// a handoff is, so its listings of folders are not used.
	Program string
	// Temporary says that the index is thrown away with the process, so that nothing waits for the
	// disk.
	Temporary bool
	// SkipFullText says that nothing will be searched: the full-text tables, which take most of the
	// time of a build, are not made.
	SkipFullText bool
	// LockWait is how long Refresh waits for another one; 0 is 10 s.
	LockWait time.Duration
	// Getenv is os.Getenv or alike; nil is os.Getenv. The environment of git is taken from it.
	Getenv func(string) string
	// Parse reads the documents of a file; nil is parse.Parse.
	Parse func(parse.Source) []*parse.Document
	// Readers is how many searches run at the same time; 0 is 4.
	Readers int
}

// Syncer is an index that can be brought in line with the disk. Its methods may be
// called by several goroutines at once.
type Syncer struct {
	search.Index
	Settings Settings
}

// Open returns the index kept in o.Dir. There may be none yet: the first Refresh creates it, and
// until then queries find nothing.
func Open(o Settings) (*Syncer, error) {
	o.Zone = cmp.Or(o.Zone, time.UTC)
	if o.Clock == nil {
		o.Clock = o.Now
	}
	if o.Parse == nil {
		o.Parse = parse.Parse
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	db, err := store.Open(store.Options{
		Dir: o.Dir, Now: o.Now, Zone: o.Zone, ReadOnly: o.ReadOnly, Temporary: o.Temporary,
		Stale: o.Stale, LockWait: o.LockWait, Readers: o.Readers,
	})
	if db == nil {
		return nil, err
	}
	return &Syncer{Index: search.Index{DB: db}, Settings: o}, err
}

// Report counts what a refresh did. Files counts the files that are handoffs by their path and
// content; Skipped names those whose text could not be indexed, Troubles the roots and folders that
// could not be read (their files stay in the index).
type Report struct {
	Files, Added, Updated, Removed, Unchanged int
	Left                                      int // files that RefreshOptions.Most left to the next one
	Handoffs                                  int
	// Versions counts those of Handoffs that are earlier versions of files, which the other
	// counts leave out.
	Versions int
	Problems int
	Skipped  []discover.Skip
	Troubles []discover.Trouble
	Elapsed  time.Duration
}

// Progress says how many of the files a refresh has handled; Total is 0 while files are still being
// found.
type Progress struct {
	Done, Total int
}

// Mend replaces a damaged index: cause is the error that showed the damage, which wraps ErrCorrupt.
// The file is set aside and a new one is built from the files on disk. Mend does not touch an index
// that another process has replaced meanwhile. Errors are those of Refresh.
func (s *Syncer) Mend(ctx context.Context, roots []discover.Root, o Options, cause error) (Report, error) {
	seen := s.Generation()
	return s.locked(ctx, func() (Report, error) {
		if name, err := s.Dir.Current(); err != nil || seen == "" || name == seen {
			if err := s.MoveAside(cause); err != nil {
				return Report{}, err
			}
		}
		return s.refreshUntilDone(ctx, roots, o)
	})
}

// SetAside moves a damaged index aside, so that the next refresh builds a new one. It is for a
// caller that has no time to Mend.
func (s *Syncer) SetAside(ctx context.Context, cause error) error {
	_, err := s.locked(ctx, func() (Report, error) { return Report{}, s.MoveAside(cause) })
	return err
}
