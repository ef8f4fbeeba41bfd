// Package dump reads index files for tests, so that they can be compared.
package dump

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// An Index is the content of an index file, without what depends on how the index was made.
type Index struct {
	// Rows are the rows of each file by its path, sorted. Under "" are those of
	// no file. Row ids are left out, or replaced by what they name.
	Rows  map[string][]string
	moved map[string]bool // files whose public ids are made from another path
	terms map[string]bool
}

// ofOneRun are the columns, by table, that describe the run that wrote a row, the
// ids that no build from nothing would give out again, and the sums over those.
var ofOneRun = map[string]bool{
	"file.id": true, "file.origin": true, "file.seen_ns": true, "file.folder_id": true, "handoff.id": true,
	"handoff.hid": true, "root.id": true, "root.refreshed_at": true, "project.id": true, "body.id": true,
	"handoff.card_sum": true, "handoff.text_sum": true, "handoff.facts_sum": true,
}

const (
	// ofFile adds to the rows of handoff h the file they belong to.
	ofFile = " LEFT JOIN file f ON f.id = h.file_id"
	// ofHandoff adds to rows with a handoff_id the handoff and its file.
	ofHandoff = " LEFT JOIN handoff h ON h.id = handoff_id" + ofFile
	// unplaced begins the line of a folder that handoffs of a project are in but that the
	// index does not know to be a place of it.
	unplaced = "not in place:"
	// idOf begins the line of a public id.
	idOf = "id of"
)

type listing struct{ name, query string }

// listings are the queries for the rows of a table. owner is the file that a row belongs to. If a
// column occurs twice, the last value counts, so that ids are replaced by names. Tables that are
// not named here are listed as they are.
var listings = []listing{
	{"file", "SELECT path AS owner, *, (SELECT path FROM root WHERE id = root_id) AS root_id, " +
		"iif(version_of = '', ctime_ns, NULL) AS ctime_ns FROM file"}, // how the copy of a version was seen to be unchanged
	{"handoff", "SELECT f.path AS owner, h.*, f.path AS file_id, " +
		"(SELECT root FROM project WHERE id = project_id) AS project_id FROM handoff h" + ofFile},
	{idOf, "SELECT f.path AS owner, h.entry || ' ' || h.hid AS hid FROM handoff h" + ofFile},
	{"attr", "SELECT f.path AS owner, attr.*, h.entry AS handoff_id FROM attr" + ofHandoff},
	{"problem", "SELECT f.path AS owner, problem.*, h.entry AS handoff_id FROM problem" + ofHandoff},
	{"body", "SELECT f.path AS owner, body.*, h.entry AS handoff_id FROM body LEFT JOIN handoff h USING (id)" + ofFile},
	// Which folders are searched is not for the index to say.
	{"root", "SELECT * FROM root WHERE trouble <> ''"},
	{"project", "SELECT * FROM project WHERE id IN (SELECT project_id FROM handoff)"},
	// The other facts describe the run, only grow, or sum up row ids.
	{"state", "SELECT * FROM state WHERE key NOT IN ('refreshed_at', 'date_slack', 'stamp', 'tables', 'archive')"},
	// Table place may contain more than these.
	{unplaced, "SELECT DISTINCT folder.path, project.root FROM handoff h" + ofFile +
		" JOIN folder ON folder.id = f.folder_id JOIN project ON project.id = h.project_id" +
		" WHERE (f.folder_id, h.project_id) NOT IN (SELECT * FROM place)"},
	{"word", "SELECT term, doc, cnt FROM fts_vocab WHERE term NOT GLOB 'x0p*'"},
}

// unlisted are the tables whose rows are not compared: those of the archive, of folders, which are
// only written when that pays, and those that other queries cover.
var unlisted = []string{"archived", "folder", "place", "term"}

