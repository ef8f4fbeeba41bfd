package query

import (
	"encoding/json"
	"strings"
	"sync"
)

// cache keeps what was compiled, a few at a time: a query needs the same spec
// for every row, and a server many over its life.
type cache[T any] struct {
	mu      sync.Mutex
	entries map[string]T
	compile func(spec string) T
}

const cacheSize = 256

func (c *cache[T]) get(spec string) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.entries[spec]
	if !ok {
		if c.entries == nil || len(c.entries) >= cacheSize {
			c.entries = map[string]T{}
		}
		v = c.compile(spec)
		c.entries[spec] = v
	}
	return v
}

var matchers = cache[*matcher]{compile: func(spec string) *matcher {
	var s matchSpec
	if json.Unmarshal([]byte(spec), &s) != nil {
		s = matchSpec{}
	}
	return s.compile()
}}

var values = cache[func(string) bool]{compile: func(spec string) func(string) bool {
	var s valueSpec
	if json.Unmarshal([]byte(spec), &s) != nil {
		return func(string) bool { return false }
	}
	return s.compile()
}}

// valueSpec says which values of a field are meant.
type valueSpec struct {
	Op     KeyOp  `json:"op"`
	Value  string `json:"value"`
	Path   bool   `json:"path,omitempty"`
	Prefix bool   `json:"prefix,omitempty"`
	Fold   bool   `json:"fold,omitempty"` // of a regular expression: ignore case
}

func (s valueSpec) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

func (s valueSpec) compile() func(string) bool {
	switch s.Op {
	case KeyRegex:
		re, err := compileRegex(s.Value, s.Fold)
		if err != nil { // refused by Parse
			return func(string) bool { return false }
		}
		return re.MatchString
	case KeyGlob:
		return globMatcher(s.Value, s.Path)
	case KeyExact:
		return func(v string) bool { return v == s.Value }
	case KeyEqual:
	}
	want := strings.ToLower(s.Value)
	switch {
	case s.Prefix:
		return func(v string) bool { return strings.HasPrefix(strings.ToLower(v), want) }
	case s.Path:
		tail := "/" + want
		return func(v string) bool {
			v = strings.ToLower(v)
			return v == want || !strings.HasPrefix(want, "/") && strings.HasSuffix(v, tail)
		}
	}
	return func(v string) bool { return strings.ToLower(v) == want }
}
