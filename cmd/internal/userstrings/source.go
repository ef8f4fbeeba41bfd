package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

var (
	word     = regexp.MustCompile(`(^|[\s("“'│])[a-zA-Z]?[a-z]{2,}([\s.,:;!?)"”'…]|$)`)
	label    = regexp.MustCompile(`^[A-Z][a-z]+:?$`)
	sqlBegin = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|ATTACH|WITH|AND|OR|FROM) `)
	sqlWord  = regexp.MustCompile(`\b(SELECT|FROM|WHERE|ORDER BY|JOIN|EXISTS|AND|NOT|IN|BETWEEN|AS|END|IS|NULL|ON|` +
		`MATCH)\b`)
	messages  = regexp.MustCompile(`^(errors\.New|fmt\.(Errorf|Fprint.*)|(.*\.)?(note|say|line))$`)
	unseen    = regexp.MustCompile(`^(panic|regexp\..*|strings\.(Has|Contains|Index|Last|Trim|Cut|Split|Equal|Count).*)$`)
	helpOfTag = []string{"help", "placeholder"}
)

// goTexts returns the texts of a Go file: its string literals, and the help in struct tags.
// Literals that are joined with computed values become one text with "…" for these.
func goTexts(source string) ([]text, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, 0)
	if err != nil {
		return nil, err
	}
	f := finder{set: set}
	for _, declaration := range file.Decls {
		ast.Inspect(declaration, f.node)
	}
	return f.texts, nil
}

// finder collects the texts of one Go file.
type finder struct {
	set   *token.FileSet
	texts []text
}

// node adds the texts of a syntax node. It returns whether the children of the node have to
// be visited.
func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		f.tag(n.Tag)
		if n.Type != nil {
			ast.Inspect(n.Type, f.node)
		}
		return false
	case *ast.CallExpr:
		return f.call(n)
	case *ast.BinaryExpr:
		if s, isString := joined(n); isString {
			f.add(n, s, isProse(s))
			return false
		}
	case *ast.BasicLit:
		if s, isString := joined(n); isString {
			f.add(n, s, isProse(s))
		}
	}
	return true
}

// call adds the string arguments of a call if the function makes or writes messages. It
// returns false if users never see arguments of the function, so that they are not visited.
func (f *finder) call(n *ast.CallExpr) bool {
	name := types.ExprString(n.Fun)
	if unseen.MatchString(name) {
		return false
	}
	if messages.MatchString(name) {
		for _, argument := range n.Args {
			if s, isString := joined(argument); isString && !isProse(s) {
				f.add(argument, s, strings.ContainsFunc(s, isLetter))
			}
		}
	}
	return true
}

// add adds a text with the line of a node, if wanted is true.
func (f *finder) add(n ast.Node, s string, wanted bool) {
	if wanted {
		f.texts = append(f.texts, text{f.set.Position(n.Pos()).Line, s})
	}
}

// tag adds the texts of a struct tag that kong shows in the help.
func (f *finder) tag(tag *ast.BasicLit) {
	if tag == nil {
		return
	}
	unquoted, err := strconv.Unquote(tag.Value)
	if err != nil {
		return
	}
	for _, key := range helpOfTag {
		s := reflect.StructTag(unquoted).Get(key)
		f.add(tag, s, s != "")
	}
}

// joined returns the text of a string literal, or of a sum with a string literal in it, in
// which computed parts are "…".
func joined(e ast.Expr) (s string, isString bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		}
	case *ast.BinaryExpr:
		left, isLeft := joined(e.X)
		right, isRight := joined(e.Y)
		if e.Op == token.ADD && (isLeft || isRight) {
			return left + right, true
		}
	}
	return "…", false
}

// isProse reports whether a literal can be a text for people, and not a name, SQL or the
// like.
func isProse(s string) bool {
	isSQL := sqlBegin.MatchString(s) && !strings.HasSuffix(s, ".") || len(sqlWord.FindAllString(s, 2)) == 2
	return label.MatchString(s) || strings.Contains(s, " ") && word.MatchString(s) && !isSQL
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' }
