package query

import (
	"strings"

	"handex/query/internal/match"
	"handex/query/internal/text"
)

// Leaf is a piece of text as it is looked for.
type Leaf struct {
	// Source is the piece in the language.
	Source string
	// Columns are the columns of body it must stand in; nil is any.
	Columns []string
	// Section is the slug of the section it must stand in, "" for any.
	Section string
	// Forms are the spellings a word was widened to.
	Forms []string
	// Match is the FTS5 expression that finds the candidates, "" where all
	// rows are; Check is what is checked on each, "" for nothing.
	Match, Check string
	// Marks is the FTS5 expression for the signs of a text that has no Match; it
	// finds the candidates too.
	Marks string
	// Negated leaves say what must not be there: nothing to highlight.
	Negated bool

	check   frag
	matcher *match.Matcher
}

// Find returns the ranges of bytes of text that match, in order, none
// overlapping. A NEAR yields the words that stand near each other.
func (l *Leaf) Find(body string) [][2]int { return l.matcher.Find(body) }

// leaves compiles every piece of text of e.
func (c *compiler) leaves(e Expr) []Leaf {
	var list []Leaf
	var walk func(e Expr, negated bool)
	walk = func(e Expr, negated bool) {
		switch e := e.(type) {
		case And:
			for _, x := range e.List {
				walk(x, negated)
			}
		case Or:
			for _, x := range e.List {
				walk(x, negated)
			}
		case Not:
			walk(e.X, !negated)
		case Text:
			leaf := c.leaf(e)
			leaf.Negated = negated
			list = append(list, *leaf)
		case Same, All, None, Key, Amount, During, Is, Has:
			// What stands in another handoff is not to be highlighted here.
		}
	}
	walk(e, false)
	return list
}

// leaf compiles one piece of text.
func (c *compiler) leaf(t Text) *Leaf {
	spec := c.spec(t)
	l := &Leaf{Source: printer{}.text(t), Forms: spec.Forms, matcher: spec.Compile()}
	l.Match = c.match(t, spec)
	if l.Match == "" {
		l.Marks = c.signMarks(t)
	}
	if f := lookup(t.Field); f != nil {
		l.Columns, l.Section = f.columns, f.section()
	}
	if len(l.Columns) > 0 && l.Match != "" {
		l.Match = "{" + strings.Join(l.Columns, " ") + "} : (" + l.Match + ")"
	}
	if l.Section != "" || t.needsCheck() {
		l.check = l.rowCheck(spec)
		l.Check = match.JSON(spec)
	}
	return l
}

// needsCheck reports whether the index alone cannot answer.
func (t Text) needsCheck() bool {
	switch t.Kind {
	case TextPhrase, TextContains, TextRegex:
		return true
	case TextPrefix:
		return !text.EndsInToken(t.Text)
	case TextWord, TextExact, TextFuzzy, TextNear:
	}
	return false
}

// spec says how the text is recognised in a row.
func (c *compiler) spec(t Text) match.Spec {
	s := match.Spec{Kind: t.Kind, Text: t.Text, Open: t.Open}
	switch t.Kind {
	case TextWord:
		s.Forms = c.forms(t.Text)
	case TextFuzzy:
		s.Forms = []string{t.Text}
		if c.lex != nil {
			s.Forms = mergeWords(s.Forms, c.lex.Near(t.Text))
		}
	case TextPhrase:
		s.Fold = c.folds(text.HasCapital(t.Text))
	case TextRegex:
		s.Fold = c.folds(patternHasCapital(t.Text))
	case TextNear:
		s.Distance = t.Distance
		for _, part := range t.Near {
			s.Near = append(s.Near, c.spec(part))
		}
	case TextContains, TextPrefix, TextExact:
		s.Fold = true
	}
	return s
}

// folds is smart case: case matters if the text holds a capital.
func (c *compiler) folds(capital bool) bool {
	switch c.rule {
	case CaseYes:
		return false
	case CaseNo:
		return true
	case CaseAuto:
	}
	return !capital
}

func (c *compiler) forms(word string) []string {
	if c.lex == nil {
		return []string{word}
	}
	return mergeWords([]string{word}, c.lex.Forms(word))
}

// mergeWords adds words that are words to a list, once each.
func mergeWords(list, more []string) []string {
	for _, w := range more {
		if text.HasToken(w) {
			list = appendNew(list, w)
		}
	}
	return list
}

// rowCheck is the condition on the row b of body (and h, for a section).
func (l *Leaf) rowCheck(s match.Spec) frag {
	if l.Section != "" {
		return frag{"handex_text(?, handex_section(?, h.sections, " + bodyColumns(match.TextColumns) + "))", []any{match.JSON(s), l.Section}}
	}
	columns := l.Columns
	if columns == nil {
		columns = match.TextColumns
	}
	return frag{"handex_text(?, " + bodyColumns(columns) + ")", []any{match.JSON(s)}}
}

func bodyColumns(names []string) string { return "b." + strings.Join(names, ", b.") }
