package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	schema "github.com/OWNER/handex/sql"
)

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
