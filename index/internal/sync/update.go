package sync

import (
	"context"
	"crypto/rand"
	"database/sql"
	"slices"
	"strconv"
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	schema "github.com/OWNER/handex/sql"
)

// applyUpdate executes the plan in the current generation, in one transaction. A connection is only
// opened when there is something to write, which is rare.
func (r *refresher) applyUpdate(ctx context.Context) error {
	var db *sql.DB
	var tx *sql.Tx
	defer func() {
		if tx != nil {
			tx.Rollback()
		}
		if db != nil {
			_ = db.Close()
		}
	}()
	r.open = func() (_ *writer, err error) {
		if db, err = r.s.OpenWriter(ctx); err != nil {
			return nil, err
		}
		if tx, err = db.BeginTx(ctx, nil); err != nil {
			return nil, err
		}
		if _, err = tx.ExecContext(ctx, schema.Staging); err != nil {
			return nil, err
		}
		return r.begin(ctx, tx)
	}
	if err := r.run(ctx); err != nil || tx == nil {
		return err
	}
	return tx.Commit()
}

// begin returns a writer for tx. It first writes the rows of the roots and, in an update, deletes
// the files that are gone.
func (r *refresher) begin(ctx context.Context, tx *sql.Tx) (*writer, error) {
	w, err := newWriter(ctx, tx, r.clock.UnixNano(), r.build, r.moves, &r.report)
	if err != nil {
		return nil, err
	}
	for _, s := range r.plan.scans {
		if !s.needsRow() {
			continue
		}
		if err := w.putRoot(ctx, s, r.now); err != nil {
			return nil, err
		}
	}
	if r.build {
		return w, nil
	}
	if len(r.plan.changes) > batchFiles {
		if err := execAll(ctx, tx, setting("hashsize", 16<<20)); err != nil {
			return nil, err
		}
	}
	return w, w.remove(ctx, idsOf(r.plan.gone), true)
}

// putRoot writes the row of the root of a scan, with the time of the refresh.
func (w *writer) putRoot(ctx context.Context, s *scan, now time.Time) error {
	return w.q.PutRoot(ctx, sqlitedb.PutRootParams{
		ID: s.id, Path: s.root.Path, RefreshedAt: now.UnixMilli(),
		Trouble: s.trouble,
	})
}

// needsRow reports whether the index should record a root: one that has never contained a handoff
// and has no troubles is not recorded, unless it is so large that its folders should not be listed
// each time.
func (s *scan) needsRow() bool {
	return s.known || s.found > 0 || s.hasVersions || s.trouble != "" || s.passed >= manyDirectories
}

// pending reports whether there is something to write besides the changed files.
func (r *refresher) pending() bool {
	return r.build || r.archiveNews() || len(r.plan.gone) > 0 || r.facts[store.FactKnown] != r.known ||
		slices.ContainsFunc(r.plan.scans, func(s *scan) bool {
			return s.needsRow() && (!s.known || s.trouble != s.was)
		}) || r.foldersPay()
}

// writer returns the writer of the refresh. The first call opens it.
func (r *refresher) writer() (w *writer, err error) {
	if r.w == nil {
		r.w, err = r.open()
	}
	return r.w, err
}

// run reads and writes the changed files, then the earlier versions of files, then what depends on
// all.
func (r *refresher) run(ctx context.Context) error {
	if err := r.readAndWrite(ctx, r.plan.changes); err != nil {
		return err
	}
	if err := r.syncVersions(ctx); err != nil {
		return err
	}
	if len(r.unread) > 0 {
		return errUnread
	}
	if r.w == nil && !r.pending() {
		return nil
	}
	return r.complete(ctx)
}

