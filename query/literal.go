package query

import (
	"unicode"
	"unicode/utf8"
)

// literalMatcher finds text as it stands, runs of white space being equal. A
// phrase begins and ends at the ends of words; contains does not care.
func literalMatcher(s matchSpec) *matcher {
	lit := newLiteral(s)
	return &matcher{
		find: func(text string) [][2]int {
			var spans [][2]int
			c := newCursor()
			for from := 0; ; {
				start, end := lit.next(text, from, c)
				if start < 0 {
					return spans
				}
				spans = append(spans, [2]int{start, end})
				from = end
			}
		},
		has: func(text string) bool {
			start, _ := lit.next(text, 0, newCursor())
			return start >= 0
		},
	}
}

// literal is a pattern of characters, searched by Knuth, Morris and Pratt's
// method: linear whatever the text.
type literal struct {
	pattern     []rune
	fail        []int
	fold        bool
	left, right bool // must begin, end at the end of a word
	bytes       byteSearch
}

func newLiteral(s matchSpec) *literal {
	l := &literal{fold: s.Fold}
	for _, r := range s.Text {
		c, n := l.char(r), len(l.pattern)
		if c != ' ' || n == 0 || l.pattern[n-1] != ' ' {
			l.pattern = append(l.pattern, c)
		}
	}
	if s.Kind != TextContains && len(l.pattern) > 0 {
		head, tail := l.pattern[0], l.pattern[len(l.pattern)-1]
		l.left = inWord(head) && hasToken(s.Text) && !isSpaceless(head)
		l.right = !s.Open && endsInToken(s.Text) && !isSpaceless(tail)
	}
	l.bytes = newByteSearch(string(l.pattern), s.Fold)
	l.fail = make([]int, len(l.pattern))
	for i, k := 1, 0; i < len(l.pattern); i++ {
		for k > 0 && l.pattern[i] != l.pattern[k] {
			k = l.fail[k-1]
		}
		if l.pattern[i] == l.pattern[k] {
			k++
		}
		l.fail[i] = k
	}
	return l
}

// char is r as it is compared.
func (l *literal) char(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case !l.fold:
		return r
	case r < utf8.RuneSelf:
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if low := unicode.ToLower(r); low >= utf8.RuneSelf {
		return low
	}
	return r // the Kelvin sign is no k: so ASCII can be compared by bytes
}

// next finds the first match that begins at or behind from; -1 if none.
func (l *literal) next(text string, from int, c *cursor) (start, end int) {
	for l.bytes.pattern != "" && !c.given {
		at := l.bytes.index(text, from, c)
		switch end := at + len(l.bytes.pattern); {
		case c.given:
			from = at
		case at < 0:
			return -1, -1
		case l.bounded(text, at, end):
			return at, end
		default:
			from = at + 1
		}
	}
	return l.nextByRune(text, from)
}

// nextByRune is next for any pattern.
func (l *literal) nextByRune(text string, from int) (start, end int) {
	n := len(l.pattern)
	if n == 0 {
		return -1, -1
	}
	starts := make([]int, n) // where the last n characters began, a ring
	count, k, space := 0, 0, false
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := l.char(r)
		if c == ' ' && space {
			i += size
			continue
		}
		space = c == ' '
		starts[count%n] = i
		count++
		for k > 0 && c != l.pattern[k] {
			k = l.fail[k-1]
		}
		if c == l.pattern[k] {
			k++
		}
		i += size
		if k == n {
			if at := starts[count%n]; l.bounded(text, at, i) {
				return at, i
			}
			k = l.fail[k-1]
		}
	}
	return -1, -1
}

// bounded reports whether the match stands between ends of words, as far as
// the pattern asks for it.
func (l *literal) bounded(text string, start, end int) bool {
	after, _ := utf8.DecodeRuneInString(text[end:])
	if l.left && endsInToken(text[:start]) {
		return false
	}
	return !l.right || end == len(text) || !inWord(after)
}
