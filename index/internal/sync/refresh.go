// Package sync brings an index in line with the handoffs on disk: it reads a snapshot of the index,
// walks the roots, makes a plan from both and executes it.
package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// Options says how a refresh is done.
type Options struct {
	// Full reads every file again, into a new generation.
	Full bool
	// Prune removes the files of roots that vanished or became empty; otherwise they are kept.
	Prune bool
	// Only, if set, is the root of one project, and only its files are looked at: those in it, in
	// its further git work trees, and in the folders of a root, of its handoffs or its
	// .claude/handoffs whose names encode it or a known folder in it. The rest of the index is
	// neither read nor written: if the index would have to be built again, the refresh returns an
	// error, and dates written without a zone are read in the zone of Settings, whatever that of
	// the index is.
	Only string
	// Elsewhere makes a refresh with Only also look at other folders in which the index has
	// handoffs of the project.
	Elsewhere bool
	// Most, if not 0, is how many files a refresh with Only reads at most, the newest first. The
	// others are left to the next refresh. It has no effect if files are gone, as these may have
	// been moved.
	Most int
	// Known are the folders that encoded names may mean (see KnownFolders), Home is the user's home
	// folder, which is no project.
	Known []string
	Home  string
	// Progress, if set, is called from time to time, by one goroutine at a time.
	Progress func(Progress)

	// Coverage, if set, is filled with what the walks looked at.
	Coverage *discover.Coverage
}

// Refresh updates the index from the files in the given roots. What the index contains of other
// roots stays, except for files that were in the given roots too and are gone. The update is one
// step: readers see the state before it until it is complete. Errors wrap ErrBusy if another
// process refreshes for longer than LockWait, ErrReadOnly or ErrFull; then the index is unchanged.
// A damaged index is moved aside and rebuilt, which Notices reports. A refresh of one project
// instead returns ErrCorrupt, or ErrOutdated if the index must be rebuilt.
func (s *Syncer) Refresh(ctx context.Context, roots []discover.Root, o Options) (Report, error) {
	return s.locked(ctx, func() (Report, error) { return s.refreshUntilDone(ctx, roots, o) })
}

