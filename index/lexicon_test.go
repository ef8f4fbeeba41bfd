package index_test

import (
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// mixedHouse is an index of projects that share names, by every way a project
// has one, and of words of every kind. Half of it came by a refresh.
func mixedHouse(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.write("web/shop/.git/HEAD", "")
	h.write("old/shop/.git/HEAD", "")
	h.write("old/bookshop/.git/HEAD", "")
	h.write("Łódź/.git/HEAD", "")
	h.write("web/shop/docs/handoffs/2026-02-01-a.md", "# Handoff\n\n**Status:** in progress\n\n## Next\n\n- preissue the tokens, façade 3e1f9a7\n")
	h.write("old/shop/docs/handoffs/2026-02-02-b.md", "# Handoff\n\n**Project:** Shop\n**Status:** complete\n\n## Done\n\n- 日本語の認証 token_refresh\n")
	h.write("old/bookshop/docs/handoffs/2026-02-03-c.md", "# Handoff\n\n**Project:** shop-2\n**Status:** blocked\n\n## Next\n\n- reissued tokens, a FAÇADE §§\n")
	h.refresh()
	h.write("Łódź/docs/handoffs/2026-02-04-d.md", "# Handoff\n\n**Project:** SHOP\n\n## Next\n\n- straße, issue x0p1 and x0sblocked, 本\n")
	h.write(".claude/handoffs/-srv-shop/eeee1111.md", note("2026-02-05", "eeee1111", "pre-issue", "tissues of 3e1fffff"))
	h.write(".claude/handoffs/-srv-x-shop/ffff1111.md", note("2026-02-06", "ffff1111", "facades", "the "+strings.Repeat("abcdefghij", 20)))
	h.write("web/shop/.flow-guardian/handoff.yaml", "goal: login\nstatus: blocked\nnow: a token\nnext: issue 認証\n")
	h.refresh()
	return h
}

func TestContaining(t *testing.T) {
	t.Parallel()
	h := mixedHouse(t)
	lex := h.Lexicon(t.Context())
	for _, c := range []struct {
		part  string
		most  int
		words string
		ok    bool
	}{
		{"ssue", 9, "issue preissue reissued tissues", true},
		{"ssue", 3, "", false},
		{"facade", 9, "facade facades", true},
		{"3e1f", 9, "3e1f9a7 3e1fffff", true},
		{"本", 9, "日本語の認証 本", true},
		{"認証", 9, "日本語の認証 認証", true},
		{"ß", 9, "straße", true},
		{"jabcdefghija", 9, strings.Repeat("abcdefghij", 20), true},
		{"nowhere", 9, "", true},
		{"*", 9, "", true},
		{"[i]ss", 9, "", true},
	} {
		words, ok := lex.Containing(c.part, c.most)
		slices.Sort(words)
		if got := strings.Join(words, " "); ok != c.ok || ok && got != c.words {
			t.Errorf("%s, %d: %q %t, want %q %t", c.part, c.most, got, ok, c.words, c.ok)
		}
	}
	if err := lex.Err(); err != nil {
		t.Error(err)
	}
}

func TestBeginning(t *testing.T) {
	t.Parallel()
	h := mixedHouse(t)
	lex := h.Lexicon(t.Context())
	for _, c := range []struct {
		prefix string
		most   int
		words  string
		ok     bool
	}{
		{"facade", 9, "facade facades", true},
		{"facade", 1, "", false},
		{"3e1f", 2, "3e1f9a7 3e1fffff", true},
		{"日", 9, "日本語の認証", true},
		{"stra\u00df", 9, "straße", true},
		{"nowhere", 9, "", true},
		{"", 9, "", false},
	} {
		words, ok := lex.Beginning(c.prefix, c.most)
		if got := strings.Join(words, " "); ok != c.ok || ok && got != c.words {
			t.Errorf("%s, %d: %q %t, want %q %t", c.prefix, c.most, got, ok, c.words, c.ok)
		}
	}
	if err := lex.Err(); err != nil {
		t.Error(err)
	}
}

// fts5 keeps the first 32768 bytes of a word: what lies behind them is in no
// word of the index.
func TestContainingNeedsWholeWords(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	if _, ok := h.Lexicon(t.Context()).Containing("login", 9); !ok {
		t.Fatal("not known")
	}
	h.write("shop/HANDOFF.md", "# Handoff\n\n## Next\n\n- "+strings.Repeat("x", 40_000)+"zebra\n")
	h.refresh()
	if words, ok := h.Lexicon(t.Context()).Containing("zebra", 9); ok {
		t.Error(words)
	}
	h.expect("*zebra*", "shop/HANDOFF.md")
}

func TestMarks(t *testing.T) {
	t.Parallel()
	h := mixedHouse(t)
	lex := h.Lexicon(t.Context())
	for _, c := range []struct {
		field, value string
		exact        bool
		want         string // projects by their roots; "" if not known
	}{
		{"format", "Flow-Guardian", false, "x0fflowguardian"},
		{"status", "in-progress", true, "x0sinprogress"},
		{"project", "shop", false, "x0dshop /old/shop /web/shop"},
		{"project", "SHOP", true, "x0dshop /old/shop /web/shop"},
		{"project", "shop-2", false, "x0dshop2"},
		{"project", "-srv-shop", true, "x0dsrvshop -srv-shop"},
		{"project", "/srv/shop", false, "x0dsrvshop -srv-shop"},
		{"project", "/srv/x.shop", false, "x0dsrvxshop -srv-x-shop"},
		{"project", "Łódź", true, "x0dd /Łódź"},
		{"project", "Łódź", false, ""},
		{"project", "a\nb", true, ""},
		{"project", "a\xff", true, ""},
		{"project", "", true, ""},
		{"branch", "main", true, ""},
	} {
		tokens, ok := lex.Marks(c.field, c.value, c.exact)
		if got := h.marks(tokens); got != c.want || ok != (c.want != "") {
			t.Errorf("%s:%s exact %t: %q %t, want %q", c.field, c.value, c.exact, got, ok, c.want)
		}
	}
	if err := lex.Err(); err != nil {
		t.Error(err)
	}
}

// marks writes the root of a project, as far as it lies below the house, for its
// token, and sorts.
func (h *house) marks(tokens []string) string {
	h.t.Helper()
	st, err := h.Status(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	var roots []string
	list := []string{}
	for _, token := range tokens {
		if id, ok := strings.CutPrefix(token, "x0p"); ok {
			for _, r := range rawRows(h.t, st.Path, "SELECT root FROM project WHERE id = "+id) {
				roots = append(roots, r.Text("root"))
			}
		} else {
			list = append(list, token)
		}
	}
	slices.Sort(roots)
	for _, r := range roots {
		list = append(list, strings.TrimPrefix(r, h.root))
	}
	return strings.Join(list, " ")
}

// words is a lexicon that knows the forms of words and those near them alone.
type words struct {
	lexicon query.Lexicon
}

func (w words) Forms(word string) []string                { return w.lexicon.Forms(word) }
func (w words) Near(word string) []string                 { return w.lexicon.Near(word) }
func (words) Beginning(string, int) ([]string, bool)      { return nil, false }
func (words) Containing(string, int) ([]string, bool)     { return nil, false }
func (words) Marks(string, string, bool) ([]string, bool) { return nil, false }
func (words) HasProject(string) bool                      { return false }
func (words) SignMarks(string) string                     { return "" }

// What the index knows of words and fields makes a search faster and no other.
func TestExtensionsChangeNothing(t *testing.T) {
	t.Parallel()
	h := mixedHouse(t)
	db := h.database(t)
	lex := h.Lexicon(t.Context())
	ran, extended, found := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		text := askedFor(h).Draw(rt, "query")
		q, err := query.Parse(text, query.Env{Now: h.now, Zone: h.zone, Project: func() string { return h.path("old/shop") }})
		if err != nil {
			rt.Skip(err)
		}
		plain, full := q.Compile(words{lexicon: lex}), q.Compile(lex)
		want, got := idsOnPage(t, db, plain), idsOnPage(t, db, full)
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("%s (-without +with):\n%s\n%s %q", text, diff, full.Page.SQL, full.Page.Args)
		}
		ran++
		if plain.Page.SQL != full.Page.SQL {
			extended++
		}
		if len(got) > 0 {
			found++
		}
	})
	if lex.Err() != nil || ran == 0 || extended < ran/5 || found < ran/5 {
		t.Errorf("of %d queries %d differed in how they run, %d found something: %v", ran, extended, found, lex.Err())
	}
}

