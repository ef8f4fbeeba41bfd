package main_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkTrigrams builds the trigrams of all words, as the index has them,
// and those of all texts, as it has not, and asks both for a rare part of a
// word. It takes the settings of BenchmarkForms; use -benchtime 1x.
func BenchmarkTrigrams(b *testing.B) {
	store, _ := formsIndex(b)
	st, err := store.Status(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	columns := textColumns(b, st.Path)
	for _, c := range []struct{ name, rows string }{
		{"words", "SELECT id, term FROM term"},
		{"texts", "SELECT id, " + strings.Join(columns, " || ") + " FROM body"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				trigrams(b, st.Path, c.rows)
			}
		})
	}
}

// textColumns are the columns of body that hold text.
func textColumns(b *testing.B, indexFile string) (names []string) {
	b.Helper()
	db, err := sql.Open("sqlite", indexFile)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(b.Context(), "SELECT name FROM pragma_table_info('body') WHERE name NOT IN ('id', 'meta')")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			b.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return names
}

func trigrams(b *testing.B, indexFile, rows string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "trigrams.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	run := func(text string, args ...any) {
		if _, err := db.ExecContext(b.Context(), text, args...); err != nil {
			b.Fatal(err)
		}
	}
	run("ATTACH ? AS ix", "file:"+indexFile+"?mode=ro")
	start := processorTime(b)
	run("CREATE VIRTUAL TABLE part USING fts5(text, content = '', columnsize = 0, detail = 'none', tokenize = 'trigram case_sensitive 1')")
	run("INSERT INTO part (part, rank) VALUES ('hashsize', 67108864)")
	run("INSERT INTO part (rowid, text) " + rows)
	built := processorTime(b)
	var n int
	if err := db.QueryRowContext(b.Context(), "SELECT count(*) FROM part WHERE part MATCH 'zqr AND qra AND rar'").Scan(&n); err != nil || n == 0 {
		b.Fatal(n, err)
	}
	asked := processorTime(b)
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric((built - start).Seconds(), "build-cpu-s")
	b.ReportMetric(float64(info.Size())/1e6, "MB")
	b.ReportMetric((asked-built).Seconds()*1000, "search-cpu-ms")
}
