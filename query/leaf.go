package query

import (
	"strings"

	"github.com/OWNER/handex/query/internal/match"
	"github.com/OWNER/handex/query/internal/text"
)

// Leaf is a piece of text as it is looked for.
type Leaf struct {
	// Source is the piece in the language.
	Source string
	// Columns are the columns of body it must be in; nil is any.
	Columns []string
	// Section is the slug of the section it must be in, "" for any.
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

	check   Statement // on the row b of body, and h for a section
	spec    match.Spec
	matcher *match.Matcher
}

// Find returns the ranges of bytes of text that match, in order, none
// overlapping. A NEAR yields the words that are near each other.
func (l *Leaf) Find(body string) [][2]int { return l.matcher.Find(body) }

// leaves compiles every piece of text of e. Text of another handoff is
// not highlighted here.
func (c *compiler) leaves(e Expr) []Leaf {
	var list []Leaf
	eachText(e, false, func(t Text, negated bool) {
		leaf := *c.leaf(t)
		leaf.Negated = negated
		list = append(list, leaf)
	})
	return list
}

func eachText(e Expr, negated bool, visit func(t Text, negated bool)) {
	switch e := e.(type) {
	case And:
		for _, x := range e.List {
			eachText(x, negated, visit)
		}
	case Or:
		for _, x := range e.List {
			eachText(x, negated, visit)
		}
	case Not:
		eachText(e.X, !negated, visit)
	case Text:
		visit(e, negated)
	case Same, All, None, Key, Amount, During, Is, Has:
	}
}

// leaf compiles one piece of text, once.
func (c *compiler) leaf(t Text) *Leaf {
	key := t.String()
	if c.known[key] == nil {
		c.known[key] = c.newLeaf(t)
	}
	return c.known[key]
}

func (c *compiler) newLeaf(t Text) *Leaf {
	spec := c.spec(t)
	l := &Leaf{Source: printer{}.text(t), Forms: spec.Forms, spec: spec, matcher: spec.Compile()}
	l.Match = c.match(t, spec)
	if l.Match == "" {
		l.Marks = c.signMarks(t)
	}
	f := lookup(t.Field)
	if f != nil {
		l.Columns, l.Section = f.columns, f.section()
	}
	if len(l.Columns) > 0 && l.Match != "" {
		l.Match = "{" + strings.Join(l.Columns, " ") + "} : (" + l.Match + ")"
	}
	if l.Section == "" && !t.needsCheck() {
		return l
	}
	l.Check = match.JSON(spec)
	in := sql(bodyColumns(match.SearchedColumns))
	switch {
	case l.Section != "":
		in = f.prose("")
	case l.Columns != nil:
		in = sql(bodyColumns(l.Columns))
	}
	l.check = sql("handex_text(?, ?)", l.Check, in)
	return l
}

// needsCheck reports whether the index alone cannot answer.
func (t Text) needsCheck() bool {
	switch t.Kind {
	case TextPhrase, TextContains, TextRegex:
		return true
	case TextPrefix:
		return !text.EndsInToken(t.Text)
	}
	return false
}

// spec returns how the text is recognised in a row.
func (c *compiler) spec(t Text) match.Spec {
	s := match.Spec{Kind: t.Kind, Text: t.Text, Open: t.Open}
	switch t.Kind {
	case TextWord:
		s.Forms = mergeWords(t.Text, c.lex.Forms(t.Text))
	case TextFuzzy:
		s.Forms = mergeWords(t.Text, c.lex.Near(t.Text))
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

// folds reports whether case is ignored: with smart case, if the text has no capital.
func (c *compiler) folds(capital bool) bool {
	return c.rule == CaseNo || c.rule != CaseYes && !capital
}

// mergeWords adds words that are words to one, once each.
func mergeWords(word string, more []string) []string {
	list := []string{word}
	for _, w := range more {
		if text.HasToken(w) {
			list = appendNew(list, w)
		}
	}
	return list
}
