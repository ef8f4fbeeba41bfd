package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	schema "github.com/OWNER/handex/sql"
)

// Check looks for damage: in the database file, of rows against their checksums, of the full-text
// index against its text, and of references between tables. It returns a line for each fault, none
// if there is no fault. It reads everything and takes seconds. The error says why the index could
// not be checked. If another process replaces the index meanwhile, the new one is checked.
func (s *DB) Check(ctx context.Context) ([]string, error) {
	faults, err := s.check(ctx)
	for tries := 0; tries < 2 && errors.Is(err, ErrNoIndex); tries++ {
		faults, err = s.check(ctx)
	}
	return faults, IgnoreNoIndex(err)
}

// check runs all checks on the current generation and returns their faults.
func (s *DB) check(ctx context.Context) ([]string, error) {
	var faults []string
	for _, check := range []func(context.Context) ([]string, error){
		s.checkPages, s.checkOrphans, s.checkRows, s.checkFullText, s.checkLookup,
	} {
		found, err := check(ctx)
		faults = append(faults, found...)
		switch err := WrapError("check index", s.Options.Dir, err); {
		case errors.Is(err, ErrNoIndex):
			return nil, err
		case errors.Is(err, ErrCorrupt):
			faults = append(faults, err.Error())
		case err != nil:
			return faults, err
		}
	}
	return slices.Compact(faults), nil
}

