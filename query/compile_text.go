package query

import (
	"slices"
	"strconv"
	"strings"

	"handex/query/internal/match"
	"handex/query/internal/text"
)

// FTS5 refuses deep nesting (its parser's stack ends between 50 and 100) and
// NEAR knows no OR, so spellings multiply there.
const (
	maxNesting = 24
	maxNears   = 1024
)

// match is the FTS5 expression that finds every row the text stands in, and
// for most kinds no other; "" where none is known.
func (c *compiler) match(t Text, s match.Spec) string {
	switch t.Kind {
	case TextWord, TextFuzzy:
		return anyOf(s.Forms)
	case TextExact:
		return ftsString(t.Text)
	case TextPrefix:
		return c.prefixMatch(t.Text)
	case TextNear:
		return c.nearMatch(t, s)
	case TextPhrase, TextContains:
		return c.coveringMatch(t)
	case TextRegex:
		return c.regexMatch(t.Text)
	}
	return ""
}

// prefixMatch names the words that begin so, if they are known: FTS5 would read
// all their places before it answers the first.
func (c *compiler) prefixMatch(prefix string) string {
	if tokens := text.Tokens(prefix); len(tokens) == 1 && tokens[0].Safe && tokens[0].Start == 0 && tokens[0].End == len(prefix) {
		if words := c.beginning(tokens[0].Folded); words != "" {
			return words
		}
	}
	return ftsString(prefix) + "*"
}

// regexMatch finds every row that holds what all matches of the pattern have
// in them. Short pieces are looked at where there are no longer ones.
func (c *compiler) regexMatch(pattern string) string {
	var all []string
	for _, literal := range match.RequiredLiterals(pattern) {
		if len(literal) < minContains && len(all) > 0 {
			break
		}
		if match := c.coveringMatch(Text{Kind: TextContains, Text: literal}); match != "" {
			all = appendNew(all, match)
		}
	}
	if len(all) > 1 {
		return "(" + strings.Join(all, " AND ") + ")"
	}
	return strings.Join(all, "")
}

// ftsString writes text as a string of FTS5, in which nothing is syntax.
func ftsString(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func anyOf(words []string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = ftsString(w)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// nearMatch writes one NEAR for each choice of spellings.
func (c *compiler) nearMatch(t Text, s match.Spec) string {
	choices := [][]string{nil}
	for i, part := range t.Near {
		spellings := nearSpellings(part, s.Near[i])
		if len(choices)*len(spellings) > maxNears {
			c.notes = appendNew(c.notes, `"`+part.Text+`" has too many forms for NEAR and is searched as written`)
			spellings = spellings[:1]
		}
		var longer [][]string
		for _, choice := range choices {
			for _, spelling := range spellings {
				longer = append(longer, append(slices.Clip(choice), spelling))
			}
		}
		choices = longer
	}
	nears := make([]string, len(choices))
	for i, choice := range choices {
		nears[i] = "NEAR(" + strings.Join(choice, " ") + ", " + strconv.Itoa(t.Distance) + ")"
	}
	if len(nears) == 1 {
		return nears[0]
	}
	return "(" + strings.Join(nears, " OR ") + ")"
}

func nearSpellings(t Text, s match.Spec) []string {
	switch {
	case t.Kind == TextPrefix, t.Open:
		return []string{ftsString(t.Text) + "*"}
	case t.Kind != TextWord:
		return []string{ftsString(t.Text)}
	}
	list := make([]string, len(s.Forms))
	for i, form := range s.Forms {
		list[i] = ftsString(form)
	}
	return list
}

// coveringMatch finds every row that holds the text, by those of its tokens
// that must stand whole in the row: a token at the edge may be part of a
// longer one unless the text is known to end there.
func (c *compiler) coveringMatch(t Text) string {
	tokens := text.Tokens(t.Text)
	longest := ""
	for _, tok := range tokens {
		if !tok.Safe {
			return ""
		}
		if len(tok.Folded) > len(longest) {
			longest = tok.Folded
		}
	}
	whole := t.Kind == TextPhrase
	if n := len(tokens); n > 0 && tokens[0].Start == 0 && (!whole || tokens[0].Dense) {
		tokens = tokens[1:]
	}
	n := len(tokens)
	if n == 0 {
		return c.containing(longest)
	}
	last := tokens[n-1]
	open := last.End == len(t.Text) && (!whole || last.Dense || t.Open)
	match := ftsString(t.Text[tokens[0].Start:last.End])
	if open {
		match += "*"
	}
	return match
}

// pure returns the FTS5 expression for e if the index alone can answer it,
// nested less than maxNesting deep.
func (c *compiler) pure(e Expr, depth int) (string, bool) {
	if depth > maxNesting {
		return "", false
	}
	switch e := e.(type) {
	case Text:
		leaf := c.leaf(e)
		return leaf.Match, leaf.Check == "" && leaf.Match != ""
	case Or:
		parts, ok := c.allPure(e.List, depth)
		return "(" + strings.Join(parts, " OR ") + ")", ok
	case And:
		return c.pureAnd(e, depth)
	case All, None, Not, Key, Amount, During, Is, Has, Same:
	}
	return "", false
}

func (c *compiler) allPure(list []Expr, depth int) ([]string, bool) {
	var parts []string
	for _, x := range list {
		match, ok := c.pure(x, depth+1)
		if !ok {
			return nil, false
		}
		parts = append(parts, match)
	}
	return parts, true
}

// pureAnd joins what is wanted and takes away what is not.
func (c *compiler) pureAnd(e And, depth int) (string, bool) {
	var wanted, unwanted []Expr
	for _, x := range e.List {
		if not, ok := x.(Not); ok {
			unwanted = append(unwanted, not.X)
		} else {
			wanted = append(wanted, x)
		}
	}
	yes, ok := c.allPure(wanted, depth+1)
	if !ok || len(yes) == 0 {
		return "", false
	}
	match := "(" + strings.Join(yes, " AND ") + ")"
	if no, ok := c.allPure(unwanted, depth+1); !ok {
		return "", false
	} else if len(no) > 0 {
		match = "(" + match + " NOT (" + strings.Join(no, " OR ") + "))"
	}
	return match, true
}