// readAndWrite reads the files of changes and writes their outcomes to the index in batches.
func (r *refresher) readAndWrite(ctx context.Context, changes []change) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var batch []*outcome
	size, done := int64(0), 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		w, err := r.writer()
		if err == nil {
			err = w.write(ctx, batch)
		}
		for _, o := range batch {
			if o.version == nil {
				r.written[o.Path] = true
			}
			r.loader.release(o)
		}
		batch, size = batch[:0], 0
		return err
	}
	for o := range r.loader.load(ctx, changes) {
		done++
		r.progress(done, len(changes))
		if o.err != nil {
			return o.err
		}
		o.recheckIfChanged()
		r.noteOutcome(o)
		if !r.changesIndex(o) {
			r.loader.release(o)
			continue
		}
		batch, size = append(batch, o), size+o.size
		if len(batch) >= batchFiles || size >= batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.unread) > 0 {
		return errUnread
	}
	return flush()
}

// progress reports to the caller that done of total files are read, about 100 times in all.
func (r *refresher) progress(done, total int) {
	if r.o.Progress != nil && (done%max(1, total/100) == 0 || done == total) {
		r.o.Progress(Progress{Done: done, Total: total})
	}
}

// noteOutcome adds the outcome of a file to the report: what was skipped, removed or could not be
// read.
func (r *refresher) noteOutcome(o *outcome) {
	r.addTrouble(o.missed...)
	if o.version != nil {
		r.noteVersion(o)
		return
	}
	switch o.kind {
	case unread:
		r.unreadable[o.Path] = true
		if !o.isKnown() {
			r.report.Skipped = append(r.report.Skipped, discover.Skip{Path: o.Path, Reason: o.skip()})
			return
		}
		r.addTrouble(discover.NewTrouble(o.Path, o.reason))
		if r.build {
			r.unread[o.Path] = o.reason
		}
	case rejected:
		r.report.Skipped = append(r.report.Skipped, discover.Skip{Path: o.Path, Reason: o.skip()})
	case lost:
		r.plan.files--
		if o.old != nil {
			r.report.Removed++
		}
	case parsed, same:
	}
}

// noteVersion is noteOutcome for an earlier version. A version with a wrong checksum is treated as
// lost.
func (r *refresher) noteVersion(o *outcome) {
	if o.kind == parsed {
		return
	}
	r.failed[o.version.Origin] = true
	switch o.kind {
	case unread:
		r.unreadable[o.Path] = true
		if r.build && o.old != nil {
			r.unread[o.Path] = o.reason
		}
		r.addTrouble(discover.NewTrouble(o.Path, o.reason))
	case rejected:
		o.kind = lost
		r.addTrouble(discover.NewTrouble(o.Path, o.reason))
	case parsed, same, lost:
	}
}

// isKnown reports whether the index contains handoffs of the file.
func (o *outcome) isKnown() bool { return o.old != nil && !o.old.skipped }

// changesIndex reports whether an outcome has to be written to the index.
func (r *refresher) changesIndex(o *outcome) bool {
	switch o.kind {
	case unread:
		return !o.isKnown() && o.version == nil
	case lost:
		return o.old != nil && !r.build
	case same:
		// A look that is as young as the last one settles nothing.
		isYoung := o.old.same(o.stat) && o.stat.IsYoung(r.clock.UnixNano())
		return o.moved || o.isElsewhere() || !isYoung
	case parsed, rejected:
	}
	return true
}

// isElsewhere reports whether the file belongs to another root or folder than before.
func (c *change) isElsewhere() bool {
	return c.old != nil && (c.old.root != c.scan.id || c.old.dir.number() != c.dir.number())
}

// addTrouble adds troubles to the report, each once.
func (r *refresher) addTrouble(list ...discover.Trouble) {
	for _, t := range list {
		if !r.reported[t] {
			r.reported[t] = true
			r.report.Troubles = append(r.report.Troubles, t)
		}
	}
}

// recheckIfChanged marks the file's directory so that the next refresh compares the file again,
// unless the file was parsed in the state in which the walk saw it.
func (o *outcome) recheckIfChanged() {
	o.stat.Mode, o.Stat.Mode = 0, 0
	if o.dir != nil && (o.kind != parsed && o.kind != same || o.stat != o.Stat) {
		o.dir.states, o.dir.dirty = "", true
	}
}

