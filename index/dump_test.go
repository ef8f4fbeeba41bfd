package index_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A dump is what an index file holds, without what depends on how it came
// about: the rows of each file by its path, sorted. Under "" are those of no
// file. Row ids are left out, or replaced by what they name.
type dump struct {
	rows  map[string][]string
	moved map[string]bool // files whose public ids are made from another path
	terms map[string]bool
}

// ofOneRun are the columns, by table, that tell of the run that wrote a row, the
// ids that no build from nothing would give out again, and the sums over those.
var ofOneRun = map[string]bool{
	"file.id": true, "file.origin": true, "file.seen_ns": true, "file.folder_id": true, "handoff.id": true, "handoff.hid": true,
	"root.id": true, "root.refreshed_at": true, "project.id": true, "body.id": true,
	"handoff.card_sum": true, "handoff.text_sum": true, "handoff.facts_sum": true,
}

// perRun are the facts of table state that tell of the run, that only grow, or that
// sum up row ids.
var perRun = map[string]bool{"refreshed_at": true, "date_slack": true, "stamp": true, "tables": true, "archive": true}

// dump dumps the index of the house.
func (h *house) dump() dump {
	h.t.Helper()
	st, err := h.Status(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return dumpOf(h.t, st.Path)
}

// dumpOf dumps an index file that nobody writes to.
func dumpOf(tb testing.TB, path string) dump {
	tb.Helper()
	d, err := readDump(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func readDump(ctx context.Context, path string) (dump, error) {
	d := dump{rows: map[string][]string{}, moved: map[string]bool{}, terms: map[string]bool{}}
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
	tables, err := table(ctx, tx, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
	if err != nil {
		return d, err
	}
	all := map[string][]row{}
	for _, t := range tables {
		name := t.text("name")
		if all[name], err = table(ctx, tx, `SELECT * FROM "`+name+`"`); err != nil {
			return d, err
		}
	}
	d.fill(all)
	words, err := table(ctx, tx, "SELECT term, doc, cnt FROM fts_vocab WHERE term NOT GLOB 'x0p*'")
	for _, w := range words {
		d.add("", "word", w)
	}
	for _, lines := range d.rows {
		slices.Sort(lines)
	}
	return d, err
}

// mark is a token of the column meta, which a build puts into term and an
// update does not.
var mark = regexp.MustCompile("^x0[cdfgps]")

// fill sorts the rows out by the file they belong to.
func (d dump) fill(all map[string][]row) {
	file := paths(all["file"], "path")
	entry, owner := map[any]any{}, map[any]string{} // of handoffs
	root, project, folder := paths(all["root"], "path"), paths(all["project"], "root"), paths(all["folder"], "path")
	for _, r := range all["file"] {
		r["root_id"] = root[r["root_id"]]
		d.moved[r.text("path")] = r.text("origin") != ""
		if r.text("version_of") != "" {
			r["ctime_ns"] = nil // how the copy was told unchanged
		}
	}
	for _, r := range all["handoff"] {
		entry[r["id"]], owner[r["id"]] = r["entry"], file[r["file_id"]]
	}
	used := map[any]bool{}
	for _, r := range unplaced(all) {
		d.add("", unplacedLine, row{"folder": folder[r[0]], "project": project[r[1]]})
	}
	for name, rows := range all {
		for _, r := range rows {
			switch name {
			case "term":
				if !mark.MatchString(r.text("term")) {
					d.terms[r.text("term")] = true
				}
			case "root": // which folders are searched is not for the index to say
				if r.text("trouble") != "" {
					d.add("", name, r)
				}
			case "project": // told with its handoffs
			case "archived": // what is known of the archive
			case "place": // it may hold more; what it lacks is told below
			case "folder": // what is known of one is only written when that pays
			case "state":
				if !perRun[r.text("key")] {
					d.add("", name, r)
				}
			case "file":
				d.add(r.text("path"), name, r)
			case "handoff", "attr", "problem", "body":
				id := either(r, "handoff_id", "id")
				path := owner[id]
				r["handoff_id"] = entry[id]
				switch name {
				case "body":
					r["meta"] = withoutProject(r.text("meta"))
				case "handoff":
					used[r["project_id"]] = true
					d.rows[path] = append(d.rows[path], fmt.Sprintf("id of %v: %v", r["entry"], r["hid"]))
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

// unplacedLine begins what is told of each that unplaced lists.
const unplacedLine = "not in place:"

// unplaced lists the folders that handoffs of a project lie in but that the index
// does not know to be places of it.
func unplaced(all map[string][]row) (list [][2]any) {
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

func (d dump) add(owner, name string, r row) {
	d.rows[owner] = append(d.rows[owner], name+" "+r.line(name))
}

// compare tells how an index that was refreshed differs from one that was built
// from nothing; "" if it does not. Only the refreshed one can know where files
// came from, and it may hold words of handoffs that are gone.
func (d dump) compare(built dump) string {
	diff := cmp.Diff(built.withoutIDs(d.moved), d.withoutIDs(d.moved))
	for _, line := range d.rows[""] {
		if strings.HasPrefix(line, unplacedLine) {
			diff += line + "\n"
		}
	}
	for term := range built.terms {
		if !d.terms[term] {
			diff += fmt.Sprintf("the word %q is missing in term\n", term)
		}
	}
	return diff
}

func (d dump) withoutIDs(moved map[string]bool) map[string][]string {
	rows := map[string][]string{}
	for owner, lines := range d.rows {
		if moved[owner] {
			lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "id of ") })
		}
		rows[owner] = lines
	}
	return rows
}

// differs lists the files whose rows are not the same in both, and "" if those
// of no file are not.
func (d dump) differs(other dump) []string {
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

// files lists the paths in the index.
func (d dump) files() map[string]bool {
	files := map[string]bool{}
	for owner := range d.rows {
		files[owner] = owner != ""
	}
	return files
}

// has reports whether a file has handoffs.
func (d dump) has(path string) bool {
	return path != "" && slices.ContainsFunc(d.rows[path], func(l string) bool { return strings.HasPrefix(l, "handoff ") })
}

// withoutProject drops the token that holds a row id.
func withoutProject(meta string) string {
	words := strings.Fields(meta)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "x0p") }), " ")
}

// damage is what SQLite finds wrong with an index file, "" if it is sound.
func damage(ctx context.Context, path string) (string, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_busy_timeout=10000")
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	found := ""
	for _, q := range []string{"PRAGMA integrity_check", "PRAGMA foreign_key_check"} {
		rows, err := table(ctx, db, q)
		if err != nil {
			return "", err
		}
		for _, r := range rows {
			if r.text("integrity_check") != "ok" {
				found += fmt.Sprintln(r)
			}
		}
	}
	for _, fts := range []string{"fts", "stem", "part"} {
		_, err := db.ExecContext(ctx, "INSERT INTO "+fts+" ("+fts+", rank) VALUES ('integrity-check', 1)")
		if err != nil {
			found += fmt.Sprintf("%s: %v\n", fts, err)
		}
	}
	return found, nil
}

// A row is a row by the names of its columns.
type row map[string]any

func (r row) text(column string) string {
	text, _ := r[column].(string)
	return text
}

// line is the row but for what ofOneRun names.
func (r row) line(name string) string {
	var parts []string
	for column, value := range r {
		if !ofOneRun[name+"."+column] {
			parts = append(parts, fmt.Sprintf("%s=%#v", column, value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func either(r row, columns ...string) any {
	for _, c := range columns {
		if v, ok := r[c]; ok {
			return v
		}
	}
	return nil
}

// paths maps ids to a column.
func paths(rows []row, column string) map[any]string {
	m := map[any]string{}
	for _, r := range rows {
		m[r["id"]] = r.text(column)
	}
	return m
}

// rawRows reads a database behind the index's back.
func rawRows(tb testing.TB, path, q string) []row {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_query_only=1")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := table(tb.Context(), db, q)
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

type asker interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

// table answers the rows of a query.
func table(ctx context.Context, db asker, q string) ([]row, error) {
	rows, err := db.QueryContext(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []row
	for rows.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		r := row{}
		for i, c := range columns {
			r[c] = values[i]
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
