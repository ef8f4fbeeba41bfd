package match

import (
	"strings"

	"handex/query/internal/text"
)

// Op is how the value of a field is compared.
type Op string

// The comparisons of values.
const (
	OpEqual Op = ""
	OpExact Op = "="
	OpGlob  Op = "glob"
	OpRegex Op = "regex"
)

// Value says which values of a field are meant. It travels to the functions
// inside SQLite as JSON.
type Value struct {
	Op     Op     `json:"op"`
	Value  string `json:"value"`
	Path   bool   `json:"path,omitempty"`
	Prefix bool   `json:"prefix,omitempty"`
	Fold   bool   `json:"fold,omitempty"` // of a regular expression: ignore case
}

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
