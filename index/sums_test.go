package index_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/index"
)

// rich is a handoff that has rows in every table.
const rich = `# Handoff — 2026-02-05

session_id: cccc3333
purpose: token expiry

HUMAN REVIEW NEEDED: the key is in the repository

## Done

- [x] wrote ` + "`src/token.go`" + `

## Next

- [ ] test the token expiry (high)

## Approaches

- failed: a longer lifetime
`

// Whatever column of whatever row is changed behind the index's back, nothing is
// shown of the handoff.
func TestEveryColumnIsUnderASum(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(one, rich)
	h.write("shop/.flow-guardian/handoff.yaml", "goal: [\n")
	h.refresh()
	ids := h.ids()
	if len(ids) != 2 {
		t.Fatalf("handoffs: %v", ids)
	}
	h.reopen()
	path := filepath.Join(h.dir, generationName(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	columns := [][2]string{{"file", "path"}, {"project", "root"}, {"project", "name"}}
	for _, table := range []string{"handoff", "body", "attr", "problem"} {
		for _, column := range rawRows(t, path, "SELECT name FROM pragma_table_info('"+table+"')") {
			columns = append(columns, [2]string{table, column.Text("name")})
		}
	}
	if len(columns) < 70 {
		t.Fatalf("only %d columns", len(columns))
	}
	for _, c := range columns {
		t.Run(c[0]+"."+c[1], func(t *testing.T) {
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			h.changed(t, path, c[0], c[1], ids)
		})
	}
}

// changed changes a column of all rows and expects that nothing is shown of the
// handoffs they belong to.
func (h *house) changed(t *testing.T, path, table, column string, ids map[string]string) {
	t.Helper()
	of := len(rawRows(t, path, "SELECT DISTINCT "+idColumn(table)+" FROM "+table))
	if of == 0 {
		t.Fatalf("no row of %s to change", table)
	}
	value := fmt.Sprintf("CASE typeof(%[1]s) WHEN 'text' THEN %[1]s || 'x' WHEN 'null' THEN 1 ELSE %[1]s + 1000 END", column)
	rawChange(t, path, "UPDATE "+table+" SET "+column+" = "+value)
	h.reopen()
	hidden := 0
	for name, id := range ids {
		_, err := h.Load(t.Context(), id)
		switch {
		case err == nil:
		case errors.Is(err, index.ErrCorrupt) || missing(err):
			hidden++
		default:
			t.Errorf("%s: %v", name, err)
		}
	}
	if hidden < of {
		t.Errorf("%d handoffs with changed rows are shown", of-hidden)
	}
	faults, err := h.Check(t.Context())
	if err != nil || len(faults) == 0 {
		t.Errorf("check finds %v, %v", faults, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// rawChange changes a database behind the index's back.
func rawChange(tb testing.TB, path, q string) {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(0)&_pragma=busy_timeout(5000)")
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := db.ExecContext(context.Background(), q); err != nil {
		tb.Fatal(err)
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
}

func missing(err error) bool {
	_, ok := errors.AsType[*index.NotFoundError](err)
	return ok
}

func idColumn(table string) string {
	if slices.Contains([]string{"attr", "problem"}, table) {
		return "handoff_id"
	}
	return "id"
}

// A row that was damaged is not searched for words it never had, and the other
// answers go on until it is met.
func TestDamagedRowIsNotShown(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	ids := h.ids()
	rawChange(t, filepath.Join(h.dir, generationName(1)), "UPDATE body SET next = replace(next, 'expiry', 'expirx')")
	if _, err := h.Find(t.Context(), "aaaa1111", "/"); err != nil {
		t.Errorf("a listing that shows nothing of it: %v", err)
	}
	_, err := h.Load(t.Context(), ids[one+"#0"])
	if !errors.Is(err, index.ErrCorrupt) || !strings.HasSuffix(err.Error(), " does not match its checksum") {
		t.Fatalf("load: %v", err)
	}
	report, err := h.Mend(t.Context(), h.roots(), index.RefreshOptions{}, err)
	if err != nil || report.Added != 2 {
		t.Errorf("mend: %+v %v", report, err)
	}
	notices := h.Notices()
	if len(notices) != 1 || !strings.HasPrefix(notices[0], "the index was damaged (read handoff ") {
		t.Errorf("notices: %q", notices)
	}
	if _, err := h.Load(t.Context(), ids[one+"#0"]); err != nil {
		t.Errorf("load from the new index: %v", err)
	}
	h.whole()
}
