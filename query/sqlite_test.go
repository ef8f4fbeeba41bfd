package query_test

import (
	"cmp"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"modernc.org/sqlite"

	"github.com/OWNER/handex/query"
	schema "github.com/OWNER/handex/sql"
)

// register gives the driver the functions of compiled queries, once a process.
var register = sync.OnceValue(func() error {
	for _, f := range query.Functions() {
		err := sqlite.RegisterDeterministicScalarFunction(f.Name, int32(f.NArgs), func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			plain := make([]any, len(args))
			for i, a := range args {
				plain[i] = a
			}
			return f.Func(plain)
		})
		if err != nil {
			return err
		}
	}
	return nil
})

// openIndex makes an empty index in memory.
func openIndex(tb testing.TB) *sql.DB {
	tb.Helper()
	if err := register(); err != nil {
		tb.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1) // each connection to :memory: is a database of its own
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	for _, text := range []string{schema.Schema, schema.FullText, schema.Triggers} {
		if _, err := db.Exec(text); err != nil {
			tb.Fatal(err)
		}
	}
	insertRow(tb, db, "root", map[string]any{"id": 1, "path": "/"})
	return db
}

// row is a handoff of a test. Missing values are empty. Attrs are "name=value"
// or "name=value=note", problems "severity rule".
type row struct {
	id       int64 // 0: made from date
	hid      string
	date     string // RFC 3339, or a day
	project  string // root
	name     string // of the project; "" is the last part of its root
	declared string
	path     string
	format   string
	fields   map[string]any // other columns of handoff
	body     map[string]string
	attrs    []string
	problems []string
	acked    bool
}

// insertRow inserts into any table; a column not given is empty, 0 or NULL.
func insertRow(tb testing.TB, db *sql.DB, table string, values map[string]any) int64 {
	tb.Helper()
	var names, marks []string
	var args []any
	for _, column := range tableColumns(tb, db, table) {
		v, given := values[column.name]
		switch {
		case given:
		case column.key || !column.required:
			continue
		case column.kind == "TEXT":
			v = ""
		default:
			v = 0
		}
		names, marks, args = append(names, column.name), append(marks, "?"), append(args, v)
	}
	result, err := prepared(tb, db, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")").Exec(args...)
	if err != nil {
		tb.Fatalf("%s: %v", table, err)
	}
	id, _ := result.LastInsertId()
	return id
}

type statementKey struct {
	db   *sql.DB
	text string
}

// A statement was prepared, which costs more than what it does. It ends with its
// database.
type statement struct{ *sql.Stmt }

var statements sync.Map

func prepared(tb testing.TB, db *sql.DB, text string) statement {
	tb.Helper()
	key := statementKey{db, text}
	if known, ok := statements.Load(key); ok {
		return known.(statement)
	}
	made, err := db.Prepare(text)
	if err != nil {
		tb.Fatal(err)
	}
	statements.Store(key, statement{made})
	return statement{made}
}

type tableColumn struct {
	name, kind    string
	required, key bool
}

// columnsOf are the columns of each table, asked for once.
var columnsOf sync.Map

func tableColumns(tb testing.TB, db *sql.DB, table string) []tableColumn {
	tb.Helper()
	if known, ok := columnsOf.Load(table); ok {
		return known.([]tableColumn)
	}
	rows, err := db.Query("SELECT name, type, \"notnull\", pk = 1 AND type = 'INTEGER' FROM pragma_table_info(?)", table)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	var list []tableColumn
	for rows.Next() {
		var c tableColumn
		if err := rows.Scan(&c.name, &c.kind, &c.required, &c.key); err != nil {
			tb.Fatal(err)
		}
		list = append(list, c)
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		tb.Fatalf("no table %s: %v", table, err)
	}
	columnsOf.Store(table, list)
	return list
}

// insert writes a row as the index does.
func (r row) insert(tb testing.TB, db *sql.DB) {
	tb.Helper()
	date, end, precision := r.interval(tb)
	path := r.path
	if path == "" {
		path = r.project + "/handoffs/" + r.hid + ".md"
	}
	id := r.id
	if id == 0 {
		id = date.Unix() - 946684800
	}
	handoff := map[string]any{
		"id": id, "hid": r.hid, "declared": r.declared, "format": r.format,
		"project_id": r.projectID(tb, db), "file_id": fileOf(tb, db, path),
		"date": date.UnixMilli(), "date_end": end.UnixMilli(), "sort": date.UnixMilli(), "date_source": "field", "date_precision": precision,
		"updated": date.UnixMilli(), "latest": 1, "standing": 1, "sections": "[]",
	}
	maps.Copy(handoff, r.fields)
	insertRow(tb, db, "handoff", handoff)
	body := map[string]any{"id": id}
	for k, v := range r.body {
		body[k] = v
	}
	insertRow(tb, db, "body", body)
	for i, a := range r.attrs {
		part := append(strings.SplitN(a, "=", 3), "")
		insertRow(tb, db, "attr", map[string]any{"handoff_id": id, "name": part[0], "ord": i, "value": part[1], "note": part[2]})
	}
	for i, p := range r.problems {
		severity, rule, _ := strings.Cut(p, " ")
		insertRow(tb, db, "problem", map[string]any{"handoff_id": id, "ord": i, "severity": severity, "rule": rule})
	}
	if r.acked {
		insertRow(tb, db, "ack", map[string]any{"hid": r.hid, "digest": 0})
	}
}

