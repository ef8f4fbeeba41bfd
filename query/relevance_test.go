package query_test

import (
	order "cmp"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

// lay makes an index of handoffs, the first the newest; each is one column,
// named before a colon, or other.
func lay(tb testing.TB, db *sql.DB, texts ...string) {
	tb.Helper()
	for _, table := range []string{"handoff", "body", "file"} {
		if _, err := db.Exec("DELETE FROM " + table); err != nil {
			tb.Fatal(err)
		}
	}
	for i, text := range texts {
		column, rest, ok := strings.Cut(text, ":")
		if !ok {
			column, rest = "other", text
		}
		row{hid: fmt.Sprint(i + 1), id: int64(1_000_000 - i), date: "2026-02-10", project: "/p", body: map[string]string{column: rest}}.insert(tb, db)
	}
}

func find(tb testing.TB, words string) *query.Plan {
	tb.Helper()
	q, err := query.Find(words, testEnv)
	if err != nil {
		tb.Fatalf("%s: %v", words, err)
	}
	return q.Compile(testWords)
}

// TestRelevance checks what brings a handoff to the front, one thing at a time.
func TestRelevance(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	far := strings.Repeat("and so on it goes ", 20)
	for _, c := range []struct {
		name, words string
		texts       []string
		want        string
	}{
		{"more words", "key mesh lock", []string{"key or key or key", "key mesh"}, "2 1"},
		{"all of few words", "key mesh", []string{"mesh or mesh or mesh", "key " + far + far + " mesh", "key", "key"}, "2 1 3 4"},
		{"not all of many", "key mesh lock rate user", []string{"key " + far + " mesh " + far + " lock " + far + " rate " + far + " user", "key mesh lock", "rate user", "rate user"}, "2 1 3 4"},
		{"all of few words but for stop words", "why does the key not mesh", []string{"why not; why does it not; the key", "key " + far + far + " mesh", "key", "mesh"}, "2 1 4 3"},
		{"all of few stop words", "to do", []string{"to", "to " + far + far + " do", "do"}, "2 1 3"},
		{"words that stand near each other", "key mesh lock rate user", []string{"key mesh lock " + far + " rate user " + far, "key mesh lock " + far[:60] + " rate user " + far + far[60:]}, "2 1"},
		{"the rarer word", "key mesh", []string{"key", "key", "key", "mesh"}, "4 1 2 3"},
		{"more often", "key", []string{"key mesh lock", "key on key lock"}, "2 1"},
		{"the shorter text", "key", []string{"key " + far, "key"}, "2 1"},
		{"the word as it is written", "token", []string{"tokens", "token"}, "2 1"},
		{"two words of a few in another form before one as written", "refresh token", []string{"refresh", "refreshes tokens"}, "2 1"},
		{"words that stand together", "key mesh", []string{"key " + far + " mesh", far + " key mesh"}, "2 1"},
		{"words in one column", "key mesh", []string{"key " + far + " mesh", "mesh key " + far}, "2 1"},
		{"the title", "key", []string{"other:key", "title:key"}, "2 1"},
		{"what is in the way", "key", []string{"next:key", "blockers:key"}, "2 1"},
		{"of equals the newer", "key", []string{"key", "key"}, "1 2"},
		{"a name of several tokens", "token_refresh", []string{"refresh token", "a token_refresh", "token refresh token refresh"}, "3 2"},
		{"a name across columns is none", "token_refresh", []string{"token", "refresh"}, ""},
		{"words without spaces between", "日本 key", []string{"key", "日本語のメモ key", "日本語"}, "2 1 3"},
		{"words without spaces between alone", "日本", []string{"メモ", "日本語のメモ"}, "2"},
		{"a sign beside words", "§§ key", []string{"key", "§§ key"}, "2 1"},
		{"a part of a word is a condition", "*oke* key", []string{"key", "smoked key", "smoked"}, "2"},
		{"a phrase is a condition", `"a key" mesh`, []string{"mesh", "a key", "a key mesh"}, "3"},
		{"letters with marks", "cafe Straße", []string{"key", "Café — STRASSE", "a straße—Cafe\u0301"}, "3 2"},
		{"nothing", "key", []string{"mesh"}, ""},
	} {
		lay(t, db, c.texts...)
		if diff := cmp.Diff(c.want, strings.Join(hids(t, db, find(t, c.words)), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// hit is a row of a ranked page.
type hit struct {
	ID      int64
	Score   float64
	Missing string
}

// hits ranks what a plan yields, the best so many by their texts before the next.
func hits(tb testing.TB, db *sql.DB, p *query.Plan) []hit {
	tb.Helper()
	found := candidates(tb, db, p)
	var list []hit
	for from := 0; from < found.Len(); from += query.Share {
		ids := firstOf(tb, db, found, from+query.Share)
		list = append(list, rankTexts(tb, db, p, p.Texts(ids[from:], found.Weights))...)
	}
	return list
}

func firstOf(tb testing.TB, db *sql.DB, found *query.Candidates, n int) []int64 {
	tb.Helper()
	ids, err := found.First(n, func(st query.Statement) (value string, err error) {
		return value, db.QueryRow(st.SQL, st.Args...).Scan(&value)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return ids
}

func rankTexts(tb testing.TB, db *sql.DB, p *query.Plan, texts query.Statement) (list []hit) {
	tb.Helper()
	rows, err := db.Query(texts.SQL, texts.Args...)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			tb.Fatal(err)
		}
		r := query.ParseRelevance(text)
		list = append(list, hit{id, r.Score, strings.Join(p.Missing(r.Held), ",")})
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	slices.SortFunc(list, func(a, b hit) int {
		return order.Or(order.Compare(b.Score, a.Score), order.Compare(b.ID, a.ID))
	})
	return list
}

// candidates returns the matches of a ranked plan, and checks how many it knows of.
func candidates(tb testing.TB, db *sql.DB, p *query.Plan) *query.Candidates {
	tb.Helper()
	rows, err := db.Query(p.Page.SQL, p.Page.Args...)
	if err != nil {
		tb.Fatalf("%v\n%s\n%q", err, p.Page.SQL, p.Page.Args)
	}
	defer rows.Close()
	var list []query.WordMatches
	for rows.Next() {
		var w query.WordMatches
		if err := rows.Scan(&w.Word, &w.Weight, &w.IDs); err != nil {
			tb.Fatal(err)
		}
		list = append(list, w)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	found := p.Candidates(list)
	// Of more than 2,000 it is enough to know that.
	if n := count(tb, db, p.Count(0)); found.Found >= 0 && min(found.Found, 2001) != min(n, 2001) {
		tb.Errorf("%d found\n%s", found.Found, p.Page.SQL)
	}
	return found
}

// TestScore checks scores that were reckoned by hand. Each word is in 1 handoff
// of 3 and weighs w = ln(1 + 2.5/1.5) = 0.980829; alone in a passage it adds 3w, in a
// wide one w, and as it is all words asked for, 6.2w.
func TestScore(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	lay(t, db, "title:a b key c", "mesh", "tokens")
	for _, c := range []struct {
		words string
		want  []hit
	}{
		// A title counts 4, of 4 tokens: w * 4 * 2.2 / (4 + 1.2*4/500) = 2.152659.
		{"key", []hit{{1_000_000, 12.157116, ""}}},
		// Once, of 1 token: w * 2.2 / (1 + 1.2/500) = 2.152659.
		{"mesh", []hit{{999_999, 12.157116, ""}}},
		// Another form counts 0.3: w * 0.3 * 2.2 / (0.3 + 1.2/500) = 2.140700.
		{"token", []hit{{999_998, 12.145157, ""}}},
		{"key mesh", []hit{{1_000_000, 6.075975, "mesh"}, {999_999, 6.075975, "key"}}},
	} {
		got := hits(t, db, find(t, c.words))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.words, diff)
		}
	}
}

// TestRelevanceCap checks that a rare word is found however many newer handoffs
// hold the common ones, and how many are ranked.
func TestRelevanceCap(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	texts := append(slices.Repeat([]string{"key"}, 2100), "key mesh", "lock", "mesh")
	lay(t, db, texts...)
	p := find(t, "key mesh limit:0")
	got := hits(t, db, p)
	if n := count(t, db, p.Count(0)); len(got) != 400 || p.Cap != 400 || n != 2102 {
		t.Errorf("%d hits, cap %d, count %d", len(got), p.Cap, n)
	}
	want := []hit{{ID: 997_900, Missing: ""}, {ID: 997_898, Missing: "key"}, {ID: 1_000_000, Missing: "mesh"}, {ID: 999_999, Missing: "mesh"}}
	for i := range want {
		got[i].Score = 0
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestManyTerms checks that a long text is no filter.
func TestManyTerms(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	lay(t, db, "key", "mesh")
	words := make([]string, 33)
	for i := range words {
		words[i] = fmt.Sprintf("no%c%c", 'a'+i/26, 'a'+i%26)
	}
	words[31], words[32] = "key", "mesh"
	p := find(t, strings.Join(words, " "))
	if diff := cmp.Diff("1", strings.Join(hids(t, db, p), " ")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ranked by the first 32 words; the others are left out"}, p.Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
