package query

import (
	"strings"

	"handex/query/internal/text"
)

// near resolves a NEAR b.
func (r *resolver) near(n *node, in *Field) Expr {
	e := Text{Kind: TextNear, Distance: n.near, Span: Span{n.start, n.end}}
	if in != nil {
		e.Field = in.Name
	}
	for _, kid := range n.kids {
		if t, ok := r.nearPart(n, kid, in); ok {
			r.count(kid)
			e.Near = append(e.Near, t)
		}
	}
	return e
}

// nearPart resolves what stands beside the operator of n.
func (r *resolver) nearPart(n, kid *node, in *Field) (t Text, ok bool) {
	op, raw := n.token.Text, r.text[kid.start:kid.end]
	why := " joins words and phrases only"
	if kid.kind == nodeText && (in == nil || !in.isKey()) {
		before := len(r.errs)
		t, ok = r.textLeaf(kid, nil).(Text)
		if len(r.errs) > before {
			return t, false
		}
		if ok {
			why = t.unplaced()
		}
	}
	if why != "" {
		r.fail("bad-near", kid.start, kid.end, op+why, "put other conditions beside it: (a "+op+" b) "+raw)
		return t, false
	}
	r.noteNear(op, t)
	return t, true
}

// unplaced tells why the index does not know where the text stands, "" if it does.
func (t Text) unplaced() string {
	switch {
	case strings.ContainsFunc(t.Text, text.IsSpaceless):
		return " counts words, which this script does not keep apart"
	case (t.Kind == TextPrefix || t.Open) && text.HasToken(t.Text) && !text.EndsInToken(t.Text):
		return " knows no signs at the end of a word's beginning"
	}
	switch t.Kind {
	case TextWord, TextExact, TextPrefix:
		return ""
	case TextPhrase:
		if text.HasToken(t.Text) {
			return ""
		}
	case TextContains, TextRegex, TextFuzzy, TextNear:
	}
	return " joins words and phrases only"
}

// noteNear tells of quoted text that elsewhere means more than its words.
func (r *resolver) noteNear(op string, t Text) {
	var words []string
	for _, tok := range text.Tokens(t.Text) {
		words = append(words, tok.Folded)
	}
	cased := r.query.Case == CaseYes || r.query.Case == CaseAuto && text.HasCapital(t.Text)
	if t.Kind == TextPhrase && (cased || strings.ToLower(t.Text) != strings.Join(words, " ")) {
		r.notes = append(r.notes, op+" goes by the words of "+quote(t.Text)+"; case, signs and accents do not count there")
	}
}
