package query_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/OWNER/handex/query"
)

// seeds are all queries of the tables.
func seeds(f *testing.F) {
	f.Helper()
	for _, table := range []string{"lex", "parse", "errors"} {
		for _, e := range loadTable(f, "testdata/"+table+".txtar") {
			f.Add(e.query)
		}
	}
	f.Add("a\x00b")
	f.Add("a\xffb")
	f.Add(strings.Repeat("(", 40))
	f.Add(strings.Repeat("a ", 200))
	f.Add(strings.Repeat("-", 4000) + "a")
}

func FuzzLex(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		tokens := query.Lex(text)
		at := 0
		for i, tok := range tokens {
			last := i == len(tokens)-1
			if tok.Kind == query.KindError {
				if !last || tok.Err == nil {
					t.Fatalf("%q: error token %d of %d: %v", text, i, len(tokens), tok.Err)
				}
				return
			}
			if tok.Start < at || tok.End < tok.Start || tok.End > len(text) {
				t.Fatalf("%q: token %d is %d-%d behind %d", text, i, tok.Start, tok.End, at)
			}
			if (tok.Kind == query.KindEnd) != last {
				t.Fatalf("%q: token %d of %d is %v", text, i, len(tokens), tok.Kind)
			}
			at = tok.End
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			checkErrors(t, text, err)
			return
		}
		checkRoundTrip(t, q)
	})
}

// checkErrors checks that errors lie inside the text and print safely.
func checkErrors(t *testing.T, text string, err error) {
	t.Helper()
	var errs query.Errors
	if !errors.As(err, &errs) || len(errs) == 0 {
		t.Fatalf("%q: %T %v", text, err, err)
	}
	for _, e := range errs {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) || e.Column < 1 || e.Code == "" || e.Message == "" {
			t.Fatalf("%q: %+v", text, *e)
		}
	}
	shown := errs.Format(text)
	for _, r := range shown {
		if r < ' ' && r != '\n' || r == 0x7F {
			t.Fatalf("%q: control character in %q", text, shown)
		}
	}
	if !utf8.ValidString(shown) || !strings.HasSuffix(shown, "\n") {
		t.Fatalf("%q: %q", text, shown)
	}
}

// checkRoundTrip checks that the source of a query means the same.
func checkRoundTrip(tb testing.TB, q *query.Query) {
	tb.Helper()
	again, err := query.Parse(q.Source(), testEnv)
	if len(q.Source()) > 4096 {
		return // escaped signs made it longer than a query may be
	}
	if err != nil {
		tb.Fatalf("%q: source %q: %v", q.Text, q.Source(), err)
	}
	if again.Canonical() != q.Canonical() {
		tb.Fatalf("%q: source %q\nis   %s\nwant %s", q.Text, q.Source(), again.Canonical(), q.Canonical())
	}
}

// FuzzPrepare checks that SQLite takes and runs whatever is read as a query.
func FuzzPrepare(f *testing.F) {
	seeds(f)
	db := openShelf(f)
	f.Fuzz(func(t *testing.T, text string) {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			return
		}
		p := q.Compile(testWords)
		runAll(t, db, p)
		for i := range p.Leaves {
			for _, r := range shelf {
				for _, column := range r.body {
					checkSpans(t, column, p.Leaves[i].Find(column))
				}
			}
		}
	})
}

func checkSpans(t *testing.T, text string, spans [][2]int) {
	t.Helper()
	at := 0
	for _, s := range spans {
		if s[0] < at || s[1] <= s[0] || s[1] > len(text) {
			t.Fatalf("%q: spans %v", text, spans)
		}
		at = s[1]
	}
}