// database opens the file of the index.
func (h *house) database(t *testing.T) *sql.DB {
	t.Helper()
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+st.Path+"?_query_only=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestMetaTokens checks what package query relies on: all tokens of meta begin with x0.
func TestMetaTokens(t *testing.T) {
	t.Parallel()
	h := mixedHouse(t)
	db := h.database(t)
	var tokens string
	if err := db.QueryRow("SELECT group_concat(meta, ' ') FROM body").Scan(&tokens); err != nil || tokens == "" {
		t.Fatalf("%q, %v", tokens, err)
	}
	for _, token := range strings.FieldsFunc(tokens, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !strings.HasPrefix(token, "x0") {
			t.Errorf("%q", token)
		}
	}
}

func idsOnPage(tb testing.TB, db *sql.DB, p *query.Plan) []int64 {
	tb.Helper()
	rows, err := db.QueryContext(tb.Context(), p.Page.SQL, p.Page.Args...)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	ids := []int64{}
	for rows.Next() {
		var id int64
		to := []any{&id}
		if p.Counted {
			to = append(to, new(int))
		}
		if err := rows.Scan(to...); err != nil {
			tb.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return ids
}

// askedFor draws queries of the kinds that the extensions answer, alone and
// together.
func askedFor(h *house) *rapid.Generator[string] {
	texts := []string{
		"preissue the tokens, façade 3e1f9a7", "日本語の認証 token_refresh", "reissued tokens, a FAÇADE §§", "straße, issue x0p1 and x0sblocked, 本",
		"tissues of 3e1fffff", "abcdefghijabcdefghij", "issue 認証", "İſKkS",
	}
	piece := rapid.Custom(func(t *rapid.T) string {
		runes := []rune(rapid.SampledFrom(texts).Draw(t, "text"))
		from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
		return string(runes[from:min(len(runes), from+rapid.IntRange(1, 6).Draw(t, "length"))])
	})
	project := rapid.SampledFrom([]string{
		"shop", "SHOP", "Shop", "shop-2", "bookshop", "-srv-shop", "/srv/shop", "/srv/x.shop", "-srv-x-shop", ".", "Łódź", "łódź", "ŁÓDŹ", "s*", "op",
		h.path("old/shop"), strings.ToUpper(h.path("old/shop")), h.path("Łódź"), "shop,bookshop",
	})
	one := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			return "project:" + project.Draw(t, "project")
		case 1:
			return "project=" + project.Draw(t, "project")
		case 2:
			return "status:" + rapid.SampledFrom([]string{"blocked", "completed", "in-progress", "none", "blocked,completed"}).Draw(t, "status")
		case 3:
			return "format:" + rapid.SampledFrom([]string{"flow-guardian", "claude-suite", "markdown"}).Draw(t, "format")
		case 4:
			return "/" + strings.NewReplacer("/", ".", "\\", ".").Replace(piece.Draw(t, "pattern")) + rapid.SampledFrom([]string{"", ".*", "s?", "[a-z]+"}).Draw(t, "rest") + "/"
		case 5:
			return strconv.Quote(piece.Draw(t, "phrase"))
		case 6:
			return piece.Draw(t, "word") + "*"
		}
		return "*" + piece.Draw(t, "part") + "*"
	})
	return rapid.Custom(func(t *rapid.T) string {
		list := rapid.SliceOfN(one, 1, 3).Draw(t, "list")
		for i := range list {
			list[i] = rapid.SampledFrom([]string{"", "", "", "-"}).Draw(t, "sign") + list[i]
		}
		return strings.Join(list, rapid.SampledFrom([]string{" ", " ", " OR "}).Draw(t, "join"))
	})
}

// LANGUAGE.md tells which letters are read as others.
func TestLettersThatFold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(one, note("2026-02-01", "aaaa1111", "travel", "Łódź, København, Straße, Ærø, Đà Nẵng, résumé, ΣΊΣΥΦΟΣ, ﬁne"))
	h.refresh()
	for _, c := range []struct {
		queries string
		found   bool
	}{
		{"Łódź łódź ŁÓDŹ łodz ŁODZ łod* *łód* København københavn KØBENHAVN københ* Straße straße STRAẞE ærø đa resume RÉSUMÉ σίσυφοσ ΣΊΣΥΦΟΣ", true},
		{"lodz Lodz lod* kobenhavn strasse STRASSE aero aro da fine σισυφος *łod* \"łodz\" \"resume\"", false},
	} {
		for text := range strings.FieldsSeq(c.queries) {
			if got := len(h.found(text)) == 1; got != c.found {
				t.Errorf("%s: found %t", text, got)
			}
		}
	}
}
