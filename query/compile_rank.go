package query

import (
	"slices"
	"strconv"
	"strings"

	"handex/query/internal/match"
	"handex/query/internal/text"
)

// Measured with the known-item queries of the benchmark, on 6,000 handoffs.
const (
	// newestCap is how many matches a word brings, the newest: 500 find less
	// than 1,000, and more than that find nothing else.
	newestCap = 2000
	// rankCap is how many of them are ranked, which means reading their text:
	// 150 find less than 300, and 2,000 find nothing that 500 do not.
	rankCap = 400
	// countCap is how far the handoffs that hold a word are counted.
	countCap = 10_000
)

// maxWishes bounds the words that are ranked by; more would be a text to
// compare, not words to remember.
const maxWishes = 32

func (q *Query) ranked() bool {
	return len(q.Sort) > 0 && q.Sort[0].Key == relevance
}

// rank plans sort:relevance, and reports false where nothing can be ranked.
func (c *compiler) rank(p *Plan, q *Query, also []Condition) bool {
	var rest []Expr
	for _, x := range conjuncts(q.Expr) {
		t, ok := x.(Text)
		switch {
		case !ok || !t.isWish():
			rest = append(rest, x)
		case len(p.wishes) < maxWishes:
			p.wishes = append(p.wishes, t)
		default:
			c.notes = appendNew(c.notes, "ranked by the first 32 words; the others are left out")
		}
	}
	if len(p.wishes) == 0 {
		c.notes = append(c.notes, "no plain words to rank by: newest first")
		return false
	}
	p.Ranked, p.Cap = true, rankCap
	r := &ranking{compiler: c, query: q, wishes: p.wishes, rest: rest, also: also}
	p.count = r.matches(Or{r.either()})
	p.Page = r.page()
	return true
}

// isWish reports whether a condition is a bare word: one that need not be
// there. Words of scripts without spaces, and signs, are told from *text* by
// what they are made of.
func (t Text) isWish() bool {
	switch t.Kind {
	case TextWord, TextExact:
		return t.Field == ""
	case TextContains:
		return t.Field == "" && (!text.HasToken(t.Text) || strings.ContainsFunc(t.Text, text.IsSpaceless))
	case TextPhrase, TextPrefix, TextRegex, TextFuzzy, TextNear:
	}
	return false
}

// A ranking is the SQL of sort:relevance. Which matches are worth reading is
// told by the index: those that hold most of the words, a rare word weighing
// more, and a long text less, which holds many words by chance. In what order
// they come is told by their text (relevance.go).
type ranking struct {
	*compiler
	query  *Query
	wishes []Text
	rest   []Expr // the other conditions
	also   []Condition
}

func (r *ranking) either() []Expr {
	list := make([]Expr, len(r.wishes))
	for i, t := range r.wishes {
		list[i] = t
	}
	return list
}

// matches yields the ids of what meets x and all other conditions.
func (r *ranking) matches(x Expr) Statement {
	return r.base(r.query, Simplify(And{append(slices.Clip(r.rest), x)}), r.also).ids()
}

// page yields the hits asked for.
func (r *ranking) page() Statement {
	var f frag
	sep := "WITH "
	table := func(head string) {
		f.add(sep + head)
		sep = "), "
	}
	for i, t := range r.wishes {
		table("w" + strconv.Itoa(i) + "(id) AS MATERIALIZED (")
		f.addFrag(newest(r.matches(t), newestCap))
	}
	table("word(n, weight) AS MATERIALIZED (")
	r.weights(&f)
	table("c(id) AS MATERIALIZED (")
	r.candidates(&f)
	table("text(id, found) AS MATERIALIZED (")
	f.add("SELECT b.id, handex_relevance(?, (SELECT group_concat(weight, ' ') FROM (SELECT weight FROM word ORDER BY n)), "+bodyColumns(match.TextColumns)+") FROM c CROSS JOIN body b ON b.id = c.id", match.JSON(r.spec()))
	f.add(") SELECT id, CAST(found AS REAL) AS score, substr(found, instr(found, ' ') + 1) AS held FROM text ORDER BY score DESC, id DESC")
	limit(&f, r.query)
	return f.statement()
}

// newest keeps the newest of the ids.
func newest(ids Statement, limit int64) frag {
	return frag{"SELECT id FROM (" + ids.SQL + ") ORDER BY 1 DESC LIMIT ?", append(slices.Clip(ids.Args), limit)}
}

// weights yields the number and the weight of each word. A word of very many
// handoffs is counted in the newest, and compared with as many as those are
// of. Where the index cannot count the handoffs that hold a word, those found
// must do.
func (r *ranking) weights(f *frag) {
	for i, t := range r.wishes {
		if i > 0 {
			f.add(" UNION ALL ")
		}
		n := strconv.Itoa(i)
		limit, counted := int64(newestCap), frag{sql: "SELECT id FROM w" + n}
		if leaf := r.leaf(t); leaf.Check == "" {
			limit = countCap
			counted = frag{"SELECT rowid AS id FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT ?", []any{wholeMatch(leaf.Match), limit}}
		}
		f.add("SELECT "+n+", handex_rarity(n, CASE WHEN n < ? THEN (SELECT count(*) FROM handoff) ELSE (SELECT count(*) FROM handoff WHERE id >= first) END) FROM (SELECT count(*) AS n, min(id) AS first FROM ("+counted.sql+"))", append([]any{limit}, counted.args...)...)
	}
}

// candidates yields what is ranked. Each word brings its newest matches, so
// that no rare word is lost among the matches of a common one, and so do all
// words together.
func (r *ranking) candidates(f *frag) {
	if r.query.LatestPer != nil {
		f.addFrag(newest(r.matches(Or{r.either()}), rankCap))
		return
	}
	f.add("SELECT id FROM (")
	if len(r.wishes) > 1 {
		f.add("SELECT id, (SELECT sum(weight) FROM word) AS weight FROM (")
		f.addFrag(newest(r.matches(And{r.either()}), rankCap))
		f.add(") UNION ALL ")
	}
	for i := range r.wishes {
		if i > 0 {
			f.add(" UNION ALL ")
		}
		n := strconv.Itoa(i)
		f.add("SELECT w" + n + ".id, word.weight FROM word CROSS JOIN w" + n + " WHERE word.n = " + n)
	}
	f.add(") JOIN handoff h USING (id) GROUP BY id ORDER BY round(sum(weight * weight) / (1 + h.words / 5000.0), 6) DESC, id DESC LIMIT ?", int64(rankCap))
}

func (r *ranking) spec() []match.Spec {
	s := make([]match.Spec, len(r.wishes))
	for i, t := range r.wishes {
		s[i] = r.compiler.spec(t)
	}
	return s
}

// Missing reads the third column of a ranked page: the words asked for that
// the hit lacks.
func (p *Plan) Missing(held string) []string {
	has := map[string]bool{}
	for n := range strings.SplitSeq(held, ",") {
		has[n] = true
	}
	var missing []string
	for i, t := range p.wishes {
		if !has[strconv.Itoa(i)] {
			missing = append(missing, t.Text)
		}
	}
	return missing
}
