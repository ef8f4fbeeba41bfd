package query_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// optionalTerms splits a query into the words a handoff may lack and the conditions it must meet.
// Bare words are optional; so are those of scripts without blanks and texts
// without a letter, which are found as they stand.
func optionalTerms(e query.Expr) (words []query.Text, conditions []query.Expr) {
	list := []query.Expr{e}
	if and, ok := e.(query.And); ok {
		list = and.List
	}
	for _, x := range list {
		if t, ok := x.(query.Text); ok && t.Field == "" && isOptionalTerm(t) {
			words = append(words, t)
		} else {
			conditions = append(conditions, x)
		}
	}
	return words, conditions
}

func isOptionalTerm(t query.Text) bool {
	switch t.Kind {
	case query.TextWord, query.TextExact:
		return true
	case query.TextContains:
		return strings.ContainsFunc(t.Text, spacelessLetter) || len(foldedWords(t.Text)) == 0
	case query.TextPhrase, query.TextPrefix, query.TextRegex, query.TextFuzzy, query.TextNear:
	}
	return false
}

// found is a handoff found and the words it lacks.
type found struct{ HID, Missing string }

// wished are the handoffs that meet all conditions and hold any of the words.
func (o oracle) wished(q *query.Query) (list []found, matches collection) {
	words, conditions := optionalTerms(q.Expr)
	for _, h := range o.handoffs {
		var missing []string
		for _, word := range words {
			if !o.holds(word, h) {
				missing = append(missing, word.Text)
			}
		}
		meets := !slices.ContainsFunc(conditions, func(x query.Expr) bool { return !o.holds(x, h) })
		if meets && len(missing) < len(words) {
			matches = append(matches, h)
			list = append(list, found{h.hid, strings.Join(missing, ",")})
		}
	}
	matches = newestOf(q, matches)
	return slices.DeleteFunc(list, func(f found) bool {
		return !slices.ContainsFunc(matches, func(h *handoff) bool { return h.hid == f.HID })
	}), matches
}

// drawWords draws words to be remembered by, and conditions beside them.
func (d drawer) drawWords() string {
	var list []string
	for range rapid.IntRange(1, 4).Draw(d.T, "words") {
		word := strings.TrimFunc(d.word(), unicode.IsPunct)
		list = append(list, d.textOr(word))
	}
	if chance(d.T, 3) {
		list = append(list, "("+d.leaf()+")")
	}
	return strings.Join(list, " ") + d.directives("latest-per", "facets")
}

// TestFindEqualsOracle checks that best match finds what holds any of the words
// and meets all conditions, tells what each lacks, and scores it.
func TestFindEqualsOracle(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	var n draws
	rapid.Check(t, func(rt *rapid.T) {
		a := asked{TB: rt, tb: t, db: db, oracle: oracle{handoffs: drawCollection(rt)}}
		a.lay(true)
		for range queriesDrawn {
			text := drawer{rt, a.handoffs}.drawWords()
			q, err := query.Find(text, oracleEnv)
			n.all++
			if err != nil {
				continue
			}
			n.read++
			a.knows = chance(rt, 2)
			if some := a.with(text, q).checkFound(); some > 0 && some < len(a.handoffs) {
				n.telling++
			}
		}
	})
	n.check(t)
}

// checkFound compares what is found with the oracle, and counts it.
func (a asked) checkFound() int {
	a.Helper()
	want, matches := a.wished(a.q)
	if words, _ := optionalTerms(a.q.Expr); len(words) == 0 {
		a.differ("page without words", a.page(a.q), hids(a.tb, a.db, a.plan))
		return 0
	}
	byID := map[int64]string{}
	for _, h := range a.handoffs {
		byID[h.id] = h.hid
	}
	var got []found
	for _, h := range hits(a.tb, a.db, a.plan) {
		got = append(got, found{byID[h.ID], h.Missing})
		if h.Score <= 0 {
			a.Fatalf("%s: score %v", a.text, h.Score)
		}
	}
	order := func(x, y found) int { return strings.Compare(x.HID, y.HID) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	a.differ("found", want, got)
	a.differ("count", len(matches), count(a.tb, a.db, a.plan.Count(0)))
	for i, name := range a.q.Facets {
		a.differ("facet "+name, matches.buckets([]string{name}), table(a.tb, a.db, a.plan.Facets[i].Statement))
	}
	return len(want)
}
