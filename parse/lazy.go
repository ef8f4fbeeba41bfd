package parse

import (
	"regexp"
	"sync"
)

// lazily is a pattern that is compiled when it is first needed: a search that
// reads no file must not pay for the dozens a parse can want.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
