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

// Check finds damage: of the database, of the rows against their sums, of the full-text
// index against the text it is of, and of what belongs together. Each string is one
// fault; none means there is none. It reads everything and takes seconds. The error is
// why the index could not be looked at. If another process replaces the index meanwhile,
// the new one is checked.
func (s *DB) Check(ctx context.Context) ([]string, error) {
	faults, err := s.check(ctx)
	for tries := 0; tries < 2 && errors.Is(err, ErrNoIndex); tries++ {
		faults, err = s.check(ctx)
	}
	return faults, IgnoreNoIndex(err)
}

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

// checkPages uses a connection of its own: the full-text tables are checked by what a
// connection remembers of them, which an earlier search may have left behind the file.
func (s *DB) checkPages(ctx context.Context) ([]string, error) {
	if _, err := s.Reader(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	db, err := s.openRead(ctx, s.name)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	faults, err := ReadStrings(ctx, db, "PRAGMA integrity_check(20)")
	err = s.orRemoved(err)
	if len(faults) == 1 && faults[0] == "ok" {
		faults = nil
	}
	return faults, err
}

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

// checkRows checks the sums of every handoff, and that each has a text.
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

// checkFullText needs a connection that may write, though it writes nothing.
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

// checkLookup checks that words are found. fts5's own check reads all words one after
// the other, and what leads to them only as far as it is there.
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

// missedWords counts the words, of those it tries, that are not found as often
// as they should be.
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

// ReadStrings reads the first column of all rows.
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

// identify makes sure that a database is an index of this schema. A file with
// our tables is ours whatever its header says: of others' files nothing is
// ever moved.
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

// unnamed returns what an error in reading the header or the list of tables amounts to:
// the statements are right, so what SQLite has no other name for is damage.
func unnamed(err error) error {
	var driver *sqlite.Error
	if errors.As(err, &driver) && driver.Code()&0xff == sqlite3.SQLITE_ERROR {
		return fmt.Errorf("%w (%w)", ErrCorrupt, err)
	}
	return err
}

func hasOurTables(ctx context.Context, db *sql.DB) bool {
	var n int
	err := db.QueryRowContext(ctx,
		"SELECT count(*) FROM sqlite_schema WHERE name IN ('handoff', 'body', 'fts', 'stem')").Scan(&n)
	return err == nil && n == 4
}

// TableList is everything SQLite knows of the tables.
const TableList = "SELECT group_concat(concat_ws(' ', type, name, tbl_name, rootpage, sql), char(10)) FROM " +
	"sqlite_schema"

// checkTables compares the tables with those that were made: with one letter
// changed in how words are split, every answer would be another.
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

// diagnose finds out whether an error that has no name comes of damage. The
// statements are known to be right, but what people ask can be too much for
// SQLite, so the file has the last word.
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
