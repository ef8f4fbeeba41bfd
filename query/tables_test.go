package query_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

// In the tables this stands for a line end inside a query.
const lineEnd = "⏎"

// entry is a query of a table and the lines below it.
type entry struct{ topic, query, want string }

// loadTable reads a table in txtar's form: files of topics, in them queries,
// below each what is wanted, indented.
func loadTable(tb testing.TB, path string) []entry {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var list []entry
	topic := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		text, indented := strings.CutPrefix(line, "\t")
		switch {
		case indented && len(list) > 0:
			list[len(list)-1].want += text + "\n"
		case strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --"):
			topic = strings.Trim(line, "- ")
		case line != "":
			list = append(list, entry{topic, strings.ReplaceAll(line, lineEnd, "\n"), ""})
		}
	}
	if len(list) == 0 {
		tb.Fatalf("%s holds no queries", path)
	}
	return list
}

// kindNames are what testdata/lex.txtar calls the kinds of tokens.
var kindNames = [...]string{
	"end", "error", "word", "phrase", "prefix", "regex", "field", "comma",
	"(", ")", "{", "}", "AND", "OR", "NOT", "NEAR",
}

func TestLex(t *testing.T) {
	t.Parallel()
	for _, e := range loadTable(t, "testdata/lex.txtar") {
		var b strings.Builder
		for _, tok := range query.Lex(e.query) {
			fmt.Fprintf(&b, "%d-%d %v", tok.Start, tok.End, kindNames[tok.Kind])
			if tok.Text != "" || tok.Op != "" {
				fmt.Fprintf(&b, " %s%s", tok.Text, tok.Op)
			}
			if tok.Err != nil {
				fmt.Fprintf(&b, " %s", tok.Err.Code)
			}
			b.WriteByte('\n')
		}
		if diff := cmp.Diff(e.want, b.String()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", e.topic, e.query, diff)
		}
	}
}

// TestParse holds for each query the canonical form, the notes, and the source
// where that is another text.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, e := range loadTable(t, "testdata/parse.txtar") {
		q, err := query.Parse(e.query, testEnv)
		if err != nil {
			t.Errorf("%s: %s: %v", e.topic, e.query, err)
			continue
		}
		got := q.Canonical() + "\n"
		for _, note := range q.Notes {
			got += "note: " + note + "\n"
		}
		if q.Source() != e.query {
			got += "source: " + q.Source() + "\n"
		}
		if diff := cmp.Diff(e.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", e.topic, e.query, diff)
		}
	}
}

// TestErrors holds for each query the exact text on stderr, then code and
// place of each error.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, e := range loadTable(t, "testdata/errors.txtar") {
		_, err := query.Parse(e.query, testEnv)
		var errs query.Errors
		if !errors.As(err, &errs) {
			t.Errorf("%s: %s: want errors, got %v", e.topic, e.query, err)
			continue
		}
		got := errs.Format(e.query)
		for _, fault := range errs {
			got += fmt.Sprintf("%s %d-%d\n", fault.Code, fault.Start, fault.End)
		}
		if diff := cmp.Diff(e.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", e.topic, e.query, diff)
		}
	}
}
