package query

import (
	"strconv"
	"strings"
)

// parser builds nodes from tokens by the grammar in doc.go. It stops at the
// first fault.
type parser struct {
	text       string
	tokens     []Token
	pos        int
	depth      int // of groups; directives are allowed only at 0
	inField    bool
	directives []*node
	notes      []string
	err        *Error
}

func (p *parser) peek() Token { return p.tokens[p.pos] }

func (p *parser) next() Token {
	t := p.tokens[p.pos]
	if p.pos < len(p.tokens)-1 {
		p.pos++
	}
	return t
}

func (p *parser) fail(code string, start, end int, message string, help ...string) *node {
	if p.err == nil {
		p.err = newError(code, start, end, message, help...)
	}
	return nil
}

// query = { element } .
func (p *parser) query() *node {
	if p.peek().Kind == KindEnd {
		return &node{kind: nodeAnd}
	}
	return p.or()
}

// expr = conj , { "OR" , conj } .
func (p *parser) or() *node {
	list := []*node{p.and()}
	for p.err == nil && p.peek().Kind == KindOr {
		op, first := p.next(), p.peek()
		switch {
		case p.isDirective():
			return p.nestedHere()
		case !p.startsOperand():
			return p.missing(op, "right")
		}
		n := p.and()
		if n != nil && n.kind == nodeAnd && len(n.kids) == 0 { // only directives were there
			return p.nested(first.Text, first.Start, first.End)
		}
		list = append(list, n)
	}
	return p.list(nodeOr, list)
}

// conj = unary , { [ "AND" ] , unary } .
func (p *parser) and() *node {
	var list []*node
	afterIdiom := false
	for p.err == nil {
		switch t := p.peek(); {
		case t.Kind == KindAnd:
			p.next()
			if len(list) == 0 {
				return p.missing(t, "left")
			}
			if !p.startsOperand() {
				return p.missing(t, "right")
			}
			afterIdiom = false
		case p.isDirective():
			p.directive()
		case !p.startsOperand():
			if len(list) == 0 && (t.Kind == KindOr || t.Kind == KindNear) {
				return p.missing(t, "left")
			}
			return p.list(nodeAnd, list)
		default:
			n := p.idiom(afterIdiom)
			afterIdiom = n != nil
			if n == nil {
				n = p.unary()
			}
			if n == nil || n.idiom == nil || n.idiom.directive == "" {
				list = append(list, n)
			}
		}
	}
	return nil
}

func (p *parser) startsOperand() bool {
	switch p.peek().Kind {
	case KindWord, KindPhrase, KindPrefix, KindRegex, KindOpen, KindNot:
		return true
	case KindField:
		return !p.isDirective()
	}
	return false
}

// unary = ( "NOT" | "-" | "!" ) , unary | near .
// It loops, since thousands of signs are still one short query.
func (p *parser) unary() *node {
	first, negated := p.peek(), false
	for p.peek().Kind == KindNot {
		op := p.next()
		if p.isDirective() {
			return p.nestedHere()
		}
		if !p.startsOperand() {
			return p.missing(op, "right")
		}
		negated = !negated
	}
	if negated {
		p.noteNegatedIdiom(first)
	}
	n := p.near()
	if negated && n != nil {
		n = &node{kind: nodeNot, kids: []*node{n}, start: first.Start, end: n.end}
	}
	return n
}

// near = primary , { ( "NEAR" | "NEAR/" , int ) , primary } .
func (p *parser) near() *node {
	n := p.primary()
	if n == nil || p.peek().Kind != KindNear {
		return n
	}
	chain := &node{kind: nodeNear, token: p.peek(), kids: []*node{n}, start: n.start}
	for p.err == nil && p.peek().Kind == KindNear {
		op := p.next()
		if !p.startsOperand() {
			return p.missing(op, "right")
		}
		dist, ok := nearDistance(op.Text)
		switch {
		case !ok:
			return p.fail("bad-near", op.Start, op.End, op.Text+" needs a whole number up to 1000", "for example NEAR/5")
		case len(chain.kids) > 1 && dist != chain.near:
			return p.fail("bad-near", op.Start, op.End, "all distances in a chain of NEAR must be equal",
				"write (a "+chain.token.Text+" b) (b "+op.Text+" c)")
		}
		chain.near = dist
		chain.kids = append(chain.kids, p.primary())
	}
	if p.err == nil {
		chain.end = chain.kids[len(chain.kids)-1].end
	}
	return chain
}

