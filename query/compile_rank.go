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
	// rankCap is how many of them are ranked.
	rankCap = 400
	// readShare is how many of them are read at a time, which costs most of a search:
	// the best so many are ranked by their texts before the next. 100 find less
	// than 140, and 400 find hardly more.
	readShare = 160
)

// maxOptionalTerms bounds the words that are ranked by; more would be a text to
// compare, not words to remember.
const maxOptionalTerms = match.MaxTerms

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
	p.ranking = r.page
	p.Page = r.page(p.firstRows(q))
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

// page yields the best so many of the ranked matches.
func (r *ranking) page(rows int) Statement {
	var f Statement
	specs := make([]match.Spec, len(r.terms))
	for i, t := range r.terms {
		specs[i] = r.leaf(t.(Text)).spec
		f.addAll(sql("w"+strconv.Itoa(i)+"(id) AS MATERIALIZED ("), newest(r.matches(t), newestCap), sql("), "))
	}
	f.addAll(sql("word(n, weight) AS MATERIALIZED ("), r.weights())
	f.add("), weights(list) AS MATERIALIZED (SELECT group_concat(weight, ' ') FROM (SELECT weight FROM word ORDER BY n))")
	f.addAll(sql(", c(id, promise) AS MATERIALIZED ("), r.candidates(rows))
	f.add("), shared(id, share) AS MATERIALIZED ("+
		"SELECT id, (row_number() OVER (ORDER BY promise DESC, id DESC) - 1) / ? FROM c)", int64(readShare))
	f.add(", text(id, share, found) AS MATERIALIZED (SELECT b.id, c.share, handex_relevance(?, (SELECT list FROM "+
		"weights), "+
		bodyColumns(match.SearchedColumns)+") FROM shared c CROSS JOIN body b ON b.id = c.id)", match.JSON(specs))
	f.add(", row(id, share, score, held, name, file) AS MATERIALIZED (SELECT id, share, found ->> 0, found ->> 1, " +
		"found ->> 2, (SELECT file_id FROM handoff h WHERE h.id = text.id) FROM text)")
	// Only files with one name can be versions.
	f.add(" SELECT id, score, held, CASE WHEN min(file) OVER same < max(file) OVER same THEN file || ' ' || " +
		"(SELECT handex_sketch(" + bodyColumns(match.SearchedColumns) + ") FROM body b WHERE b.id = row.id) ELSE '' END " +
		"AS sketch FROM row WINDOW same AS (PARTITION BY name) ORDER BY share, score DESC, id DESC")
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
		list[i] = sql("SELECT " + n + " AS n, count(*) AS found, min(id) AS first FROM ")
		if leaf := r.leaf(t.(Text)); leaf.Check != "" || r.unconditional() {
			list[i].add("w" + n)
			continue
		}
		list[i].add("(SELECT rowid AS id FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT ?)",
			wholeMatch(r.leaf(t.(Text)).Match), int64(newestCap))
	}
	f := sql("SELECT n, handex_rarity(found, CASE WHEN found < ? THEN (SELECT count(*) FROM handoff)"+
		" ELSE (SELECT count(*) FROM handoff INDEXED BY handoff_words WHERE id >= first) END) FROM (", int64(newestCap))
	f.addAll(joined(list, " UNION ALL "), sql(")"))
	return f
}

// unconditional reports whether all handoffs with a word match.
func (r *ranking) unconditional() bool {
	return len(r.rest) == 0 && len(r.also) == 0 && r.query.LatestPer == nil
}

// candidates yields the best so many of what is ranked, best first. Each word brings
// its newest matches, so that no rare word is lost among the matches of a common one,
// and so do all words together. Each match has a bit for each word that brought it.
func (r *ranking) candidates(rows int) Statement {
	if r.query.LatestPer != nil {
		f := sql("SELECT id, 0 AS promise FROM (")
		f.addAll(newest(r.matches(Or{r.terms}), int64(rows)), sql(")"))
		return f
	}
	ways := make([]Statement, len(r.terms), len(r.terms)+1)
	for i := range r.terms {
		ways[i] = sql("SELECT " + strconv.Itoa(1<<i) + " AS bit, id FROM w" + strconv.Itoa(i))
	}
	if len(r.terms) > 1 {
		all := sql("SELECT " + strconv.Itoa(1<<maxOptionalTerms) + ", id FROM (")
		all.addAll(newest(r.matches(And{r.terms}), rankCap), sql(")"))
		ways = append(ways, all)
	}
	f := sql("SELECT id, handex_promise(bits, (SELECT list FROM weights), h.words) AS promise" +
		" FROM (SELECT id, sum(bit) AS bits FROM (")
	f.addAll(joined(ways, " UNION ALL "), sql(") GROUP BY id) CROSS JOIN handoff h INDEXED BY handoff_words USING (id)"+
		" ORDER BY promise DESC, id DESC LIMIT ?", int64(rows)))
	return f
}

// firstRows returns how many rows a page needs at least: whole shares.
func (p *Plan) firstRows(q *Query) int {
	if q.Limit == 0 {
		return p.Cap
	}
	return min((q.Offset+q.Limit+readShare-1)/readShare*readShare, p.Cap)
}

// Further returns the page of a ranked plan with more rows than it yielded, at least
// twice as many if there are as many, and false if it yields all.
func (p *Plan) Further(rows int) (page Statement, ok bool) {
	if rows < readShare || rows >= p.Cap || rows%readShare != 0 {
		return page, false
	}
	return p.ranking(min(2*rows, p.Cap)), true
}

// A Sketch is enough of a text to tell almost the same ones.
type Sketch = match.Sketch

// ParseSketch reads the fourth column of a ranked page.
func ParseSketch(text string) Sketch { return match.ParseSketch(text) }

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
