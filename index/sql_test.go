package index_test

import (
	"database/sql"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
	schema "github.com/OWNER/handex/sql"
)

// emptyIndex is a database with the tables of the index and nothing in them.
// Opening a store gives SQLite the functions queries call.
func emptyIndex(t *testing.T) *sql.DB {
	t.Helper()
	newHouse(t)
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db")+"?_dqs=0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, script := range []string{schema.Schema, schema.FullText, schema.Triggers, schema.Staging} {
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// sqlc has never seen the full-text tables and gets some statements silently
// wrong: each must be one that SQLite takes.
func TestGeneratedQueriesPrepare(t *testing.T) {
	t.Parallel()
	db := emptyIndex(t)
	queries := generatedQueries(t)
	if len(queries) < 40 {
		t.Fatalf("only %d queries were found", len(queries))
	}
	for name, text := range queries {
		if strings.Contains(text, "sqlc.") {
			t.Errorf("%s: sqlc left an argument behind:\n%s", name, text)
		}
		if err := prepares(db, text); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

func prepares(db *sql.DB, text string) error {
	st, err := db.Prepare(text)
	if err == nil {
		defer func() { _ = st.Close() }()
	}
	return err
}

// generatedQueries are the string constants of the generated package.
func generatedQueries(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("internal/sqlitedb/*.sql.go")
	if err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					queries[v.Names[0].Name], _ = strconv.Unquote(lit.Value)
				}
			}
			return true
		})
	}
	return queries
}

// sqlc rejects other characters, in comments too, and only in some places.
func TestSQLIsASCII(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../sql/*.sql", "../sql/queries/*.sql"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 8 {
		t.Fatalf("only %d files were found", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s:%d: %s", file, n+1, line)
			}
		}
	}
}

// What sqlc reads in place of the full-text tables must have their columns.
func TestStandInsHaveTheRealColumns(t *testing.T) {
	t.Parallel()
	db := emptyIndex(t)
	text, err := os.ReadFile("../sql/fts_sqlc.sql")
	if err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\);`).FindAllStringSubmatch(string(text), -1)
	if len(tables) != 7 {
		t.Fatalf("%d tables", len(tables))
	}
	for _, table := range tables {
		var want []string
		for _, column := range regexp.MustCompile(`(?m)^  (\w+)`).FindAllStringSubmatch(table[2], -1) {
			switch column[1] {
			case "rowid", "rank", table[1]: // hidden
			default:
				want = append(want, column[1])
			}
		}
		var got string
		if err := db.QueryRow("SELECT group_concat(name) FROM pragma_table_info(?)", table[1]).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.Split(got, ",")); diff != "" {
			t.Errorf("%s (-stand-in +real):\n%s", table[1], diff)
		}
	}
}

// Every field and state, in every form its kind has, makes a statement that
// SQLite takes and that runs.
func TestComposedQueriesRun(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	texts := []string{
		"*", "login", "-login", "login OR token", "login -token", `"token expiry"`, `"token exp"*`, "tok*", "*oke*", "tokne~", "/tok.n/",
		"token NEAR/3 expiry", "JWT", "src/auth.py", "§§", "日本", `next:"token expiry"`, "-next:token", "sec.next:token", "case:yes /Tok/",
		"login sort:relevance", "login token nothing sort:relevance limit:1", "latest-per:project", "latest-per:project keep:2 login",
		"latest-per:session,project", "limit:0", "limit:1 offset:1", "is:open is:escalated", "is:blocked", "has:escalation", "no:link",
		"project:{is:open}", "project:shop OR (login -is:open)", "(login OR is:open) -(token is:stale)",
	}
	for _, f := range query.Fields() {
		if f.Example != "" {
			texts = append(texts, f.Example, "-("+f.Example+")", "login OR "+f.Example)
		}
		name := f.Name
		switch {
		case strings.HasSuffix(name, "."), f.Kind == query.FieldWord:
			continue
		case f.Kind == query.FieldOpen, f.Kind == query.FieldPath:
			texts = append(texts, name+":x", name+"=x", name+":*x*", name+":/x/", name+":é", name+`:"x"*`)
		}
		if f.Group {
			texts = append(texts, "count-by:"+name, "facets:"+name, "latest-per:"+name, name+":{is:open}")
		}
		if f.Ordered && f.Kind != query.FieldDuration {
			texts = append(texts, "sort:"+name, "sort:"+name+"-asc")
		}
	}
	for _, s := range query.States() {
		texts = append(texts, "is:"+s.Name, "-is:"+s.Name, "login OR is:"+s.Name)
	}
	some := []index.Root{{Path: h.path("elsewhere")}}
	run := 0
	for _, text := range texts {
		q, err := query.Parse(text, query.Env{Now: h.now, Zone: h.zone, Project: func() string { return "/srv/shop" }, Saved: map[string]string{"standup": "is:open"}})
		if err != nil {
			t.Logf("%s: %v", text, err)
			continue
		}
		run++
		for _, roots := range [][]index.Root{nil, some} {
			if _, err := h.Search(t.Context(), q, index.SearchOptions{Roots: index.PathsOf(roots)}); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		if _, err := h.Count(t.Context(), q, index.SearchOptions{}); err != nil {
			t.Errorf("count %s: %v", text, err)
		}
	}
	if run < len(texts)*9/10 {
		t.Errorf("only %d of %d queries were read", run, len(texts))
	}
}
