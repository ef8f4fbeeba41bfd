package query

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The shortest words wildcards may make: shorter ones match half of all words.
const (
	minPrefix   = 2
	minContains = 3
	minFuzzy    = 4
)

// spaceless are the scripts written without spaces between words (and Hangul,
// whose words carry their particles): their words are found as substrings.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Bopomofo, unicode.Yi, unicode.Tibetan,
}

func isSpaceless(r rune) bool { return r >= 0x0E00 && unicode.In(r, spaceless...) }

// unescape takes the backslashes away that took meaning from a sign.
func unescape(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) && strings.IndexByte(escapable, raw[i+1]) >= 0 {
			i++
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}

// trailingStars counts the unescaped * at the end.
func trailingStars(raw string) int {
	n := 0
	for n < len(raw) && raw[len(raw)-1-n] == '*' {
		n++
	}
	slashes := len(raw[:len(raw)-n]) - len(strings.TrimRight(raw[:len(raw)-n], `\`))
	if n > 0 && slashes%2 == 1 {
		n--
	}
	return n
}

// readWord tells what a bare word asks for. isAll is true for *.
func readWord(raw string) (text Text, isAll bool, err *Error) {
	if raw == "*" {
		return Text{}, true, nil
	}
	lead := len(raw) - len(strings.TrimLeft(raw, "*"))
	trail := trailingStars(raw[lead:])
	core := unescape(raw[lead : len(raw)-trail])
	letters := utf8.RuneCountInString(core)
	dense := strings.ContainsFunc(core, isSpaceless)
	switch {
	case lead > 0 && letters < minContains && !dense:
		return Text{}, false, badWildcard(raw, "word with a leading * needs 3")
	case lead > 0 || dense || !hasToken(core):
		return Text{Kind: TextContains, Text: core}, false, nil
	case trail > 0 && letters < minPrefix:
		return Text{}, false, badWildcard(raw, "word with a trailing * needs 2")
	case trail > 0:
		return Text{Kind: TextPrefix, Text: core}, false, nil
	}
	return readPlain(raw, core)
}

// readPlain tells fuzzy, stemmed and exact words apart.
func readPlain(raw, core string) (Text, bool, *Error) {
	stem, fuzzy := strings.CutSuffix(core, "~")
	switch {
	case fuzzy && strings.IndexFunc(stem, notLetter) < 0:
		if utf8.RuneCountInString(stem) < minFuzzy {
			return Text{}, false, badWildcard(raw, "word with a trailing ~ needs 4")
		}
		return Text{Kind: TextFuzzy, Text: stem}, false, nil
	case strings.IndexFunc(core, notSmall) < 0:
		return Text{Kind: TextWord, Text: core}, false, nil
	}
	return Text{Kind: TextExact, Text: core}, false, nil
}

func badWildcard(raw, what string) *Error {
	return &Error{Code: "bad-wildcard", Message: `"` + raw + `" is too short: a ` + what + " characters or more"}
}

func notLetter(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// notSmall is true of what stops stemming: a capital, a digit or a sign.
func notSmall(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) || unicode.IsUpper(r) || unicode.IsTitle(r)
}

// hasCapital is the test of smart case.
func hasCapital(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }) >= 0
}

// patternHasCapital is the test of smart case for regular expressions: \S,
// \pL and (?P<Name>...) are no capitals.
func patternHasCapital(pattern string) bool {
	return hasCapital(patternNames().ReplaceAllString(pattern, ""))
}

var patternNames = lazy(`\\[pP]\{[^}]*\}|\\[pP].|\\.|\(\?P?<[^>]*>|\[:\^?[a-z]+:\]`)

// lazy compiles a pattern when it is first used: most runs of a program use
// few of them.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// compileRegex reads a regular expression; ^ and $ are the ends of lines.
func compileRegex(pattern string, fold bool) (*regexp.Regexp, error) {
	flags := "(?m)"
	if fold {
		flags = "(?mi)"
	}
	return regexp.Compile(flags + pattern)
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

// requiredLiterals are the texts of ASCII, of two letters or more, that every
// match of a pattern has in it; the longest first.
func requiredLiterals(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	list := slices.DeleteFunc(literalsOf(re), func(s string) bool { return len(s) < 2 || !isASCII(s) })
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(list)
}

func literalsOf(re *syntax.Regexp) (list []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			list = append(list, literalsOf(sub)...)
		}
	}
	return list
}
