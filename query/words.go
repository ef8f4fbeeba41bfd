package query

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/text"
)

// The shortest words wildcards may make: shorter ones match half of all words.
const (
	minPrefix   = 2
	minContains = 3
	minFuzzy    = 4
)

// readWord returns the text that a bare word searches for. isAll is true for *.
func readWord(raw string) (t Text, isAll bool, err *Error) {
	if raw == "*" {
		return Text{}, true, nil
	}
	begin := strings.TrimLeft(raw, "*")
	core := strings.TrimRight(begin, "*")
	if slashes := len(core) - len(strings.TrimRight(core, `\`)); slashes%2 == 1 && core != begin {
		core += "*"
	}
	leading, trailing := begin != raw, core != begin
	core = text.Unescape(core)
	letters := utf8.RuneCountInString(core)
	dense := strings.ContainsFunc(core, text.IsSpaceless)
	switch {
	case leading && letters < minContains && !dense:
		return Text{}, false, badWildcard(raw, "word with a leading * needs 3")
	case leading || dense || !text.HasToken(core):
		return Text{Kind: TextContains, Text: core}, false, nil
	case trailing && letters < minPrefix:
		return Text{}, false, badWildcard(raw, "word with a trailing * needs 2")
	case trailing:
		return Text{Kind: TextPrefix, Text: core}, false, nil
	}
	t, err = readPlain(raw, core)
	return t, false, err
}

// readPlain reads a word as fuzzy, stemmed or exact.
func readPlain(raw, core string) (Text, *Error) {
	stem, fuzzy := strings.CutSuffix(core, "~")
	switch {
	case fuzzy && strings.IndexFunc(stem, notLetter) < 0:
		if utf8.RuneCountInString(stem) < minFuzzy {
			return Text{}, badWildcard(raw, "word with a trailing ~ needs 4")
		}
		return Text{Kind: TextFuzzy, Text: stem}, nil
	case strings.IndexFunc(core, notSmall) < 0:
		return Text{Kind: TextWord, Text: core}, nil
	}
	return Text{Kind: TextExact, Text: core}, nil
}

func badWildcard(raw, what string) *Error {
	return &Error{Code: "bad-wildcard", Message: `"` + raw + `" is too short: a ` + what + " characters or more"}
}

func notLetter(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// notSmall reports whether a character stops stemming: a capital, a digit or a sign.
func notSmall(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) || text.IsCapital(r)
}

// patternHasCapital reports whether a regular expression has a capital, so that smart
// case heeds case: \S, \pL and (?P<Name>...) are no capitals.
func patternHasCapital(pattern string) bool {
	return text.HasCapital(patternNames().ReplaceAllString(pattern, ""))
}

var patternNames = lazy(`\\[pP]\{[^}]*\}|\\[pP].|\\.|\(\?P?<[^>]*>|\[:\^?[a-z]+:\]`)

// lazy compiles a pattern when it is first used: most runs of a program use
// few of them.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// regexFault places the fault of a pattern that begins at start of the query.
func regexFault(pattern string, start int) *Error {
	var fault *syntax.Error
	if _, err := syntax.Parse(pattern, syntax.Perl); !errors.As(err, &fault) {
		return nil
	}
	e := &Error{
		Code: "bad-regex", Start: start, End: start + len(pattern),
		Message: "bad regular expression: " + fault.Code.String() + ": " + fault.Expr,
		Help:    []string{"syntax: RE2 (golang.org/s/re2syntax); to search for the text, quote it"},
	}
	if i := strings.Index(pattern, fault.Expr); i >= 0 && fault.Expr != "" {
		e.Start, e.End = start+i, start+i+len(fault.Expr)
	}
	return e
}

// near resolves a NEAR b.
func (r *resolver) near(n *node, in *Field) Expr {
	e := Text{Kind: TextNear, Distance: n.near}
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

// nearPart resolves an operand of n.
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

// unplaced returns why the index does not know the place of the text, "" if it does.
func (t Text) unplaced() string {
	switch {
	case strings.ContainsFunc(t.Text, text.IsSpaceless):
		return " counts words, which this script does not separate"
	case (t.Kind == TextPrefix || t.Open) && text.HasToken(t.Text) && !text.EndsInToken(t.Text):
		return " ignores signs, so a prefix cannot end in one"
	}
	switch t.Kind {
	case TextWord, TextExact, TextPrefix:
		return ""
	case TextPhrase:
		if text.HasToken(t.Text) {
			return ""
		}
	}
	return " joins words and phrases only"
}

// noteNear adds a note on quoted text that elsewhere means more than its words.
func (r *resolver) noteNear(op string, t Text) {
	var words []string
	for _, tok := range text.Tokens(t.Text) {
		words = append(words, tok.Folded)
	}
	cased := r.query.Case == CaseYes || r.query.Case == CaseAuto && text.HasCapital(t.Text)
	if t.Kind == TextPhrase && (cased || strings.ToLower(t.Text) != strings.Join(words, " ")) {
		r.notes = append(r.notes, op+" compares only the words of "+quote(t.Text)+", without case, signs and accents")
	}
}

// negatedArg are arguments that are conditions with a minus and not flags.
var negatedArg = lazy(`^-(?:[a-z][a-z_.-]*[:=<>]|["(])`)

// Shield returns the arguments of a command line with the - of negated
// conditions replaced by !, so that no flag parser takes -is:stale for one.
func Shield(argv []string) []string {
	return each(argv, func(arg string) string {
		if negatedArg().MatchString(arg) {
			return "!" + arg[1:]
		}
		return arg
	})
}
