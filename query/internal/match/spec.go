// Package match recognises text and values where SQLite cannot: it has the
// functions that compiled queries call, and finds the lines to highlight.
package match

import (
	"encoding/json"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/query/internal/text"
)

// Kind is how a piece of text is searched.
type Kind string

// The kinds of text.
const (
	Word     Kind = "word"
	Exact    Kind = "exact"
	Phrase   Kind = "phrase"
	Prefix   Kind = "prefix"
	Contains Kind = "contains"
	Regex    Kind = "regex"
	Fuzzy    Kind = "fuzzy"
	Near     Kind = "near"
)

// Spec says how a piece of text is recognised. It travels to the functions
// inside SQLite as JSON.
type Spec struct {
	Kind     Kind     `json:"kind"`
	Text     string   `json:"text,omitempty"`
	Fold     bool     `json:"fold,omitempty"` // ignore case
	Open     bool     `json:"open,omitempty"` // may end inside a word
	Forms    []string `json:"forms,omitempty"`
	Near     []Spec   `json:"near,omitempty"`
	Distance int      `json:"distance,omitempty"`
}

// JSON returns a spec, such as a Spec, Value or Ranking, in the form in which the functions
// inside SQLite read it.
func JSON(spec any) string {
	b, err := json.Marshal(spec)
	if err != nil {
		return ""
	}
	return string(b)
}

// A cache keeps what specs were compiled to, a few at a time: a query needs the same spec
// for every row, and a server many over its life.
type cache[S, T any] struct {
	mu      sync.Mutex
	entries map[string]T
	compile func(S) T
}

const cacheSize = 256

// get returns what a spec in JSON compiles to. One that is no JSON is compiled as an empty
// one.
func (c *cache[S, T]) get(spec string) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.entries[spec]
	if !ok {
		var s, empty S
		if json.Unmarshal([]byte(spec), &s) != nil {
			s = empty
		}
		if c.entries == nil || len(c.entries) >= cacheSize {
			c.entries = map[string]T{}
		}
		v = c.compile(s)
		c.entries[spec] = v
	}
	return v
}

// A Matcher finds the byte ranges of a text that match, in order and without overlaps
// (Find), and reports whether there are any (Has).
type Matcher struct {
	Find func(text string) [][2]int
	Has  func(text string) bool
}

// Compile returns the matcher of a spec; that of an unknown kind matches nothing.
func (s Spec) Compile() *Matcher {
	switch s.Kind {
	case Regex:
		return regexMatcher(s)
	case Phrase, Contains:
		return literalMatcher(s)
	case Prefix:
		if text.EndsInToken(s.Text) {
			return nearMatcher([]Spec{s}, 0)
		}
		s.Open = true
		return literalMatcher(s)
	case Near:
		return nearMatcher(s.Near, s.Distance)
	case Word, Exact, Fuzzy:
		return nearMatcher([]Spec{s}, 0)
	}
	return never
}

// never matches no text.
var never = &Matcher{Find: func(string) [][2]int { return nil }, Has: func(string) bool { return false }}

// CompileRegex compiles a regular expression in which ^ and $ are the ends of lines. If fold
// is set, case is ignored.
func CompileRegex(pattern string, fold bool) (*regexp.Regexp, error) {
	flags := "(?m)"
	if fold {
		flags = "(?mi)"
	}
	return regexp.Compile(flags + pattern)
}

// regexMatcher returns a matcher for a regular expression. Its Find leaves out empty
// matches.
func regexMatcher(s Spec) *Matcher {
	re, err := CompileRegex(s.Text, s.Fold)
	if err != nil { // refused by query.Parse
		return never
	}
	find := func(text string) [][2]int {
		var spans [][2]int
		for _, at := range re.FindAllStringIndex(text, -1) {
			if at[1] > at[0] {
				spans = append(spans, [2]int{at[0], at[1]})
			}
		}
		return spans
	}
	must := mustHave(s)
	return &Matcher{Find: find, Has: func(text string) bool {
		return (must.pattern == "" || must.index(text, 0, newCursor()) >= 0) && re.MatchString(text)
	}}
}

// mustHave returns a search for bytes that every match of a pattern contains, so that most
// texts are refused quickly; the zero byteSearch if there are none. The letters k and s are
// equal to two letters that are not of ASCII, and so are left out if case is ignored. A
// pattern may itself say, anywhere, that case is ignored: a(?i:b).
func mustHave(s Spec) byteSearch {
	literals := RequiredLiterals(s.Text)
	if len(literals) == 0 || len(literals[0]) < 3 {
		return byteSearch{}
	}
	if !s.Fold && !strings.Contains(s.Text, "(?") {
		return newByteSearch(literals[0], false)
	}
	parts := strings.FieldsFunc(strings.ToLower(literals[0]), func(r rune) bool { return r == 'k' || r == 's' })
	return newByteSearch(slices.MaxFunc(append(parts, ""), func(a, b string) int { return len(a) - len(b) }), true)
}

// RequiredLiterals returns the ASCII texts, of two letters or more, that every match of
// a pattern contains; the longest first.
func RequiredLiterals(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	list := slices.DeleteFunc(literalsOf(re), func(s string) bool { return len(s) < 2 || !text.IsASCII(s) })
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(list)
}

// literalsOf returns the texts that every match of a regular expression contains.
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

// Op is how the value of a field is compared.
type Op string

// The comparisons of values.
const (
	OpEqual Op = ""
	OpExact Op = "="
	OpGlob  Op = "glob"
	OpRegex Op = "regex"
)

// A Value is a comparison that a value of a field must satisfy. It travels to the functions
// inside SQLite as JSON.
type Value struct {
	Op     Op     `json:"op"`
	Value  string `json:"value"`
	Path   bool   `json:"path,omitempty"`
	Prefix bool   `json:"prefix,omitempty"`
	Fold   bool   `json:"fold,omitempty"` // of a regular expression: ignore case
}

// Holds reports whether a value satisfies the comparison.
func (s Value) Holds(value string) bool { return s.compile()(value) }

// compile returns a function that reports whether a value satisfies the comparison.
func (s Value) compile() func(string) bool {
	switch s.Op {
	case OpRegex:
		re, err := CompileRegex(s.Value, s.Fold)
		if err != nil { // refused by query.Parse
			return never.Has
		}
		return re.MatchString
	case OpGlob:
		return text.GlobMatcher(s.Value, s.Path)
	case OpExact:
		return func(v string) bool { return v == s.Value }
	case OpEqual:
	}
	want := strings.ToLower(s.Value)
	return func(v string) bool {
		v = strings.ToLower(v)
		isTail := s.Path && !strings.HasPrefix(want, "/") && strings.HasSuffix(v, "/"+want)
		return v == want || isTail || s.Prefix && strings.HasPrefix(v, want)
	}
}