// locked calls refresh while it holds the lock. Then it removes old generations, records the time
// of the refresh and sets Elapsed in the report.
func (s *Syncer) locked(ctx context.Context, refresh func() (Report, error)) (Report, error) {
	if s.Settings.ReadOnly {
		return Report{}, &store.Error{Op: "refresh index", Path: s.Settings.Dir, Err: store.ErrReadOnly}
	}
	started := s.Settings.Now()
	if err := s.MakeDir(); err != nil { // it may have been removed since Open
		return Report{}, store.WrapError("refresh index", s.Settings.Dir, err)
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	report, err := refresh()
	if err != nil {
		return Report{}, store.WrapError("refresh index", s.Settings.Dir, err)
	}
	if name, err := s.Dir.Current(); err == nil {
		s.Dir.Sweep(name) // what a build that died left behind
	}
	now := s.Settings.Now()
	_ = os.Chtimes(s.Dir.LockPath(), now, now)
	report.Elapsed = now.Sub(started)
	return report, nil
}

// refresher is the state of one attempt to refresh.
type refresher struct {
	s      *Syncer
	o      Options
	now    time.Time
	clock  time.Time // the machine's, when the refresh began
	zone   string    // what the index must have been built for
	known  string
	loader *loader
	report Report

	snapshot
	build bool // a new generation is made
	// carried are the earlier versions that a build takes over as they are.
	carried map[string]bool
	// archive is what of the archive is taken account of, archiveFolder its folder's
	// state before anything is put into it, archiveNames how many names it held.
	archive       archiveState
	archiveFolder string
	archiveNames  int
	unsure        bool             // some of it could not be read
	undecided     []string         // paths whose versions are to be decided
	archiveTimes  map[string]int64 // mtimes of the copies in it, by name, if it may have changed
	// elsewhere are folders to look at beside those of RefreshOptions.Only.
	elsewhere []string
	// ignore are what no walk enters, beside barred, a folder that could not be put among these.
	ignore     []fsx.FileID
	barred     string
	disks      fsx.Cache
	further    map[string]bool  // folders that are known to be in a further work tree, or not
	projects   map[int64]string // of files, if they may be others now
	recopied   bool             // files are read because other roots are searched for their originals
	shown      int              // files of the last Progress
	plan       plan
	moves      *moves
	histories  map[string]*archive.PathHistory // nil until they are needed
	neighbours deps.Cache

	skip       map[string]error // files that earlier attempts could not read, with the reason: their rows stay
	unread     map[string]error // those that this attempt could not read
	unreadable map[string]bool  // files that could not be read, by path
	written    map[string]bool  // files that were written, by path
	failed     map[string]bool  // paths with an earlier version that could not be read
	reported   map[discover.Trouble]bool
	doubt      error // about the project of a file

	open func() (*writer, error)
	w    *writer // nil until there is something to write
}

// newRefresh returns a refresher without a plan.
func (s *Syncer) newRefresh(o Options) *refresher {
	r := &refresher{s: s, o: o, now: s.Settings.Now(), clock: s.Settings.Clock()}
	r.zone, r.known = store.ZoneFingerprint(s.Settings.Zone), store.Digest(append([]string{o.Home}, o.Known...))
	r.neighbours, r.disks = deps.Cache{}, fsx.Cache{}
	r.facts, r.held, r.earlier = map[string]string{}, map[string]*indexed{}, map[string]*indexed{}
	r.dirs = directories{byPath: map[string]*directory{}, renumbered: map[uint64]uint64{}}
	r.further, r.plan.unread = map[string]bool{}, map[string]bool{}
	r.loader = &loader{
		clock: r.clock.UnixNano(), zone: s.Settings.Zone, projects: finderOf(o.Known, o.Home),
		flight: semaphore.NewWeighted(maxFlight), archive: archive.New(s.Settings.Archive, s.Settings.Now),
		getenv: s.Settings.Getenv, parser: s.Settings.Parse,
		mirror: &mirror{
			home: o.Home, program: s.Settings.Program, clones: map[string]clone{}, folders: map[string]int64{},
		},
	}
	r.skip, r.unread = map[string]error{}, map[string]error{}
	r.reported, r.unreadable = map[discover.Trouble]bool{}, map[string]bool{}
	r.written, r.failed = map[string]bool{}, map[string]bool{}
	return r
}

// refreshUntilDone plans a refresh and executes it. It starts again as a build if so much has changed
// that writing the index from nothing is faster, without the files that a build could not read (then
// their rows are copied), and if the index is damaged: first with new connections, then from nothing.
func (s *Syncer) refreshUntilDone(ctx context.Context, roots []discover.Root, o Options) (Report, error) {
	r := s.newRefresh(o)
	for damaged := 0; ; {
		report, err := r.attempt(ctx, roots)
		next := s.newRefresh(o)
		next.loader.archive = r.loader.archive
		switch {
		case errors.Is(err, errLarge):
			o.Full, next.o.Full = true, true
		case errors.Is(err, errUnread):
			maps.Copy(next.skip, r.skip)
			maps.Copy(next.skip, r.unread)
		case errors.Is(err, store.ErrCorrupt) && damaged == 0:
			damaged++
			if err := s.Reopen(); err != nil && !errors.Is(err, store.ErrCorrupt) {
				return Report{}, err
			}
		case errors.Is(err, store.ErrCorrupt) && damaged == 1 && o.Only == "":
			damaged++
			if err := s.MoveAside(err); err != nil {
				return Report{}, err
			}
		default:
			return report, err
		}
		r = next
	}
}

// attempt plans the refresh and executes it. It returns errLarge or errUnread if the refresh must
// start again.
func (r *refresher) attempt(ctx context.Context, roots []discover.Root) (Report, error) {
	err := r.s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		return r.makePlan(ctx, q, roots)
	})
	if errors.Is(err, store.ErrNoIndex) {
		err = r.makePlan(ctx, nil, roots)
	}
	if err != nil {
		return Report{}, err
	}
	isLarge := r.plan.countChanges() > max(manyChanges, r.countIndexed()/2)
	if isLarge && !r.build && r.o.Only == "" {
		return Report{}, errLarge
	}
	if err := r.apply(ctx); err != nil {
		return Report{}, err
	}
	return r.completeReport(ctx)
}

// errLarge ends a refresh with so many changes that a build is faster.
var errLarge = errors.New("a build is faster")

// errUnread ends a build that found a file it cannot read, while the index that it replaces
// contains something of the file.
var errUnread = errors.New("indexed files cannot be read")

// manyChanges, if they are half of all files too, are read faster by a build: removing a
// handoff from fts costs as much as adding it.
const manyChanges = 1000

// countIndexed returns how many files the index contains, without those that were found by links.
func (r *refresher) countIndexed() (files int) {
	for _, d := range r.dirs.byPath {
		files += d.had
	}
	return files
}

// makePlan compares the disk with the index: it reads a snapshot, walks the roots, and makes the
// plan from both. A nil q means an empty index.
func (r *refresher) makePlan(ctx context.Context, q *sqlitedb.Queries, roots []discover.Root) error {
	r.ignore = r.s.Dir.IDs()
	r.watchArchive()
	r.stock = catalog{store.Uninterrupted(ctx), q}
	scans, err := r.readSnapshot(roots)
	if err != nil {
		return err
	}
	for _, s := range scans {
		if err := r.walk(ctx, s); err != nil {
			return err
		}
	}
	if r.doubt != nil {
		return r.doubt
	}
	for _, step := range []func() error{r.result, r.rereadMoved, r.rereadShared, r.readDetails, r.readVersions} {
		if err := step(); err != nil {
			return err
		}
	}
	maps.Copy(r.unreadable, r.plan.unread)
	r.restoreRoots()
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.traceMoves()
}