// complete writes what depends on all handoffs together: which are the latest and which are
// standing, the words, the directories and the facts about the refresh.
func (r *refresher) complete(ctx context.Context) error {
	w, err := r.writer()
	if err != nil {
		return err
	}
	if err := w.putMarks(ctx); err != nil {
		return err
	}
	if !r.s.Settings.SkipFullText {
		if err := w.putWords(ctx); err != nil {
			return err
		}
	}
	if err := r.putDirectories(ctx, w); err != nil {
		return err
	}
	for _, f := range r.plan.gone {
		if r.loader.archive.On() && r.pathHistories()[f.path] != nil {
			r.loader.archive.DropHistory(f.path)
		}
	}
	if !r.build && len(r.plan.changes) > batchFiles {
		if err := execAll(ctx, w.tx, daySettings()...); err != nil {
			return err
		}
	}
	n, err := r.counted(ctx, store.FactHandoffs, w.more, w.q.CountHandoffs)
	if err != nil {
		return err
	}
	earlier, err := r.counted(ctx, store.FactVersions, w.moreVersions, w.q.CountVersions)
	if err != nil {
		return err
	}
	before, _ := strconv.ParseInt(r.facts[store.FactSlack], 10, 64)
	facts := []sqlitedb.PutFactParams{
		{Key: store.FactZone, Value: r.zoneToStore(w)},
		{Key: store.FactKnown, Value: r.knownToStore()},
		{Key: store.FactRefreshed, Value: strconv.FormatInt(r.now.UnixMilli(), 10)},
		{Key: store.FactHandoffs, Value: strconv.FormatInt(n, 10)},
		{Key: store.FactVersions, Value: strconv.FormatInt(earlier, 10)},
		{Key: store.FactArchive, Value: r.archiveFact()},
		{Key: store.FactSlack, Value: strconv.FormatInt(max(w.slack, before), 10)},
		{Key: store.FactStamp, Value: rand.Text()},
	}
	if r.build {
		tables, err := w.tables(ctx)
		if err != nil {
			return err
		}
		facts = append(facts, sqlitedb.PutFactParams{Key: store.FactTables, Value: tables},
			sqlitedb.PutFactParams{Key: store.FactJournal, Value: r.s.Journal()})
	}
	for _, f := range facts {
		if err := w.q.PutFact(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// zoneToStore returns the fact about the time zone. If files of one project were read in another
// zone than the rest, the fact makes the next refresh of all read all files again.
func (r *refresher) zoneToStore(w *writer) string {
	switch {
	case r.build || r.inZone():
		return r.s.Settings.Zone.String() + " " + r.zone
	case len(w.touched) == 0:
		return r.facts[store.FactZone]
	}
	return store.SeveralZones
}

// knownToStore returns the fact about known folders. If other folders are known now and a file
// could not be read, the fact is "", which makes the next refresh look up the projects again.
func (r *refresher) knownToStore() string {
	if named := r.facts[store.FactKnown]; named != "" && named != r.known && len(r.unreadable) > 0 {
		return ""
	}
	return r.known
}

// tables returns a digest of the schema of all tables in the database.
func (w *writer) tables(ctx context.Context) (string, error) {
	var list string
	err := w.tx.QueryRowContext(ctx, store.TableList).Scan(&list)
	return store.Digest([]string{list}), err
}

// counted returns how many handoffs of a kind the index contains: in an update the recorded fact
// plus more, in a build the result of count, which takes longer than to write one handoff.
func (r *refresher) counted(ctx context.Context, fact string, more int64, count func(context.Context) (int64,
	error),
) (int64, error) {
	if before, err := strconv.ParseInt(r.facts[fact], 10, 64); err == nil && !r.build {
		return before + more, nil
	}
	return count(ctx)
}
