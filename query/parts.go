package query

import (
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

// Part is one condition of a query that found nothing, and what to count to
// find out how it is to blame. Its queries have no directives but case:.
type Part struct {
	// Source is the condition in the language.
	Source string
	// Alone is the condition by itself, Without the query without it; nil if
	// there is nothing else.
	Alone, Without *Query
	// Word is the word searched for, if the condition is one: words near it
	// may be meant. Text is what is searched for as it was typed, of one word or of
	// words joined by signs: a name may be meant.
	Word, Text string
	// Field and Value are set if the condition compares a field with a name:
	// values near it may be meant. See Query.Values.
	Field, Value string

	query *Query
	at    int
}

// Parts returns the conditions that must all be met, in order; a query for everything
// has none.
func (q *Query) Parts() []Part {
	if isAll(q.Expr) {
		return nil
	}
	list := conjuncts(q.Expr)
	parts := make([]Part, len(list))
	p := printer{zone: q.zone}
	for i, e := range list {
		parts[i] = Part{Source: p.operand(e), Alone: q.with(e), query: q, at: i}
		if len(list) > 1 {
			parts[i].Without = q.with(And{append(append([]Expr{}, list[:i]...), list[i+1:]...)})
		}
		parts[i].name(e)
	}
	return parts
}

// name returns what near words or values could replace.
func (p *Part) name(e Expr) {
	switch e := e.(type) {
	case Text:
		if e.Kind != TextWord && e.Kind != TextExact {
			return
		}
		if len(text.Tokens(e.Text)) == 1 {
			p.Word = e.Text
		}
		if e.Field == "" {
			p.Text = e.Text
		}
	case Key:
		if f := lookup(e.Field); f.Kind != FieldClosed && (e.Op == KeyEqual || e.Op == KeyExact) {
			p.Field, p.Value = e.Field, e.Value
		}
	case All, None, And, Or, Not, Amount, During, Is, Has, Same:
	}
}

// Replace returns the query with another word or value in place of the part's, and the
// part as it is then written. Its text is the whole query. It must have a Word or a Value.
func (p *Part) Replace(with string) (q *Query, source string) {
	list := append([]Expr{}, conjuncts(p.query.Expr)...)
	switch e := list[p.at].(type) {
	case Text:
		e.Text = with
		list[p.at] = e
	case Key:
		e.Value = with
		list[p.at] = e
	case All, None, And, Or, Not, Amount, During, Is, Has, Same:
	}
	return p.instead(list), printer{zone: p.query.zone}.operand(list[p.at])
}

// ReplaceWith returns the query of another condition, and the whole query with that
// condition in place of the part. ok is false if it is no condition.
func (p *Part) ReplaceWith(condition string) (alone, whole *Query, ok bool) {
	alone, err := Parse(condition, Env{})
	if err != nil {
		return nil, nil, false
	}
	list := append([]Expr{}, conjuncts(p.query.Expr)...)
	list[p.at] = alone.Expr
	return alone, p.instead(list), true
}

// instead returns a query for other conditions, whose text has the directives too.
func (p *Part) instead(list []Expr) *Query {
	q, whole := p.query.with(And{list}), *p.query
	whole.Expr = q.Expr
	q.Text = whole.Source()
	return q
}

// with returns a query for e that reads text as q does.
func (q *Query) with(e Expr) *Query {
	out := &Query{Expr: Simplify(e), Limit: DefaultLimit, Case: q.Case, zone: q.zone}
	out.Text = out.Source()
	return out
}

// Suggest returns the names nearest to what was typed, best first, at most
// three; none if nothing is near enough to be meant.
func Suggest(typed string, names []string) []string { return text.Suggest(typed, names) }

// EditDistance returns how many letters must be added, left out, changed or swapped
// with the next to make b of a; one above limit may be returned as limit+1. Words are
// ASCII for the most part, so bytes are compared as letters.
func EditDistance(a, b string, limit int) int { return text.Distance([]byte(a), []byte(b), limit) }

// Hints returns what in the query's text may be meant differently, for when nothing was
// found: operators in lower case, and words near an idiom.
func (q *Query) Hints() []string {
	var hints []string
	tokens := Lex(q.Text)
	for i, t := range tokens {
		if t.Kind != KindWord {
			continue
		}
		if i > 0 && tokens[i-1].Kind == KindWord {
			hints = append(hints, q.nearIdiom(tokens[i-1], t)...)
		}
		switch t.Text {
		case "or", "and", "not":
			hints = appendNew(hints, t.Text+" is searched as a word; "+strings.ToUpper(t.Text)+" is the operator")
		}
	}
	return hints
}

// nearIdiom returns the query with an idiom in place of two words that are one slip away
// from it.
func (q *Query) nearIdiom(first, second Token) []string {
	if adjectiveIdiom([]string{first.Text, second.Text}) != nil {
		return nil
	}
	adjective, noun := nearestOf(first.Text, slices.Sorted(maps.Keys(adjectives))), nearestOf(second.Text,
		slices.Sorted(maps.Keys(nouns)))
	if adjective == "" || noun == "" {
		return nil
	}
	return []string{"did you mean: " + q.Text[:first.Start] + adjective + " " + noun + q.Text[second.End:]}
}

// nearestOf returns the word itself or the one name near it, else "".
func nearestOf(word string, names []string) string {
	low := strings.ToLower(word)
	if slices.Contains(names, low) {
		return low
	}
	if near := text.Suggest(low, names); len(near) > 0 {
		return near[0]
	}
	return ""
}

// Counts returns a query for how often each value of a field occurs among the handoffs
// that meet q: what completion offers and near values are found in.
func (q *Query) Counts(field string) (counts *Query, ok bool) {
	f := lookup(field)
	if !f.groups() {
		return nil, false
	}
	counts = q.with(q.Expr)
	counts.CountBy = []string{f.Name}
	return counts, true
}
