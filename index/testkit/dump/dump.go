// Package dump reads index files for tests, so that they can be compared.
package dump

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// An Index is what an index file holds, without what depends on how it came
// about.
type Index struct {
	// Rows are the rows of each file by its path, sorted. Under "" are those of
	// no file. Row ids are left out, or replaced by what they name.
	Rows  map[string][]string
	moved map[string]bool // Files whose public ids are made from another path
	terms map[string]bool
}

// ofOneRun are the columns, by table, that describe the run that wrote a row, the
// ids that no build from nothing would give out again, and the sums over those.
var ofOneRun = map[string]bool{
	"file.id": true, "file.origin": true, "file.seen_ns": true, "file.folder_id": true, "handoff.id": true,
	"handoff.hid": true,
	"root.id":     true, "root.refreshed_at": true, "project.id": true, "body.id": true,
	"handoff.card_sum": true, "handoff.text_sum": true, "handoff.facts_sum": true,
}

// perRun are the facts of table state that describe the run, that only grow, or that
// sum up row ids.
var perRun = map[string]bool{"refreshed_at": true, "date_slack": true, "stamp": true, "tables": true, "archive": true}

// Read reads an index file that nobody writes to. The driver "sqlite" has to be
// registered.
func Read(ctx context.Context, path string) (Index, error) {
	d := Index{Rows: map[string][]string{}, moved: map[string]bool{}, terms: map[string]bool{}}
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
	all := map[string][]Row{}
	for _, t := range tables {
		name := t.Text("name")
		if all[name], err = table(ctx, tx, `SELECT * FROM "`+name+`"`); err != nil {
			return d, err
		}
	}
	d.fill(all)
	words, err := table(ctx, tx, "SELECT term, doc, cnt FROM fts_vocab WHERE term NOT GLOB 'x0p*'")
	for _, w := range words {
		d.add("", "word", w)
	}
	for _, lines := range d.Rows {
		slices.Sort(lines)
	}
	return d, err
}

// mark is a token of the column meta, which a build puts into term and an
// update does not.
var mark = regexp.MustCompile("^x0[cdfgps]")

// fill sorts the rows out by the file they belong to.
func (d Index) fill(all map[string][]Row) {
	file := paths(all["file"], "path")
	entry, owner := map[any]any{}, map[any]string{} // of handoffs
	root, project, folder := paths(all["root"], "path"), paths(all["project"], "root"), paths(all["folder"], "path")
	for _, r := range all["file"] {
		r["root_id"] = root[r["root_id"]]
		d.moved[r.Text("path")] = r.Text("origin") != ""
		if r.Text("version_of") != "" {
			r["ctime_ns"] = nil // how the copy was seen to be unchanged
		}
	}
	for _, r := range all["handoff"] {
		entry[r["id"]], owner[r["id"]] = r["entry"], file[r["file_id"]]
	}
	used := map[any]bool{}
	for _, r := range unplaced(all) {
		d.add("", unplacedLine, Row{"folder": folder[r[0]], "project": project[r[1]]})
	}
	for name, rows := range all {
		for _, r := range rows {
			switch name {
			case "term":
				if !mark.MatchString(r.Text("term")) {
					d.terms[r.Text("term")] = true
				}
			case "root": // which folders are searched is not for the index to say
				if r.Text("trouble") != "" {
					d.add("", name, r)
				}
			case "project": // listed with its handoffs
			case "archived": // rows of the archive
			case "place": // it may contain more; what it lacks is listed below
			case "folder": // the row of one is only written when that pays
			case "state":
				if !perRun[r.Text("key")] {
					d.add("", name, r)
				}
			case "file":
				d.add(r.Text("path"), name, r)
			case "handoff", "attr", "problem", "body":
				id := either(r, "handoff_id", "id")
				path := owner[id]
				r["handoff_id"] = entry[id]
				switch name {
				case "body":
					r["meta"] = withoutProject(r.Text("meta"))
				case "handoff":
					used[r["project_id"]] = true
					d.Rows[path] = append(d.Rows[path], fmt.Sprintf("id of %v: %v", r["entry"], r["hid"]))
					r["file_id"], r["project_id"] = path, project[r["project_id"]]
				}
				d.add(path, name, r)
			default:
				d.add("", name, r)
			}
		}
	}
	for _, p := range all["project"] {
		if used[p["id"]] {
			d.add("", "project", p)
		}
	}
}