// projectID finds or makes the project with a root.
func (r row) projectID(tb testing.TB, db *sql.DB) int64 {
	tb.Helper()
	if id := idOf(tb, db, "SELECT id FROM project WHERE root = ?", r.project); id != 0 {
		return id
	}
	name := cmp.Or(r.name, r.project[strings.LastIndexByte(r.project, '/')+1:])
	dirs := encodings(r.project)
	return insertRow(tb, db, "project", map[string]any{"root": r.project, "name": name, "dir_v1": dirs[0], "dir_v2": dirs[1]})
}

// fileOf finds or makes the file with a path: a log holds many handoffs.
func fileOf(tb testing.TB, db *sql.DB, path string) int64 {
	tb.Helper()
	if id := idOf(tb, db, "SELECT id FROM file WHERE path = ?", path); id != 0 {
		return id
	}
	return insertRow(tb, db, "file", map[string]any{"root_id": 1, "path": path})
}

// idOf runs a query for one id, 0 if there is none.
func idOf(tb testing.TB, db *sql.DB, text, arg string) (id int64) {
	tb.Helper()
	if err := prepared(tb, db, text).QueryRow(arg).Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		tb.Fatal(err)
	}
	return id
}

func (r row) interval(tb testing.TB) (start, end time.Time, precision string) {
	tb.Helper()
	if day, err := time.Parse(time.DateOnly, r.date); err == nil {
		return day, day.AddDate(0, 0, 1), "day"
	}
	at, err := time.Parse(time.RFC3339, r.date)
	if err != nil {
		tb.Fatal(err)
	}
	return at, at.Add(time.Millisecond), "instant"
}

// noWords is a Lexicon that knows nothing.
type noWords struct{}

func (noWords) Forms(string) []string                       { return nil }
func (noWords) Near(string) []string                        { return nil }
func (noWords) Beginning(string, int) ([]string, bool)      { return nil, false }
func (noWords) Containing(string, int) ([]string, bool)     { return nil, false }
func (noWords) Marks(string, string, bool) ([]string, bool) { return nil, false }
func (noWords) HasProject(string) bool                      { return false }
func (noWords) SignMarks(string) string                     { return "" }

// words is a Lexicon made of lists of words that share a stem.
type words struct {
	noWords
	families [][]string
}

func (w words) Forms(word string) []string {
	for _, forms := range w.families {
		if slices.Contains(forms, word) {
			return forms
		}
	}
	return []string{word}
}

func (w words) Near(word string) []string {
	if word == "tokne" {
		return []string{"token"}
	}
	return nil
}

// hids runs a plan's page and returns the public ids in order.
func hids(tb testing.TB, db *sql.DB, p *query.Plan) []string {
	tb.Helper()
	if p.Ranked {
		return hidsOfRanked(tb, db, p)
	}
	rows, err := db.Query(p.Page.SQL, p.Page.Args...)
	if err != nil {
		tb.Fatalf("%v\n%s\n%q", err, p.Page.SQL, p.Page.Args)
	}
	defer rows.Close()
	var ids []int64
	total := 0
	for rows.Next() {
		var id int64
		dest := []any{&id}
		if p.Counted {
			dest = append(dest, &total)
		}
		if err := rows.Scan(dest...); err != nil {
			tb.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		tb.Fatalf("%v\n%s\n%q", err, p.Page.SQL, p.Page.Args)
	}
	if p.Counted && len(ids) > 0 && total != count(tb, db, p.Count(0)) {
		tb.Errorf("the page tells of %d hits\n%s\n%q", total, p.Page.SQL, p.Page.Args)
	}
	return hidsOf(tb, db, ids)
}

// hidsOfRanked returns the hits of a ranked plan in order.
func hidsOfRanked(tb testing.TB, db *sql.DB, p *query.Plan) []string {
	tb.Helper()
	var ids []int64
	for _, h := range hits(tb, db, p) {
		ids = append(ids, h.ID)
	}
	return hidsOf(tb, db, ids)
}

func hidsOf(tb testing.TB, db *sql.DB, ids []int64) []string {
	tb.Helper()
	var list []string
	for _, id := range ids {
		var hid string
		if err := db.QueryRow("SELECT hid FROM handoff WHERE id = ?", id).Scan(&hid); err != nil {
			tb.Fatal(err)
		}
		list = append(list, hid)
	}
	return list
}

// count runs a plan's count.
func count(tb testing.TB, db *sql.DB, s query.Statement) int {
	tb.Helper()
	var n int
	if err := db.QueryRow(s.SQL, s.Args...).Scan(&n); err != nil {
		tb.Fatalf("%v\n%s\n%q", err, s.SQL, s.Args)
	}
	return n
}

// table runs a statement of buckets and joins each row by spaces.
func table(tb testing.TB, db *sql.DB, s query.Statement) []string {
	tb.Helper()
	rows, err := db.Query(s.SQL, s.Args...)
	if err != nil {
		tb.Fatalf("%v\n%s\n%q", err, s.SQL, s.Args)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		tb.Fatal(err)
	}
	var list []string
	for rows.Next() {
		cells := make([]any, len(names))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			tb.Fatal(err)
		}
		var b []string
		for _, c := range cells {
			b = append(b, fmt.Sprint(*c.(*any)))
		}
		list = append(list, strings.Join(b, " "))
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return list
}

// runAll runs every statement of a plan, for the errors.
func runAll(tb testing.TB, db *sql.DB, p *query.Plan) {
	tb.Helper()
	hids(tb, db, p)
	count(tb, db, p.Count(0))
	count(tb, db, p.Count(10))
	if p.Buckets != nil {
		table(tb, db, *p.Buckets)
	}
	for _, f := range p.Facets {
		table(tb, db, f.Statement)
	}
}