// checkPages returns the faults that SQLite's integrity check finds. It opens its own connection:
// the check of full-text tables uses what a connection has cached, which can be older than the file
// after a search.
func (s *DB) checkPages(ctx context.Context) ([]string, error) {
	if _, err := s.Reader(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	db, err := s.openRead(ctx, s.name)
	s.mu.Unlock()
	if err != nil {
		return nil, s.orRemoved(err)
	}
	defer func() { _ = db.Close() }()
	faults, err := ReadStrings(ctx, db, "PRAGMA integrity_check(20)")
	err = s.orRemoved(err)
	if len(faults) == 1 && faults[0] == "ok" {
		faults = nil
	}
	return faults, err
}

// checkOrphans returns up to 20 rows whose parent row in another table is missing.
func (s *DB) checkOrphans(ctx context.Context) ([]string, error) {
	db, err := s.Reader(ctx)
	if err != nil {
		return nil, err
	}
	return ReadStrings(ctx, db,
		"SELECT 'row ' || coalesce(rowid, '') || ' of ' || \"table\" || ' belongs to no ' || parent FROM "+
			"pragma_foreign_key_check LIMIT 20")
}

// maxFaults bounds how many damaged handoffs are listed one by one.
const maxFaults = 20

// checkRows checks the checksums of every handoff, and that each has a text, and returns the
// faults.
func (s *DB) checkRows(ctx context.Context) ([]string, error) {
	var faults []string
	err := s.ReadTx(ctx, "check index", func(tx sqlitedb.DBTX) error {
		q := sqlitedb.New(tx)
		ids, err := q.HandoffIDs(ctx)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(ids, SnippetBatch) {
			if err := CheckAll(ctx, q, part); err == nil {
				continue
			} else if !errors.Is(err, ErrCorrupt) {
				return err
			}
			for _, id := range part {
				err := CheckAll(ctx, q, []int64{id})
				if err != nil && len(faults) < maxFaults {
					faults = append(faults, err.Error())
				}
			}
		}
		strays, err := q.StrayFacts(ctx)
		for _, id := range strays {
			faults = append(faults, fmt.Sprintf("%v: metadata of handoff %d, which does not exist", ErrCorrupt, id))
		}
		return err
	})
	return faults, err
}

// checkFullText checks that the full-text tables match their text, and returns the faults. It needs
// a connection that may write, though it writes nothing, so a read-only index is not checked.
func (s *DB) checkFullText(ctx context.Context) ([]string, error) {
	if s.Options.ReadOnly {
		return nil, nil
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := s.Reader(ctx); err != nil {
		return nil, err
	}
	db, err := s.OpenWriter(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	var faults []string
	for _, table := range []string{"fts", "stem", "part"} {
		_, err := db.ExecContext(ctx, "INSERT INTO "+table+" ("+table+", rank) VALUES ('integrity-check', 1)")
		switch {
		case err == nil:
		case errors.Is(causeOf(unnamed(err)), ErrCorrupt):
			faults = append(faults, "the full-text index "+table+" does not match its text")
		default:
			return faults, err
		}
	}
	return faults, nil
}

// everyTerm is how many words checkLookup passes over: less than a page holds.
const everyTerm = 16

// checkLookup searches for words of the full-text tables and returns a fault for each table that
// does not find all of them. The check of fts5 itself reads the words in order, and does not notice
// missing entries of the pages that lead to them.
func (s *DB) checkLookup(ctx context.Context) ([]string, error) {
	var faults []string
	err := s.ReadTx(ctx, "check index", func(tx sqlitedb.DBTX) error {
		for _, c := range []struct{ table, words, count string }{
			{"fts", "SELECT term, doc FROM fts_vocab", "SELECT count(*) FROM fts WHERE fts MATCH ?"},
			{"stem", "SELECT term, 1 FROM plain_term", "SELECT count(*) > 0 FROM stem WHERE stem MATCH ?"},
		} {
			missed, err := missedWords(ctx, tx, c.words, c.count)
			if err != nil {
				return err
			}
			if missed > 0 {
				faults = append(faults, fmt.Sprintf("the full-text index %s does not find %s that it contains", c.table,
					CountOf(missed, "word")))
			}
		}
		return nil
	})
	return faults, err
}

// missedWords searches for every 16th word that the query words returns, and counts those for which
// the query count returns another number than expected.
func missedWords(ctx context.Context, tx sqlitedb.DBTX, words, count string) (missed int, err error) {
	list, err := tx.QueryContext(ctx, words)
	if err != nil {
		return 0, err
	}
	defer list.Close()
	look, err := tx.PrepareContext(ctx, count)
	if err != nil {
		return 0, err
	}
	defer func() { _ = look.Close() }()
	for n := 0; list.Next(); n++ {
		var word string
		var want, have int
		if err := list.Scan(&word, &want); err != nil {
			return 0, err
		}
		if n%everyTerm != 0 {
			continue
		}
		if err := look.QueryRowContext(ctx, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`).Scan(&have); err != nil {
			return 0, err
		}
		if have != want {
			missed++
		}
	}
	return missed, list.Err()
}

// ReadStrings runs query and returns the first column of all rows.
func ReadStrings(ctx context.Context, db *sql.DB, query string) ([]string, error) {
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

// identify returns an error unless db is an index with this schema: ErrForeign for a file of
// another program, ErrCorrupt for a damaged index. A file with our tables is an index whatever its
// header says; files of other programs are never moved.
func identify(ctx context.Context, db *sql.DB) error {
	ctx = Uninterrupted(ctx)
	var app, version, pages int
	for _, fact := range []struct {
		pragma string // plain statements: as table-valued functions they cost ten times as much to prepare
		into   *int
	}{
		{"PRAGMA application_id", &app}, {"PRAGMA user_version", &version}, {"PRAGMA page_count", &pages},
	} {
		if err := db.QueryRowContext(ctx, fact.pragma).Scan(fact.into); err != nil {
			return unnamed(err)
		}
	}
	switch {
	case pages == 0:
		return fmt.Errorf("%w: the file is empty", ErrCorrupt)
	case app != ApplicationID && !hasOurTables(ctx, db):
		return ErrForeign
	case app != ApplicationID || version != schema.Version:
		return fmt.Errorf("%w: schema %d of application %#x in a file of schema %d", ErrCorrupt, version, app, schema.Version)
	}
	return checkTables(ctx, db)
}

// unnamed wraps a general SQLite error in ErrCorrupt. It is for errors in reading the header or the
// list of tables: those statements are right, so such an error means damage.
func unnamed(err error) error {
	var driver *sqlite.Error
	if errors.As(err, &driver) && driver.Code()&0xff == sqlite3.SQLITE_ERROR {
		return fmt.Errorf("%w (%w)", ErrCorrupt, err)
	}
	return err
}

// hasOurTables reports whether a database has the main tables of an index.
func hasOurTables(ctx context.Context, db *sql.DB) bool {
	var n int
	err := db.QueryRowContext(ctx,
		"SELECT count(*) FROM sqlite_schema WHERE name IN ('handoff', 'body', 'fts', 'stem')").Scan(&n)
	return err == nil && n == 4
}

// TableList is a query for everything SQLite knows about the tables.
const TableList = "SELECT group_concat(concat_ws(' ', type, name, tbl_name, rootpage, sql), char(10)) FROM " +
	"sqlite_schema"

// checkTables returns ErrCorrupt if the tables differ from those that were created: if only one
// letter changed in how words are split, every search would find something else.
func checkTables(ctx context.Context, db *sql.DB) error {
	var made, list sql.NullString
	err := db.QueryRowContext(ctx, "SELECT (SELECT value FROM state WHERE key = ?), ("+TableList+")",
		FactTables).Scan(&made, &list)
	if err != nil {
		return unnamed(err)
	}
	if made.String != Digest([]string{list.String}) {
		return fmt.Errorf("%w: the tables differ from those that were created", ErrCorrupt)
	}
	return nil
}

// diagnose adds ErrCorrupt to an error of a query if the cause is damage. An error that already has
// a known cause is returned as it is. Otherwise the file is checked, because a query of a user can
// also be too much for SQLite.
func diagnose(ctx context.Context, db *sql.DB, err error) error {
	var driver *sqlite.Error
	switch {
	case causeOf(err) != nil || ctx.Err() != nil:
		return err
	case errors.As(err, &driver) && (driver.Code()&0xff == sqlite3.SQLITE_IOERR ||
		driver.Code()&0xff == sqlite3.SQLITE_INTERRUPT):
		return err
	}
	found, checkErr := ReadStrings(ctx, db, "PRAGMA quick_check(1)")
	switch {
	case checkErr == nil && len(found) == 1 && found[0] == "ok":
		return err
	case checkErr != nil && !errors.Is(unnamed(checkErr), ErrCorrupt) && !errors.Is(causeOf(checkErr), ErrCorrupt):
		return err
	}
	return fmt.Errorf("%w (%w)", ErrCorrupt, err)
}
