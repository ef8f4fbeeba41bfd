package query_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"handex/query"
	schema "handex/sql"
)

// TestTokenizer compares the tokenizer of this package with that of the index
// for every character: where words end, and, where this package is sure of it,
// what they are folded to.
func TestTokenizer(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	tokenize := regexp.MustCompile(`tokenize = "[^"]*"`).FindString(schema.FullText)
	for _, text := range []string{
		"CREATE VIRTUAL TABLE temp.f USING fts5(x, content = '', " + tokenize + ")",
		"CREATE VIRTUAL TABLE temp.v USING fts5vocab('temp', 'f', 'instance')",
	} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	const run = 2048
	for from := rune(1); from < 0x30000; from += run {
		text := charactersOf(from, run)
		if text == "" {
			continue
		}
		if _, err := db.Exec("INSERT INTO temp.f (rowid, x) VALUES (?, ?)", int(from), text); err != nil {
			t.Fatal(err)
		}
		got := table(t, db, query.Statement{SQL: "SELECT term FROM temp.v WHERE doc = ? ORDER BY offset", Args: []any{int64(from)}})
		var want []string
		for i, p := range query.SplitWords(text) {
			if !p.Safe && i < len(got) {
				p.Folded = got[i]
			}
			want = append(want, p.Folded)
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Fatalf("from %U (-SQLite +query):\n%s", from, diff)
		}
	}
}

// charactersOf puts each of n characters between two letters.
func charactersOf(from rune, n int) string {
	var b strings.Builder
	for r := from; r < from+rune(n); r++ {
		if utf8.ValidRune(r) {
			b.WriteString("a" + string(r) + "b ")
		}
	}
	return b.String()
}