// unplacedLine begins the line of each that unplaced lists.
const unplacedLine = "not in place:"

// unplaced lists the folders that handoffs of a project are in but that the index
// does not know to be places of it.
func unplaced(all map[string][]Row) (list [][2]any) {
	places, folders := map[[2]any]bool{}, map[any]any{}
	for _, r := range all["place"] {
		places[[2]any{r["folder_id"], r["project_id"]}] = true
	}
	for _, r := range all["file"] {
		folders[r["id"]] = r["folder_id"]
	}
	for _, r := range all["handoff"] {
		if in := [2]any{folders[r["file_id"]], r["project_id"]}; in[0] != nil && !places[in] {
			list = append(list, in)
		}
	}
	return list
}

func (d Index) add(owner, name string, r Row) {
	d.Rows[owner] = append(d.Rows[owner], name+" "+r.line(name))
}

// Compare returns how an index that was refreshed differs from one that was built
// from nothing; "" if it does not. Only the refreshed one can know where files
// came from, and it may contain words of handoffs that are gone.
func (d Index) Compare(built Index) string {
	var more strings.Builder
	for _, line := range d.Rows[""] {
		if strings.HasPrefix(line, unplacedLine) {
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

func (d Index) withoutIDs(moved map[string]bool) map[string][]string {
	rows := map[string][]string{}
	for owner, lines := range d.Rows {
		if moved[owner] {
			lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "id of ") })
		}
		rows[owner] = lines
	}
	return rows
}

// Differs lists the files whose rows are not the same in both, and "" if those
// of no file are not.
func (d Index) Differs(other Index) []string {
	var list []string
	a, b := d.withoutIDs(d.moved), other.withoutIDs(d.moved)
	for owner, lines := range a {
		if !slices.Equal(lines, b[owner]) {
			list = append(list, owner)
		}
	}
	for owner := range b {
		if _, ok := a[owner]; !ok {
			list = append(list, owner)
		}
	}
	slices.Sort(list)
	return list
}

// Files lists the paths in the index.
func (d Index) Files() map[string]bool {
	files := map[string]bool{}
	for owner := range d.Rows {
		files[owner] = owner != ""
	}
	return files
}

// Has reports whether a file has handoffs.
func (d Index) Has(path string) bool {
	return path != "" && slices.ContainsFunc(d.Rows[path], func(l string) bool { return strings.HasPrefix(l, "handoff ") })
}

// withoutProject drops the token that contains a row id.
func withoutProject(meta string) string {
	words := strings.Fields(meta)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "x0p") }), " ")
}

// Damage returns what SQLite finds wrong with an index file, "" if it is sound.
func Damage(ctx context.Context, path string) (string, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_busy_timeout=10000")
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	var found strings.Builder
	for _, q := range []string{"PRAGMA integrity_check", "PRAGMA foreign_key_check"} {
		rows, err := table(ctx, db, q)
		if err != nil {
			return "", err
		}
		for _, r := range rows {
			if r.Text("integrity_check") != "ok" {
				fmt.Fprintln(&found, r)
			}
		}
	}
	for _, fts := range []string{"fts", "stem", "part"} {
		_, err := db.ExecContext(ctx, "INSERT INTO "+fts+" ("+fts+", rank) VALUES ('integrity-check', 1)")
		if err != nil {
			fmt.Fprintf(&found, "%s: %v\n", fts, err)
		}
	}
	return found.String(), nil
}

// A Row is a row by the names of its columns.
type Row map[string]any

// Text returns a column that contains text, "" for any other.
func (r Row) Text(column string) string {
	text, _ := r[column].(string)
	return text
}

// line returns the row but for what ofOneRun names.
func (r Row) line(name string) string {
	var parts []string
	for column, value := range r {
		if !ofOneRun[name+"."+column] {
			parts = append(parts, fmt.Sprintf("%s=%#v", column, value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func either(r Row, columns ...string) any {
	for _, c := range columns {
		if v, ok := r[c]; ok {
			return v
		}
	}
	return nil
}

// paths maps ids to a column.
func paths(rows []Row, column string) map[any]string {
	m := map[any]string{}
	for _, r := range rows {
		m[r["id"]] = r.Text(column)
	}
	return m
}

// Query returns the rows of a query on a database file, which it cannot change.
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

// table returns the rows of a query.
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
