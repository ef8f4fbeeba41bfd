package match

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
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

// Functions returns the functions that the index must register with SQLite, as deterministic
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
		{"handex_sketch", -1, sketchFunction},
	}
}

// stringArg returns an argument of a function as a string, "" if it is neither text nor a
// blob.
func stringArg(arg any) string {
	switch v := arg.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// truth returns a boolean as SQLite represents it, 1 or 0.
func truth(ok bool) (any, error) {
	if ok {
		return int64(1), nil
	}
	return int64(0), nil
}

var matchers = cache[Spec, *Matcher]{compile: Spec.Compile}

// textFunction implements handex_text(spec, text...): whether one of the texts matches a
// Spec, which is in JSON.
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

// valueFunction implements handex_value(spec, value): whether a value satisfies a Value,
// which is in JSON.
func valueFunction(args []any) (any, error) {
	return truth(values.get(stringArg(args[0]))(stringArg(args[1])))
}

// baseFunction implements handex_base(path): the last element of a path.
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

// givenFunction implements handex_given(text): whether a text says more than "none".
func givenFunction(args []any) (any, error) {
	return truth(!nothing().MatchString(stringArg(args[0])))
}

// rarityFunction implements handex_rarity(matches, all): the weight, as in BM25, of a word
// that so many (matches) of all handoffs contain.
func rarityFunction(args []any) (any, error) {
	n, _ := args[0].(int64)
	all, _ := args[1].(int64)
	return math.Log(1 + (float64(max(all-n, 0))+0.5)/(float64(n)+0.5)), nil
}

// TextColumns are the columns of body with the handoff's text, all but
// name and meta, in the table's order.
var TextColumns = []string{
	"title", "heading", "goal", "state", "next", "done", "gotchas", "risks", "blockers", "questions", "human", "decisions",
	"approaches", "worked", "failed", "partial", "context", "advice", "reflection", "hypothesis", "outcome", "checks",
	"files", "other", "head",
}

// SearchedColumns are those a word is looked for in that names no column: the text, and
// what the handoff is called by.
var SearchedColumns = append(slices.Clip(TextColumns), "name")

// sectionFunction implements handex_section(slug, sections, column...): the text of the
// sections whose heading has the slug, the columns being TextColumns. See the column
// sections of the schema.
func sectionFunction(args []any) (any, error) {
	if len(args) != 2+len(TextColumns) {
		return "", nil
	}
	rest := map[string]string{}
	for i, name := range TextColumns {
		rest[name] = stringArg(args[2+i])
	}
	var pieces [][]any
	err := json.Unmarshal([]byte(stringArg(args[1])), &pieces)
	return sectionText(stringArg(args[0]), pieces, rest), err
}

// sectionText returns the text of the sections whose heading has a slug. pieces describes
// the parts of all sections in order, by column and length; rest has the text of each
// column, from which the parts are cut in turn.
func sectionText(slug string, pieces [][]any, rest map[string]string) string {
	var b strings.Builder
	wanted := false
	for _, p := range pieces {
		if len(p) < 6 {
			return b.String()
		}
		kind, _ := p[0].(string)
		level, headingLen, bodyLen := whole(p[1]), whole(p[4]), whole(p[5])
		if level >= 0 {
			wanted = slug == slugOf(cut(rest, "heading", headingLen))
		}
		wanted = wanted && level >= -1
		if text := cut(rest, kind, bodyLen); wanted {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// whole returns a number that was decoded from JSON as an int, 0 for any other value.
func whole(v any) int {
	f, _ := v.(float64)
	return int(f)
}

// cut removes the first n bytes and the newline behind them from a column, and returns the
// bytes.
func cut(rest map[string]string, name string, n int) string {
	s := rest[name]
	n = min(max(n, 0), len(s))
	rest[name] = strings.TrimPrefix(s[n:], "\n")
	return s[:n]
}

// slugOf returns a heading in lower case with "-" between its words, which is how sec.<slug>
// names it.
func slugOf(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
