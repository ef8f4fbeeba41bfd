package query

import (
	"slices"
	"strconv"
	"strings"
)

// rankCap is how many of the newest matches of each word are ranked. bm25 is
// linear in what it ranks, and older matches of common words are seldom
// wanted.
const rankCap = 2000

// maxWishes bounds the words that are ranked by; more would be a text to
// compare, not words to remember.
const maxWishes = 32

// weights of the columns of fts for bm25, in its order: done, title, heading,
// goal, state, next, gotchas, risks, blockers, the others, and 0 for meta.
const weights = "2, 8, 1, 8, 2, 4, 4, 2, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0"

func (q *Query) ranked() bool {
	return len(q.Sort) > 0 && q.Sort[0].Key == relevance
}

// rank plans sort:relevance, and reports false where nothing can be ranked.
func (c *compiler) rank(p *Plan, q *Query, also []Condition) bool {
	var rest []Expr
	for _, x := range conjuncts(q.Expr) {
		t, ok := x.(Text)
		isWish := ok && t.Field == "" && (t.Kind == TextWord || t.Kind == TextExact)
		switch {
		case isWish && len(p.wishes) < maxWishes:
			p.wishes = append(p.wishes, t)
		case isWish:
			c.notes = appendNew(c.notes, "ranked by the first 32 words; the others must be there")
			fallthrough
		default:
			rest = append(rest, x)
		}
	}
	if len(p.wishes) == 0 {
		c.notes = append(c.notes, "no plain words to rank by: newest first")
		return false
	}
	p.Ranked, p.Cap = true, rankCap
	wishes := make([]string, len(p.wishes))
	either := make([]Expr, len(p.wishes))
	for i, t := range p.wishes {
		wishes[i] = c.leaf(t).Match
		either[i] = t
	}
	matches := c.base(q, Simplify(And{append(rest, Or{either})}), also)
	p.count = matches.ids()
	p.Page = c.ranking(q, wishes, c.candidates(q, rest, either, also))
	return true
}

// candidates yields the newest matches of all words together and of each word
// alone, so that a rare word is never lost among the matches of a common one.
func (c *compiler) candidates(q *Query, rest, either []Expr, also []Condition) frag {
	var f frag
	sets := append([]Expr{And{either}}, either...)
	if len(either) == 1 {
		sets = either
	}
	for i, set := range sets {
		if i > 0 {
			f.add(" UNION ")
		}
		b := c.base(q, Simplify(And{append(slices.Clip(rest), set)}), also)
		ids := b.ids()
		if q.LatestPer != nil {
			all := c.base(q, Simplify(And{append(slices.Clip(rest), Or{either})}), also).ids()
			f.add("SELECT id FROM ("+all.SQL+")", all.Args...)
			return f
		}
		f.add("SELECT id FROM ("+ids.SQL+" ORDER BY 1 DESC LIMIT ?)", append(ids.Args, int64(rankCap))...)
	}
	return f
}

// ranking orders the candidates: first by the words they hold, a rare word
// weighing more, then by bm25, then the newest.
func (c *compiler) ranking(q *Query, wishes []string, candidates frag) Statement {
	f := frag{sql: "WITH c(id) AS MATERIALIZED ("}
	f.addFrag(candidates)
	f.add("), held(id, wish, weight) AS MATERIALIZED (")
	for i, match := range wishes {
		if i > 0 {
			f.add(" UNION ALL ")
		}
		n := strconv.Itoa(i)
		match = wholeMatch(match)
		f.add("SELECT fts.rowid, "+n+", (SELECT handex_rarity(count(*), (SELECT count(*) FROM handoff)) FROM fts WHERE fts MATCH ?) FROM fts WHERE fts MATCH ? AND fts.rowid >= (SELECT min(id) FROM c) AND +fts.rowid IN (SELECT id FROM c)", match, match)
	}
	f.add("), words(id, weight, held) AS (SELECT id, sum(weight), group_concat(wish) FROM held GROUP BY id)")
	f.add(", scored(id, score) AS (SELECT fts.rowid, bm25(fts, "+weights+") FROM fts WHERE fts MATCH ? AND fts.rowid >= (SELECT min(id) FROM c) AND +fts.rowid IN (SELECT id FROM c))", wholeMatch(strings.Join(wishes, " OR ")))
	f.add(" SELECT s.id, -s.score AS score, w.held AS held FROM scored s JOIN words w ON w.id = s.id ORDER BY round(w.weight, 6) DESC, s.score, s.id DESC")
	limit(&f, q)
	return f.statement()
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
