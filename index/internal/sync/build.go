package sync

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	schema "github.com/OWNER/handex/sql"
)

// loadSettings returns the fts settings for a build: fts writes a segment for each 6 MiB of
// postings, which the caches of a processor hold better than more, and merges none before all are
// written: half the time of a build would go into merging. pgsz stays: its blobs fill four pages of
// the database.
func loadSettings() []string {
	return []string{
		setting("pgsz", 8130), setting("hashsize", 6<<20), setting("automerge", 0), setting("crisismerge", 1000),
	}
}

// daySettings returns the fts settings for updates of single handoffs; with those of loadSettings,
// one update in sixty would rewrite the index.
func daySettings() []string {
	return []string{setting("hashsize", 1<<20), setting("automerge", 4), setting("crisismerge", 16)}
}

// setting returns the SQL statement that sets an fts setting to value, or runs an fts command with
// value.
func setting(name string, value int) string {
	return fmt.Sprintf("INSERT INTO fts (fts, rank) VALUES ('%s', %d)", name, value)
}

// execAll executes statements in order and returns the first error.
func execAll(ctx context.Context, db sqlitedb.DBTX, statements ...string) error {
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// apply executes the plan: it fills a new generation or updates the current one.
func (r *refresher) apply(ctx context.Context) error {
	if r.build {
		return r.applyBuild(ctx)
	}
	return r.applyUpdate(ctx)
}

// applyBuild creates and fills the next generation and makes it the current one.
func (r *refresher) applyBuild(ctx context.Context) (err error) {
	name, err := r.s.Dir.Next()
	if err != nil {
		return err
	}
	old, err := r.s.Dir.Current()
	if err != nil && !errors.Is(err, store.ErrNoIndex) {
		return err
	}
	if err := r.s.Dir.Create(name); err != nil {
		return err
	}
	path := r.s.Dir.Join(name)
	err = r.fillNew(ctx, path, old)
	if err == nil {
		err = r.s.Convert(ctx, path)
	}
	if err != nil {
		r.s.Dir.Sweep(old)
		return err
	}
	return r.s.Publish(name)
}

// fillNew makes the database file of a new generation at path and fills it: with the rows of old
// that are kept, and with all files that the plan reads.
func (r *refresher) fillNew(ctx context.Context, path, old string) error {
	db, err := store.OpenNew(path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	// The full-text tables come last: see fillFullText.
	err = execAll(ctx, db, fmt.Sprint("PRAGMA application_id = ", store.ApplicationID),
		fmt.Sprint("PRAGMA user_version = ", schema.Version), schema.Schema)
	if err != nil {
		return err
	}
	if r.have {
		if _, err := db.ExecContext(ctx, "ATTACH ? AS old", r.s.Dir.Join(old)); err != nil {
			return err
		}
	}
	err = inTransaction(ctx, db, func(tx *sql.Tx) error {
		if err := r.copyKept(ctx, tx); err != nil {
			return err
		}
		r.open = func() (*writer, error) { return r.begin(ctx, tx) }
		return r.run(ctx)
	})
	return errors.Join(err, db.Close())
}

// fillFullText makes the full-text tables from table body. That is done last, and by 'rebuild',
// because fts writes a segment of its own for each id that is not above the last one, and files are
// not read in the order of time.
func fillFullText(ctx context.Context, tx sqlitedb.DBTX) error {
	statements := slices.Concat([]string{schema.FullText}, loadSettings(),
		[]string{"INSERT INTO fts (fts) VALUES ('rebuild')"}, daySettings())
	if err := execAll(ctx, tx, statements...); err != nil {
		return err
	}
	if err := mergeLoaded(ctx, tx); err != nil {
		return err
	}
	return execAll(ctx, tx, "INSERT INTO term (term) SELECT term FROM fts_vocab",
		"INSERT INTO stem (stem) VALUES ('rebuild')", "INSERT INTO part (part) VALUES ('rebuild')", schema.Triggers)
}

// mergeLoaded merges all that a build loaded into one segment on the fourth level of fts, which
// small updates do not reach for long. On the level where it was loaded, the sixteenth single
// update would rewrite it. Each merge writes one level up, and a merge of all writes above all
// levels if there are segments on several: therefore a small merge comes first. The rows that are
// inserted to make segments for these merges are deleted at once.
func mergeLoaded(ctx context.Context, tx sqlitedb.DBTX) error {
	const row, withdrawal = "INSERT INTO fts (rowid, title) VALUES (0, 'x')", "INSERT INTO fts (fts, rowid, title) " +
		"VALUES ('delete', 0, 'x')"
	err := execAll(ctx, tx, setting("usermerge", 2), row, withdrawal, setting("merge", 1), row, withdrawal)
	if err != nil {
		return err
	}
	if err := mergeAll(ctx, tx); err != nil {
		return err
	}
	return execAll(ctx, tx, setting("usermerge", 4))
}

// mergePages is how many pages of postings one step of mergeAll writes, about 2 MB. The pages
// that it has read are free for the next step and the tables of words, which need more: a
// large step would leave a part of the file unused.
const mergePages = 256

// mergeAll merges all segments of fts into one, as 'optimize' does, but in many small steps.
func mergeAll(ctx context.Context, tx sqlitedb.DBTX) error {
	changes := func() (n int64, err error) {
		return n, tx.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
	}
	pages := -mergePages // a negative number begins a merge of all segments
	for {
		before, err := changes()
		if err != nil {
			return err
		}
		if err := execAll(ctx, tx, setting("merge", pages)); err != nil {
			return err
		}
		after, err := changes()
		if err != nil || after-before < 2 { // the statement itself counts as one change
			return err
		}
		pages = mergePages
	}
}

// copyKept copies the rows of kept files (those that were not looked for or could not be seen) from
// the old generation. If the time zone has changed, their dates are wrong, so they get size -1 and
// are read again when they can be.
func (r *refresher) copyKept(ctx context.Context, tx *sql.Tx) error {
	if !r.have {
		return nil
	}
	_, err := tx.ExecContext(ctx, "CREATE TEMP TABLE kept AS SELECT value AS id FROM json_each(?)",
		store.NumberList(r.plan.kept))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, schema.Carry); err != nil {
		return fmt.Errorf("copy from the old index: %w", err)
	}
	if !r.inZone() {
		_, err = tx.ExecContext(ctx, "UPDATE file SET size = -1")
	}
	return err
}

// inTransaction runs f in a transaction, which is committed if f returns nil and rolled back
// otherwise.
func inTransaction(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// inZone reports whether the index was built in the time zone of this refresh. The recorded fact is
// the zone's name for people, then its fingerprint, which is compared.
func (r *refresher) inZone() bool {
	was := r.facts[store.FactZone]
	return was[strings.LastIndexByte(was, ' ')+1:] == r.zone
}
