package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/match"
	"github.com/OWNER/handex/query/internal/text"
)

// Measured with the known-item queries of the benchmark, on 6,000 handoffs.
const (
	// newestCap is how many matches a word brings, the newest: 500 find less
	// than 1,000, and more than that find nothing else.
	newestCap = 2000
	// rankCap is how many of them are ranked, which means reading their text:
	// 150 find less than 300, and 2,000 find nothing that 500 do not.
	rankCap = 400
	// countCap is how far the handoffs that contain a word are counted.
	countCap = 10_000
)

// maxOptionalTerms bounds the words that are ranked by; more would be a text to
// compare, not words to remember.
const maxOptionalTerms = 32

func (q *Query) ranked() bool {
	return len(q.Sort) > 0 && q.Sort[0].Key == relevance
}

// rank plans sort:relevance, and reports false where nothing can be ranked.
func (c *compiler) rank(p *Plan, q *Query, also []Condition) bool {
	r := &ranking{compiler: c, query: q, also: also}
	for _, x := range conjuncts(q.Expr) {
		t, ok := x.(Text)
		switch {
		case !ok || !t.isOptionalTerm():
			r.rest = append(r.rest, x)
		case len(r.terms) < maxOptionalTerms:
			r.terms = append(r.terms, x)
			p.words = append(p.words, t.Text)
		default:
			c.notes = appendNew(c.notes, "ranked by the first 32 words; the others are left out")
		}
	}
	if len(r.terms) == 0 {
		c.notes = append(c.notes, "no plain words to rank by: newest first")
		return false
	}
	p.Ranked, p.Cap = true, rankCap
	p.count = r.matches(Or{r.terms})
	p.Page = r.page()
	return true
}

// isOptionalTerm reports whether a condition is a bare word: one that need not be
// there. Words of scripts without spaces, and signs, are distinguished from
// *text* by their characters.
func (t Text) isOptionalTerm() bool {
	switch t.Kind {
	case TextWord, TextExact:
		return t.Field == ""
	case TextContains:
		return t.Field == "" && (!text.HasToken(t.Text) || strings.ContainsFunc(t.Text, text.IsSpaceless))
	}
	return false
}

// A ranking is the SQL of sort:relevance. The index decides which
// matches are read: those that contain most of the words, a rare word weighing
// more, and a long text less, which contains many words by chance. Their text
// decides the order (handex_relevance).
type ranking struct {
	*compiler
	query *Query
	terms []Expr
	rest  []Expr // the other conditions
	also  []Condition
}

// matches yields the ids of what meets x and all other conditions.
func (r *ranking) matches(x Expr) Statement {
	return r.base(r.query, Simplify(And{append(slices.Clip(r.rest), x)}), r.also).ids()
}

// page yields the hits asked for.
func (r *ranking) page() Statement {
	var f Statement
	specs := make([]match.Spec, len(r.terms))
	for i, t := range r.terms {
		specs[i] = r.leaf(t.(Text)).spec
		f.addAll(sql("w"+strconv.Itoa(i)+"(id) AS MATERIALIZED ("), newest(r.matches(t), newestCap), sql("), "))
	}
	f.addAll(sql("word(n, weight) AS MATERIALIZED ("), r.weights())
	f.addAll(sql("), c(id) AS MATERIALIZED ("), r.candidates())
	f.add("), text(id, found) AS MATERIALIZED (SELECT b.id, handex_relevance(?, "+
		"(SELECT group_concat(weight, ' ') FROM (SELECT weight FROM word ORDER BY n)), "+
		bodyColumns(match.SearchedColumns)+") FROM c CROSS JOIN body b ON b.id = c.id)", match.JSON(specs))
	f.add(" SELECT id, CAST(found AS REAL) AS score, substr(found, instr(found, ' ') + 1) AS held" +
		" FROM text ORDER BY score DESC, id DESC")
	f.addLimit(r.query)
	f.SQL = "WITH " + f.SQL
	return f
}

// newest returns SQL for the newest of the ids.
func newest(ids Statement, limit int64) Statement {
	f := sql("SELECT id FROM (")
	f.addAll(ids, sql(") ORDER BY 1 DESC LIMIT ?", limit))
	return f
}

// weights yields the number and the weight of each word. A word of very many
// handoffs is counted in the newest, and compared with as many as those are
// of. Where the index cannot count the handoffs that contain a word, those
// found are counted.
func (r *ranking) weights() Statement {
	list := make([]Statement, len(r.terms))
	for i, t := range r.terms {
		n := strconv.Itoa(i)
		limit, counted := int64(newestCap), sql("SELECT id FROM w"+n)
		if leaf := r.leaf(t.(Text)); leaf.Check == "" {
			limit = countCap
			counted = sql("SELECT rowid AS id FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT ?", wholeMatch(leaf.Match),
				limit)
		}
		list[i] = sql("SELECT "+n+", handex_rarity(n, CASE WHEN n < ? THEN (SELECT count(*) FROM handoff) "+
			"ELSE (SELECT count(*) FROM handoff WHERE id >= first) END) FROM (SELECT count(*) AS n, min(id) AS first FROM (", limit)
		list[i].addAll(counted, sql("))"))
	}
	return joined(list, " UNION ALL ")
}

// candidates yields what is ranked. Each word brings its newest matches, so
// that no rare word is lost among the matches of a common one, and so do all
// words together.
func (r *ranking) candidates() Statement {
	if r.query.LatestPer != nil {
		return newest(r.matches(Or{r.terms}), rankCap)
	}
	ways := make([]Statement, len(r.terms))
	for i := range r.terms {
		n := strconv.Itoa(i)
		ways[i] = sql("SELECT " + n + " AS n, id FROM w" + n)
	}
	// Table word is named once, not in each way: SQLite limits how many parts a
	// statement has once its tables are written out.
	f := sql("SELECT id FROM (SELECT id, weight FROM word CROSS JOIN (")
	f.addAll(joined(ways, " UNION ALL "), sql(") USING (n)"))
	if len(r.terms) > 1 {
		f.addAll(sql(" UNION ALL SELECT id, (SELECT sum(weight) FROM word) FROM ("), newest(r.matches(And{r.terms}), rankCap), sql(")"))
	}
	f.addAll(sql(") JOIN handoff h USING (id) GROUP BY id ORDER BY "+
		"round(sum(weight * weight) / (1 + h.words / 5000.0), 6) DESC, id DESC LIMIT ?", int64(rankCap)))
	return f
}

// Missing reads the third column of a ranked page: the words asked for that
// the hit lacks.
func (p *Plan) Missing(held string) []string {
	has := strings.Split(held, ",")
	var missing []string
	for i, word := range p.words {
		if !slices.Contains(has, strconv.Itoa(i)) {
			missing = append(missing, word)
		}
	}
	return missing
}