// Without a number words may be ten apart, as in SQLite.
const defaultDistance = 10

func nearDistance(op string) (int, bool) {
	digits, given := strings.CutPrefix(op, "NEAR/")
	if !given {
		return defaultDistance, true
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && n <= 1000 && digits[0] != '+'
}

// primary = "(" , expr , ")" | condition | phrase | regex | word | "*" .
func (p *parser) primary() *node {
	switch t := p.peek(); t.Kind {
	case KindOpen:
		return p.group(KindClose)
	case KindField:
		if p.isDirective() {
			return p.nestedHere()
		}
		return p.condition()
	case KindNot:
		return p.fail("bad-near", t.Start, t.End, "NEAR joins words and phrases only",
			"put other conditions beside it: (a NEAR b) -c")
	default:
		return p.value()
	}
}

// group reads an expression between brackets; the lexer has matched them.
func (p *parser) group(closing Kind) *node {
	open := p.next()
	if end := p.peek(); end.Kind == closing {
		return p.fail("empty-group", open.Start, end.End, "the brackets are empty",
			`to search for the characters, quote them: "`+p.text[open.Start:end.End]+`"`)
	}
	p.depth++
	n := p.or()
	p.depth--
	if p.err != nil {
		return nil
	}
	end := p.peek()
	if end.Kind != closing {
		return p.missing(end, "left")
	}
	p.next()
	n.start, n.end = open.Start, end.End
	return n
}

// condition reads a field and its values.
func (p *parser) condition() *node {
	field := p.next()
	n := &node{kind: nodeCondition, token: field, start: field.Start}
	switch p.peek().Kind {
	case KindOpen:
		outer := p.inField
		p.inField = true
		n.kind = nodeGroup
		n.kids = []*node{p.group(KindClose)}
		p.inField = outer
	case KindOpenSet:
		n.kind = nodeSame
		n.kids = []*node{p.group(KindCloseSet)}
	default:
		n.kids = []*node{p.value()}
		for p.peek().Kind == KindComma {
			p.next()
			n.kids = append(n.kids, p.value())
		}
	}
	if p.err != nil {
		return nil
	}
	n.end = n.kids[len(n.kids)-1].end
	return n
}

func (p *parser) value() *node {
	t := p.next()
	return &node{kind: nodeText, token: t, start: t.Start, end: t.End}
}

func (p *parser) isDirective() bool {
	t := p.peek()
	return t.Kind == KindField && t.field != nil && t.field.Kind == fieldControl
}

// directive collects a directive, which may be anywhere at the top level.
func (p *parser) directive() {
	if p.depth > 0 {
		p.nestedHere()
		return
	}
	if n := p.condition(); n != nil {
		p.directives = append(p.directives, n)
	}
}

func (p *parser) nestedHere() *node {
	t := p.peek()
	return p.nested(t.Text, t.Start, t.End)
}

func (p *parser) nested(name string, start, end int) *node {
	return p.fail("nested-directive", start, end,
		name+": can stand only at the top level, not inside parentheses, OR or NOT", "move it to the end of the query")
}

func (p *parser) missing(op Token, side string) *node {
	word := p.text[op.Start:op.End]
	return p.fail("missing-operand", op.Start, op.End, word+" has nothing on its "+side,
		`to search for the word, quote it: "`+word+`"`)
}

// list makes one node of several.
func (p *parser) list(kind nodeKind, list []*node) *node {
	switch {
	case p.err != nil:
		return nil
	case len(list) == 1:
		return list[0]
	case len(list) == 0:
		return &node{kind: nodeAnd}
	}
	return &node{kind: kind, kids: list, start: list[0].start, end: list[len(list)-1].end}
}

// node is the query as it was written, before any name in it means something.
type node struct {
	kind  nodeKind
	token Token // of a leaf, the operator of a nodeNear, the field of a condition
	kids  []*node
	start int
	end   int
	near  int
	// idiom is what a run of words was read as.
	idiom *idiom
}

type nodeKind uint8

const (
	nodeAnd nodeKind = iota
	nodeOr
	nodeNot
	nodeNear
	nodeText      // word, phrase or regular expression
	nodeCondition // kids are its values
	nodeGroup     // field:( kid )
	nodeSame      // field:{ kid }
	nodeIdiom
)
