package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/match"
	"github.com/OWNER/handex/query/internal/text"
)

// FTS5 refuses deep nesting (its parser's stack ends between 50 and 100) and
// NEAR knows no OR, so spellings multiply there.
const (
	maxNesting = 24
	maxNears   = 1024
)

// No more spellings than this go into one expression; beyond, a look at every
// handoff is as good.
const maxSpellings = 2048

// match returns the FTS5 expression that finds every row with the text, and for
// most kinds no other; "" where none is known.
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

// prefixMatch returns the expression for the words that begin so, if they are known:
// FTS5 would read all their places before it answers the first.
func (c *compiler) prefixMatch(prefix string) string {
	tokens := text.Tokens(prefix)
	if len(tokens) == 1 && tokens[0].Safe && tokens[0].Start == 0 && tokens[0].End == len(prefix) {
		words, ok := c.lex.Beginning(tokens[0].Folded, maxSpellings)
		if ok && len(words) > 0 && len(words) <= maxSpellings {
			return anyOf(words)
		}
	}
	return ftsString(prefix) + "*"
}

// containing returns the expression for the words that have part in them, "" if they
// are not known.
func (c *compiler) containing(part string) string {
	if part == "" {
		return ""
	}
	words, ok := c.lex.Containing(part, maxSpellings)
	switch {
	case !ok || len(words) > maxSpellings:
		return ""
	case len(words) == 0: // then no handoff has it, nor this word
		return ftsString(part)
	}
	return anyOf(words)
}

// regexMatch finds every row that contains what all matches of the pattern
// contain. Short pieces are looked at where there are no longer ones.
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
	if len(all) == 0 {
		return ""
	}
	return either(all, " AND ")
}

// ftsString writes text as a string of FTS5, in which nothing is syntax.
func ftsString(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// anyOf finds rows with one of the words.
func anyOf(words []string) string { return either(each(words, ftsString), " OR ") }

// either joins expressions by an operator, in parentheses if there are several.
func either(list []string, op string) string {
	if len(list) == 1 {
		return list[0]
	}
	return "(" + strings.Join(list, op) + ")"
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
	return either(each(choices, func(choice []string) string {
		return "NEAR(" + strings.Join(choice, " ") + ", " + strconv.Itoa(t.Distance) + ")"
	}), " OR ")
}

func nearSpellings(t Text, s match.Spec) []string {
	switch {
	case t.Kind == TextPrefix, t.Open:
		return []string{ftsString(t.Text) + "*"}
	case t.Kind != TextWord:
		return []string{ftsString(t.Text)}
	}
	return each(s.Forms, ftsString)
}

// coveringMatch returns an expression that finds every row with the text, and maybe
// others, by those of its tokens that must be whole in the row: a token at the edge may
// be part of a longer one unless the text is known to end there.
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
	yes, allWanted := c.allPure(wanted, depth+1)
	no, allUnwanted := c.allPure(unwanted, depth+1)
	match := "(" + strings.Join(yes, " AND ") + ")"
	if len(no) > 0 {
		match = "(" + match + " NOT (" + strings.Join(no, " OR ") + "))"
	}
	return match, allWanted && allUnwanted && len(yes) > 0
}

// mark returns the expression for the handoffs that may meet a condition, by the tokens
// of the column meta; "" if it is not known.
func (c *compiler) mark(e Expr) string {
	switch e := e.(type) {
	case Or:
		parts := make([]string, len(e.List))
		for i, x := range e.List {
			if parts[i] = c.mark(x); parts[i] == "" {
				return ""
			}
		}
		return "(" + strings.Join(parts, " OR ") + ")"
	case Key:
		return c.keyMark(e)
	case Text:
		return c.leaf(e).Marks
	case All, None, And, Not, Amount, During, Is, Has, Same:
	}
	return ""
}

// signMarks returns the expression for the handoffs with the signs of a text which no
// word of the index has, "" if they are not known.
func (c *compiler) signMarks(t Text) string {
	if t.Kind != TextContains && t.Kind != TextPhrase {
		return ""
	}
	marks := c.lex.SignMarks(t.Text)
	if marks == "" {
		return ""
	}
	return "{meta} : (" + marks + ")"
}

func (c *compiler) keyMark(e Key) string {
	isMarked := e.Field == "project" || e.Field == "format" || e.Field == "status"
	if !isMarked || e.Op != KeyEqual && e.Op != KeyExact || e.Value == "none" {
		return ""
	}
	tokens, ok := c.lex.Marks(e.Field, e.Value, e.Op == KeyExact)
	if !ok || len(tokens) == 0 || len(tokens) > maxSpellings {
		return ""
	}
	return "{meta} : (" + anyOf(tokens) + ")"
}