// Read reads an index file that no process writes to. The driver "sqlite" must be registered.
func Read(ctx context.Context, path string) (d Index, _ error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_busy_timeout=10000")
	if err != nil {
		return d, err
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(ctx, nil) // one state of it
	if err != nil {
		return d, err
	}
	defer tx.Rollback()
	tables, err := table(ctx, tx,
		"SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
	if err != nil {
		return d, err
	}
	all := slices.Clone(listings)
	for _, t := range tables {
		name := t.Text("name")
		isListed := slices.ContainsFunc(listings, func(l listing) bool { return l.name == name })
		if !isListed && !slices.Contains(unlisted, name) {
			all = append(all, listing{name, `SELECT * FROM "` + name + `"`})
		}
	}
	d.Rows = map[string][]string{}
	for _, l := range all {
		rows, err := table(ctx, tx, l.query)
		if err != nil {
			return d, err
		}
		for _, r := range rows {
			d.Rows[r.Text("owner")] = append(d.Rows[r.Text("owner")], l.name+" "+r.line(l.name))
		}
	}
	for _, lines := range d.Rows {
		slices.Sort(lines)
	}
	if d.moved, err = set(ctx, tx, "SELECT path FROM file WHERE origin <> ''"); err == nil {
		// A build puts the tokens of the column meta into term, and an update does not.
		d.terms, err = set(ctx, tx, "SELECT term FROM term WHERE term NOT GLOB 'x0[cdfgps]*'")
	}
	return d, err
}

// Compare returns how d, an index that was refreshed, differs from one that was built from nothing;
// "" if it does not. Only the refreshed one can know from where files were moved, and it may
// contain words of handoffs that are gone.
func (d Index) Compare(built Index) string {
	var more strings.Builder
	for _, line := range d.Rows[""] {
		if strings.HasPrefix(line, unplaced) {
			more.WriteString(line + "\n")
		}
	}
	for term := range built.terms {
		if !d.terms[term] {
			fmt.Fprintf(&more, "the word %q is missing in term\n", term)
		}
	}
	return cmp.Diff(built.withoutIDs(d.moved), d.withoutIDs(d.moved)) + more.String()
}

// withoutIDs returns the rows without the public ids of the given files.
func (d Index) withoutIDs(moved map[string]bool) map[string][]string {
	rows := maps.Clone(d.Rows)
	for owner := range moved {
		if lines, ok := rows[owner]; ok {
			rows[owner] = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, idOf+" ") })
		}
	}
	return rows
}

// Differs returns the files whose rows differ between d and other; "" stands for the rows of no
// file. Public ids of moved files are ignored.
func (d Index) Differs(other Index) []string {
	a, b := d.withoutIDs(d.moved), other.withoutIDs(d.moved)
	owners := maps.Clone(a)
	maps.Copy(owners, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(owners)), func(owner string) bool {
		return slices.Equal(a[owner], b[owner])
	})
}

// A Row is a row of a query, by the names of its columns.
type Row map[string]any

// Text returns the value of a column that contains text, "" for any other.
func (r Row) Text(column string) string {
	text, _ := r[column].(string)
	return text
}

// projectToken matches the token of the column meta that contains a row id.
var projectToken = regexp.MustCompile(`\bx0p\d+ ?`)

// line returns the row of the table name as text, without its owner and the columns in ofOneRun.
func (r Row) line(name string) string {
	var parts []string
	for column, value := range r {
		if column == "meta" {
			value = projectToken.ReplaceAllString(r.Text(column), "")
		}
		if column != "owner" && !ofOneRun[name+"."+column] {
			parts = append(parts, fmt.Sprintf("%s=%#v", column, value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// Query runs a query on a database file, which it cannot change, and returns the rows.
func Query(ctx context.Context, path, q string) ([]Row, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_query_only=1")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	return table(ctx, db, q)
}

type asker interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

// table runs a query and returns its rows.
func table(ctx context.Context, db asker, q string) ([]Row, error) {
	rows, err := db.QueryContext(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []Row
	for rows.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		r := Row{}
		for i, c := range columns {
			r[c] = values[i]
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// set runs a query and returns the texts in its result.
func set(ctx context.Context, db asker, q string) (map[string]bool, error) {
	rows, err := table(ctx, db, q)
	texts := map[string]bool{}
	for _, r := range rows {
		for column := range r {
			texts[r.Text(column)] = true
		}
	}
	return texts, err
}
