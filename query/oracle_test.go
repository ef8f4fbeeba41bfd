package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"handex/query"
)

// The oracle looks for text without an index: SQL must find the same handoffs
// whatever it asks the index first.

var pieces = []string{
	"token", "tokens", "Token", "refresh", "token_refresh", "re-fresh", "jwt", "JWT", "café", "cafe", "Cafe\u0301", "日本", "日本語", "語", "§§", "->", "🧪", "😀", "x",
	"a.b", "C++", "ﬁx", "fix", "fixed", "STRASSE", "straße", "İx", "K", "k", "\u212a", "e\u0301", "one", "two", "three", "12", "1.2", "ⅷ", "한국어", "ไทย", "\u2028", "ſ", "s",
}

var separators = []string{" ", "\n", "  ", "-", ".", "", "_", ", ", "\u00a0", "/", "🧪", "\u0301"}

func drawText(t *rapid.T, label string, most int) string {
	var b strings.Builder
	for range rapid.IntRange(0, most).Draw(t, label) {
		b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
		b.WriteString(rapid.SampledFrom(separators).Draw(t, "separator"))
	}
	return b.String()
}

// drawLeaf draws a query for one piece of text.
func drawLeaf(t *rapid.T) string {
	text := drawText(t, "length", 3)
	word := strings.Join(strings.Fields(rapid.SampledFrom(pieces).Draw(t, "word")), "")
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1:
		return word
	case 2:
		return strings.Join(strings.Fields(text), "")
	case 3:
		return quoted
	case 4:
		return quoted + "*"
	case 5:
		return word + "*"
	case 6:
		return "*" + strings.Join(strings.Fields(text), `\ `) + "*"
	case 7:
		return "next:" + quoted
	case 8:
		return "(" + word + fmt.Sprintf(" NEAR/%d ", rapid.IntRange(0, 3).Draw(t, "distance")) + rapid.SampledFrom(pieces).Draw(t, "other") + ")"
	}
	return "(next:" + word + " OR title:" + word + "*)"
}

// drawQuery joins leaves by operators.
func drawQuery(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "stop") == 0 {
		return drawLeaf(t)
	}
	left, right := drawQuery(t, depth-1), drawQuery(t, depth-1)
	switch rapid.IntRange(0, 4).Draw(t, "operator") {
	case 0:
		return "(" + left + " OR " + right + ")"
	case 1:
		return left + " -" + right
	case 2:
		return "(" + left + " OR is:blocked " + right + ")"
	case 3:
		return "-(" + left + " " + right + ")"
	}
	return left + " " + right
}

func TestSearchEqualsOracle(t *testing.T) {
	db := openIndex(t)
	rapid.Check(t, func(rt *rapid.T) {
		for _, table := range []string{"handoff", "body", "file"} {
			if _, err := db.Exec("DELETE FROM " + table); err != nil {
				rt.Fatal(err)
			}
		}
		var rows []row
		for i := range rapid.IntRange(1, 4).Draw(rt, "rows") {
			r := row{
				hid: fmt.Sprintf("r%d", i), id: int64(100 - i), date: "2026-02-10", project: "/p", format: "alpha",
				body:   map[string]string{"next": drawText(rt, "next", 6), "title": drawText(rt, "title", 3), "other": drawText(rt, "other", 6)},
				fields: map[string]any{"blocked": rapid.IntRange(0, 1).Draw(rt, "blocked")},
			}
			rows = append(rows, r)
			r.insert(t, db)
		}
		text := drawQuery(rt, 3)
		q, err := query.Parse(text, testEnv)
		if err != nil {
			return
		}
		var want []string
		for _, r := range rows {
			if holds(q.Expr, r) {
				want = append(want, r.hid)
			}
		}
		if diff := cmp.Diff(want, hids(t, db, q.Compile(testWords))); diff != "" {
			rt.Fatalf("%s\n%s (-oracle +SQL):\n%s\n%s", text, q.Canonical(), diff, q.Compile(testWords).Page.SQL)
		}
		checkRoundTrip(t, q)
	})
}

// holds evaluates the expressions drawQuery makes.
func holds(e query.Expr, r row) bool {
	switch e := e.(type) {
	case query.All:
		return true
	case query.And:
		for _, x := range e.List {
			if !holds(x, r) {
				return false
			}
		}
		return true
	case query.Or:
		for _, x := range e.List {
			if holds(x, r) {
				return true
			}
		}
		return false
	case query.Not:
		return !holds(e.X, r)
	case query.Is:
		return r.fields["blocked"] == 1
	case query.Text:
		return holdsText(e, r)
	case query.None, query.Key, query.Amount, query.During, query.Has, query.Same:
	}
	return false
}

func holdsText(e query.Text, r row) bool {
	q := query.Query{Expr: e, Case: query.CaseAuto}
	leaf := q.Compile(testWords).Leaves[0]
	for column, text := range r.body {
		if (leaf.Columns == nil || leaf.Columns[0] == column) && len(leaf.Find(text)) > 0 {
			return true
		}
	}
	return false
}
