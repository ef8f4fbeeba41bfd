package match

import (
	"math"
	"regexp"
	"strings"
	"sync"
)

// Function is a function that compiled queries call inside SQLite. Func gets
// as many arguments as NArgs says, any number if that is negative, of types
// nil, int64, float64, string and []byte. It depends on nothing else and may
// be called from many goroutines.
type Function struct {
	Name  string
	NArgs int
	Func  func(args []any) (any, error)
}

// Functions are the functions the index must give SQLite, as deterministic
// ones, before it runs a plan.
func Functions() []Function {
	return []Function{
		{"handex_text", -1, textFunction},
		{"handex_value", 2, valueFunction},
		{"handex_section", -1, sectionFunction},
		{"handex_base", 1, baseFunction},
		{"handex_given", 1, givenFunction},
		{"handex_rarity", 2, rarityFunction},
		{"handex_relevance", -1, relevanceFunction},
	}
}

func stringArg(arg any) string {
	switch v := arg.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func truth(ok bool) (any, error) {
	if ok {
		return int64(1), nil
	}
	return int64(0), nil
}

var matchers = cache[Spec, *Matcher]{compile: Spec.Compile}

// textFunction is handex_text(spec, text...): whether a text matches.
func textFunction(args []any) (any, error) {
	if len(args) == 0 {
		return truth(false)
	}
	m := matchers.get(stringArg(args[0]))
	for _, arg := range args[1:] {
		if text := stringArg(arg); text != "" && m.Has(text) {
			return truth(true)
		}
	}
	return truth(false)
}

var values = cache[Value, func(string) bool]{compile: Value.compile}

// valueFunction is handex_value(spec, value): whether a value is the one asked
// for.
func valueFunction(args []any) (any, error) {
	return truth(values.get(stringArg(args[0]))(stringArg(args[1])))
}

// baseFunction is handex_base(path): its last part.
func baseFunction(args []any) (any, error) {
	path := strings.TrimRight(stringArg(args[0]), `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:], nil
}

// nothing are the ways to say that there is none.
var nothing = sync.OnceValue(func() *regexp.Regexp {
	const space = `[\s\v\x{85}\pZ\pP\pS]*`
	const none = `none|no|nothing|n/?a|nil|null|empty|no (known |open |current |active )?blockers?|` +
		`none (known|currently|right now|at (this time|the moment))`
	return regexp.MustCompile(`(?i)^` + space + `(` + none + `)?` + space + `$`)
})

// givenFunction is handex_given(text): whether it says more than "none".
func givenFunction(args []any) (any, error) {
	return truth(!nothing().MatchString(stringArg(args[0])))
}

// rarityFunction is handex_rarity(matches, all): how much a word tells that so
// many of all handoffs hold, as in BM25.
func rarityFunction(args []any) (any, error) {
	n, _ := args[0].(int64)
	all, _ := args[1].(int64)
	return math.Log(1 + (float64(max(all-n, 0))+0.5)/(float64(n)+0.5)), nil
}