// readSnapshot reads the snapshot from the index, decides whether to build a new generation, and
// returns the roots to walk.
func (r *refresher) readSnapshot(roots []discover.Root) ([]*scan, error) {
	r.have = r.stock.q != nil
	if r.have {
		if err := r.readState(); err != nil {
			return nil, err
		}
	}
	moved := r.have && r.facts[store.FactJournal] != r.s.Journal()
	r.build = r.o.Full || !r.have || r.o.Only == "" && (moved || !r.inZone())
	if moved && !r.build {
		return nil, fmt.Errorf("%w: it was created for another kind of file system", store.ErrOutdated)
	}
	scans := r.scans(roots)
	if !r.have {
		return scans, nil
	}
	return scans, r.readFiles(scans)
}

// distinct returns the roots with clean paths. Among roots with the same path it keeps the first.
func distinct(roots []discover.Root) (list []discover.Root) {
	for _, root := range roots {
		root.Path = filepath.Clean(root.Path)
		if !slices.ContainsFunc(list, func(r discover.Root) bool { return r.Path == root.Path }) {
			list = append(list, root)
		}
	}
	return list
}

// scans returns the roots to walk, each with its id in the index. A root that the index does not
// contain gets the next free id.
func (r *refresher) scans(roots []discover.Root) []*scan {
	scope := append(r.o.scopeOf(roots), r.elsewhere...)
	last := int64(0)
	byPath := map[string]sqlitedb.Root{}
	for _, row := range r.roots {
		last = max(last, row.ID)
		byPath[row.Path] = row
	}
	r.loader.roots = distinct(roots)
	// In a further work tree, all roots decide: a copy is no handoff where the main one is searched.
	r.loader.rules = rulesOf(r.loader.roots, r.s.Settings.Program, "all")
	r.loader.mirror.path, r.loader.mirror.roots = mirrorOf(roots), r.loader.roots
	var scans []*scan
	for _, root := range r.loader.roots {
		row, ok := byPath[root.Path]
		if !ok {
			last++
			row.ID = last
		}
		s := &scan{root: root, id: row.ID, was: row.Trouble, known: ok, away: map[string]int{}}
		s.rules, s.treeRules = rulesOf([]discover.Root{root}, r.s.Settings.Program), r.loader.rules
		s.starts, s.part = scope.starts(root)
		for _, rel := range s.starts {
			s.folders = append(s.folders, filepath.Join(root.Path, filepath.FromSlash(rel)))
		}
		if len(s.starts) > 0 {
			scans = append(scans, s)
		}
	}
	return scans
}

// completeReport computes the counts of the report that depend on the whole refresh, adds the files
// that were skipped, and returns it.
func (r *refresher) completeReport(ctx context.Context) (Report, error) {
	rep := &r.report
	rep.Files, rep.Left = r.plan.files, r.plan.postponed
	rep.Removed += len(r.plan.gone)
	rep.Unchanged = rep.Files - rep.Added - rep.Updated - len(rep.Skipped) - rep.Left
	rep.Troubles = append(r.plan.troubles, rep.Troubles...)
	if err := r.loader.archive.Sync(); err != nil {
		rep.Troubles = append(rep.Troubles, discover.Trouble{
			Path:   r.s.Settings.Archive.Dir,
			Reason: "earlier versions are not kept: " + fsx.Reason(err),
		})
	}
	if r.w != nil || len(r.plan.skipped) > 0 {
		err := r.s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
			return errors.Join(r.readFacts(ctx, q), r.listSkipped(ctx, q))
		})
		if err != nil && !errors.Is(err, store.ErrNoIndex) {
			return *rep, err
		}
	}
	for _, s := range r.plan.scans {
		rep.Skipped = append(rep.Skipped, s.walk.Skipped...)
	}
	slices.SortFunc(rep.Skipped, func(a, b discover.Skip) int { return strings.Compare(a.Path, b.Path) })
	for fact, n := range map[string]*int{store.FactHandoffs: &rep.Handoffs, store.FactVersions: &rep.Versions} {
		if text := r.facts[fact]; text != "" {
			var err error
			if *n, err = strconv.Atoi(text); err != nil {
				return *rep, fmt.Errorf("%w: the fact %s is %q", store.ErrCorrupt, fact, text)
			}
		}
	}
	return *rep, nil
}

// readFacts reads the facts that the index records about itself (table state) into r.facts.
func (r *refresher) readFacts(ctx context.Context, q *sqlitedb.Queries) error {
	facts, err := q.Facts(ctx)
	for _, f := range facts {
		r.facts[f.Key] = f.Value
	}
	return err
}

// listSkipped adds the files that an earlier refresh skipped, and that have not changed, to the
// report.
func (r *refresher) listSkipped(ctx context.Context, q *sqlitedb.Queries) error {
	if len(r.plan.skipped) > 0 {
		rows, err := q.FileDetails(ctx, store.NumbersOf(r.plan.skipped, func(c change) int64 { return c.old.id }))
		if err != nil {
			return err
		}
		for _, row := range rows {
			r.report.Skipped = append(r.report.Skipped, discover.Skip{Path: row.Path, Reason: row.Skip})
		}
		r.report.Unchanged -= len(rows)
	}
	return nil
}
