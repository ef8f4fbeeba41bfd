package query

import (
	"encoding/json"
	"strings"
)

// matchSpec says how a piece of text is recognised. It travels to the
// functions inside SQLite as JSON.
type matchSpec struct {
	Kind     TextKind    `json:"kind"`
	Text     string      `json:"text,omitempty"`
	Fold     bool        `json:"fold,omitempty"` // ignore case
	Open     bool        `json:"open,omitempty"` // may end inside a word
	Forms    []string    `json:"forms,omitempty"`
	Near     []matchSpec `json:"near,omitempty"`
	Distance int         `json:"distance,omitempty"`
}

func (s matchSpec) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

// matcher finds the ranges of a text that match.
type matcher struct {
	find func(text string) [][2]int
	has  func(text string) bool
}

// compile makes the matcher of a spec.
func (s matchSpec) compile() *matcher {
	var m *matcher
	switch s.Kind {
	case TextRegex:
		m = regexMatcher(s)
	case TextPhrase, TextContains:
		m = literalMatcher(s)
	case TextPrefix:
		if !endsInToken(s.Text) {
			s.Open = true
			m = literalMatcher(s)
			break
		}
		m = nearMatcher([]matchSpec{s}, 0)
	case TextNear:
		m = nearMatcher(s.Near, s.Distance)
	case TextWord, TextExact, TextFuzzy:
		m = nearMatcher([]matchSpec{s}, 0)
	default:
		m = &matcher{find: func(string) [][2]int { return nil }}
	}
	if m.has == nil {
		m.has = func(text string) bool { return len(m.find(text)) > 0 }
	}
	return m
}

func regexMatcher(s matchSpec) *matcher {
	re, err := compileRegex(s.Text, s.Fold)
	if err != nil { // refused by Parse
		return &matcher{find: func(string) [][2]int { return nil }}
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
	return &matcher{find: find, has: func(text string) bool {
		if must.pattern != "" {
			if must.index(text, 0, newCursor()) < 0 {
				return false
			}
		}
		return re.MatchString(text)
	}}
}

// mustHave finds bytes without which the pattern cannot match: most texts are
// refused by them. k and s are equal to two letters that are not of ASCII. A
// pattern may itself say, anywhere, that case is ignored: a(?i:b).
func mustHave(s matchSpec) byteSearch {
	literals := requiredLiterals(s.Text)
	if len(literals) == 0 || len(literals[0]) < minContains {
		return byteSearch{}
	}
	literal, fold := literals[0], s.Fold || strings.Contains(s.Text, "(?")
	if fold {
		longest := ""
		for _, part := range strings.FieldsFunc(strings.ToLower(literal), func(r rune) bool { return r == 'k' || r == 's' }) {
			if len(part) > len(longest) {
				longest = part
			}
		}
		literal = longest
	}
	return newByteSearch(literal, fold)
}
