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
	p.Ranked, p.Cap, p.newest = true, rankCap, q.LatestPer != nil
	p.count = r.matches(Or{r.terms})
	p.Page = r.page()
	for _, t := range r.terms {
		p.specs = append(p.specs, r.leaf(t.(Text)).spec)
	}
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

// page yields the matches of each word, as WordMatches: its newest, so that
// no rare word is lost among the matches of a common one, and those of all words together.
// Of the latest of something only those are ranked that are the newest of all.
func (r *ranking) page() Statement {
	words := make([]Statement, len(r.terms))
	for i, t := range r.terms {
		words[i] = sql("SELECT "+strconv.Itoa(i)+" AS n, count(*) AS found, min(id) AS first, "+
			"group_concat(id) AS ids FROM (?)", newest(r.matches(t), newestCap))
	}
	ids, all := "coalesce(ids, '')", Expr(And{r.terms})
	if r.query.LatestPer != nil {
		ids, all = "''", Or{r.terms}
	}
	f := sql("WITH newest AS MATERIALIZED (?) SELECT n, CAST(weight AS TEXT), "+ids+" FROM (?) JOIN newest USING (n)",
		joined(words, " UNION ALL "), r.weights())
	if len(r.terms) > 1 || r.query.LatestPer != nil {
		f.add(" UNION ALL SELECT "+strconv.Itoa(len(r.terms))+", '', coalesce(group_concat(id), '') FROM (?)",
			newest(r.matches(all), rankCap))
	}
	return f
}

// newest returns SQL for the newest of the ids.
func newest(ids Statement, limit int64) Statement {
	return sql("? ORDER BY 1 DESC LIMIT ?", ids, limit)
}

// weights yields the number and the weight of each word. A word of very many
// handoffs is counted in the newest, and compared with as many as those are
// of. Where the index cannot count the handoffs that contain a word, those
// found are counted.
func (r *ranking) weights() Statement {
	counts := sql("SELECT n, found, first FROM newest")
	if !r.unconditional() {
		counts = r.counts()
	}
	// Handoffs newer than the first of several words are counted once.
	return sql("SELECT n, handex_rarity(found, CASE WHEN found < ? THEN coalesce((SELECT CAST(value AS INTEGER) FROM "+
		"state WHERE key = 'handoffs'), (SELECT count(*) FROM handoff)) ELSE sum(newer) OVER (PARTITION BY cut ORDER BY "+
		"first DESC) END) AS weight FROM (SELECT n, found, first, cut, CASE WHEN cut THEN (SELECT count(*) FROM handoff h "+
		"INDEXED BY handoff_words WHERE h.id >= first AND h.id < before) ELSE 0 END AS newer FROM (SELECT n, found, "+
		"first, found >= ? AS cut, lag(first, 1, 9223372036854775807) OVER (PARTITION BY found >= ? ORDER BY first DESC) "+
		"AS before FROM (?)))",
		int64(newestCap), int64(newestCap), int64(newestCap), counts)
}

// counts yields how many handoffs contain each word, whatever else is asked for.
func (r *ranking) counts() Statement {
	list := make([]Statement, len(r.terms))
	for i, t := range r.terms {
		n := strconv.Itoa(i)
		if leaf := r.leaf(t.(Text)); leaf.Check != "" {
			list[i] = sql("SELECT n, found, first FROM newest WHERE n = " + n)
			continue
		}
		list[i] = sql("SELECT "+n+" AS n, count(*) AS found, min(id) AS first FROM (SELECT rowid AS id FROM fts WHERE fts "+
			"MATCH ? ORDER BY rowid DESC LIMIT ?)", wholeMatch(r.leaf(t.(Text)).Match), int64(newestCap))
	}
	return joined(list, " UNION ALL ")
}

// unconditional reports whether all handoffs with a word match.
func (r *ranking) unconditional() bool {
	return len(r.rest) == 0 && len(r.also) == 0 && r.query.LatestPer == nil
}

// Texts yields what the texts of some matches say of how well they match, in columns id
// and relevance, which ParseRelevance reads. The weights are those that came with the
// matches.
func (p *Plan) Texts(ids []int64, weights []float64) Statement {
	return sql("SELECT b.id, handex_relevance(?, "+bodyColumns(match.SearchedColumns)+
		") FROM json_each(?) j CROSS JOIN body b ON b.id = j.value",
		match.JSON(match.Ranking{Words: p.specs, Weights: weights}), match.JSON(ids))
}

// Relevance is how well a text matches: of two with one score the newer is better. Missing
// reads the words that it has, and only texts of one name may be versions of one.
type Relevance = match.Relevance

// ParseRelevance reads the second column of Texts.
func ParseRelevance(text string) Relevance { return match.ParseRelevance(text) }

// Files yields the files that some handoffs are of, in columns id and file.
func Files(ids []int64) Statement {
	return sql("SELECT h.id, h.file_id FROM json_each(?) j CROSS JOIN handoff h ON h.id = j.value", match.JSON(ids))
}

// Sketches yields the sketches of some handoffs, which ParseSketch reads, in columns id and
// sketch.
func Sketches(ids []int64) Statement {
	return sql("SELECT b.id, handex_sketch("+bodyColumns(match.TextColumns)+
		") FROM json_each(?) j CROSS JOIN body b ON b.id = j.value", match.JSON(ids))
}

// Share is how many ranked matches are read at a time, which costs most of a search: the
// best so many are ranked by their texts before the next.
const Share = 160 // 100 find less than 140, and 400 find hardly more

// A Sketch is enough of a text to tell almost the same ones.
type Sketch = match.Sketch

// ParseSketch reads the second column of Sketches.
func ParseSketch(text string) Sketch { return match.ParseSketch(text) }

// Missing returns the words asked for that a hit lacks, by those that its Relevance has.
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
