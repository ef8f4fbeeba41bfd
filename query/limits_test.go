package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/OWNER/handex/query"
)

// codeOf is the code of the first error of a query, "" if it has none.
func codeOf(t *testing.T, text string) string {
	t.Helper()
	_, err := query.Parse(text, testEnv)
	var errs query.Errors
	if !errors.As(err, &errs) {
		return ""
	}
	return errs[0].Code
}

func TestLimits(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }
	distinct := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("w" + strings.Repeat("x", i%9) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " ")
		}
		return b.String()
	}
	for _, c := range []struct{ name, query, code string }{
		{"bytes at", strings.Repeat("a", 4096), ""},
		{"bytes over", strings.Repeat("a", 4097), "too-long"},
		{"terms at", distinct(128), ""},
		{"terms over", distinct(129), "too-many-terms"},
		{"values over", "project:" + strings.Repeat("a,", 128) + "a", "too-many-terms"},
		{"depth at", nested(32), ""},
		{"depth over", nested(33), "too-deep"},
		{"groups of fields at", strings.Repeat("project:{", 8) + "a" + strings.Repeat("}", 8), ""},
		{"groups of fields over", strings.Repeat("project:{", 9) + "a" + strings.Repeat("}", 9), "too-deep"},
		{"many minuses", strings.Repeat("-", 4000) + "a", ""},
		{"NUL", "a\x00b", "bad-char"},
		{"escape", "a\x1b[31m", "bad-char"},
		{"not UTF-8", "a\xff", "bad-utf8"},
		{"replacement character", "a\uFFFD", ""},
		{"regular expression too large", "/((a{100}){100}){100}/", "bad-regex"},
	} {
		if code := codeOf(t, c.query); code != c.code {
			t.Errorf("%s: code %q, want %q", c.name, code, c.code)
		}
	}
}

// TestLargestQueriesRun runs the largest trees there can be: SQLite and FTS5
// have limits of their own on depth.
func TestLargestQueriesRun(t *testing.T) {
	t.Parallel()
	db := openShelf(t)
	forms := make([]string, 40)
	for i := range forms {
		forms[i] = "form" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	lexicon := words{families: [][]string{append([]string{"a"}, forms...), append([]string{"b"}, forms...), append([]string{"c"}, forms...)}}
	chain := func(open, between, last, end string, n int) string {
		return strings.Repeat(open, n) + last + strings.Repeat(end+between, n)
	}
	for _, text := range []string{
		strings.TrimSuffix(strings.Repeat("a OR is:open OR ", 60), " OR "),
		strings.Repeat("aa* is:open -b ", 40),
		chain("(a OR (b ", "", "c", "))", 16),
		chain("(a OR is:open -(b ", "", "c", "))", 16),
		chain("-(a b -(is:open ", "", "c", "))", 16),
		chain(`("a b" OR -("b c" `, "", "c", "))", 16),
		chain("project:{a OR branch:{", "", "c", "}}", 4),
		chain("item:{aa* -(problem:{is:open OR -", "", "c", "})}", 4),
		strings.Repeat("a is:stale -is:open ", 26) + chain("(a OR agent:{(is:open OR ", "", "c", ")})", 8),
		"a NEAR/3 b NEAR/3 c",
		strings.Repeat("a NEAR/3 b NEAR/3 c OR ", 20) + "a",
		`"` + strings.Repeat("a ", 2000) + `"`,
		strings.Repeat("x-", 2000),
		"*" + strings.Repeat("x", 4000) + "*",
		"sort:relevance " + strings.Repeat("a b c ", 20) + strings.Repeat("d e ", 20),
		"sort:relevance a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff gg hh ii jj",
		"sort:relevance a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff project:" + strings.TrimSuffix(strings.Repeat("/x.y,", 96), ","),
		"latest-per:project,item,file,problem,approach,commit keep:3 count-by:project,item,file,problem,approach,commit",
	} {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			t.Errorf("%.60s: %v", text, err)
			continue
		}
		runAll(t, db, q.Compile(lexicon))
	}
}

func TestSavedQueries(t *testing.T) {
	t.Parallel()
	env := testEnv
	env.Saved = map[string]string{
		"loop": "a query:pool", "pool": "query:loop", "self": "query:self", "bad": "is:opne", "worse": `"open`, "sorted": "a sort:date-asc limit:3",
		"empty": "", "b1": "query:empty OR query:deep", "deep": "x OR y",
	}
	for i := 2; i < 12; i++ {
		name := "b" + strings.Repeat("1", i)
		env.Saved[name] = strings.Repeat("query:b"+strings.Repeat("1", i-1)+" ", 2)
	}
	for _, c := range []struct{ query, want string }{
		{"query:sorted", "(word a) sort:date-asc limit:3"},
		{"query:sorted limit:7", "(word a) sort:date-asc limit:7"},
		{"b query:deep", "(and (word b) (or (word x) (word y)))"},
		{"query:empty", "(all)"},
		{"query:loop", "query-loop: the saved query \"loop\" contains itself"},
		{"query:self", "query-loop: the saved query \"self\" contains itself"},
		{"query:bad", "bad-saved-query: the saved query \"bad\" is wrong: unknown value \"opne\" for is:"},
		{"query:worse", "bad-saved-query: the saved query \"worse\" is wrong: the quote is never closed"},
		{"a OR query:sorted", "nested-directive: query:sorted contains sort:, which can stand only at the top level"},
		{"query:b11111111111", "too-many-terms: the query has more than 128 terms"},
	} {
		if got := outcome(t, c.query, env); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.query, got, c.want)
		}
	}
}

// outcome is the canonical form of a query, or its first error.
func outcome(t *testing.T, text string, env query.Env) string {
	t.Helper()
	q, err := query.Parse(text, env)
	if err == nil {
		return q.Canonical()
	}
	errs, ok := errors.AsType[query.Errors](err)
	if !ok {
		t.Fatalf("%s: %T", text, err)
	}
	if errs[0].Start < 0 || errs[0].End > len(text) {
		t.Errorf("%s: error at %d-%d", text, errs[0].Start, errs[0].End)
	}
	return errs[0].Code + ": " + errs[0].Message
}
