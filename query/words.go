package query

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"handex/query/internal/text"
)

// The shortest words wildcards may make: shorter ones match half of all words.
const (
	minPrefix   = 2
	minContains = 3
	minFuzzy    = 4
)

// readWord tells what a bare word asks for. isAll is true for *.
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

// readPlain tells fuzzy, stemmed and exact words apart.
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

// notSmall is true of what stops stemming: a capital, a digit or a sign.
func notSmall(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) || text.IsCapital(r)
}

// patternHasCapital is the test of smart case for regular expressions: \S,
// \pL and (?P<Name>...) are no capitals.
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
