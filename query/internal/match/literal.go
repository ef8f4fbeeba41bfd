package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/text"
)

// literalMatcher returns a matcher for text as it is written, in which runs of white space
// are equal. A match of a phrase begins and ends at the ends of words; one of kind Contains
// need not.
func literalMatcher(s Spec) *Matcher {
	lit := newLiteral(s)
	return &Matcher{
		Find: func(body string) [][2]int {
			var spans [][2]int
			c := newCursor()
			for from := 0; ; {
				start, end := lit.next(body, from, c)
				if start < 0 {
					return spans
				}
				spans = append(spans, [2]int{start, end})
				from = end
			}
		},
		Has: func(body string) bool {
			start, _ := lit.next(body, 0, newCursor())
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

// newLiteral returns the text of a spec as a pattern of characters.
func newLiteral(s Spec) *literal {
	l := &literal{fold: s.Fold}
	for _, r := range s.Text {
		c, n := l.char(r), len(l.pattern)
		if c != ' ' || n == 0 || l.pattern[n-1] != ' ' {
			l.pattern = append(l.pattern, c)
		}
	}
	if s.Kind != Contains && len(l.pattern) > 0 {
		head, tail := l.pattern[0], l.pattern[len(l.pattern)-1]
		l.left = text.InWord(head) && text.HasToken(s.Text) && !text.IsSpaceless(head)
		l.right = !s.Open && text.EndsInToken(s.Text) && !text.IsSpaceless(tail)
	}
	l.bytes = newByteSearch(string(l.pattern), s.Fold)
	l.fail = make([]int, len(l.pattern))
	for i, k := 1, 0; i < len(l.pattern); i++ {
		k = l.step(k, l.pattern[i])
		l.fail[i] = k
	}
	return l
}

// step returns how many characters of the pattern the text up to c ends with, if it ended
// with k of them before c.
func (l *literal) step(k int, c rune) int {
	for k > 0 && c != l.pattern[k] {
		k = l.fail[k-1]
	}
	if c == l.pattern[k] {
		k++
	}
	return k
}

// char returns r in the form in which characters are compared: white space as a space, and
// small letters if case is ignored.
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

// next returns the first match that begins at offset from or behind it, -1 if there is none.
// c is kept from one call to the next on the same body.
func (l *literal) next(body string, from int, c *cursor) (start, end int) {
	for l.bytes.pattern != "" {
		at := l.bytes.index(body, from, c)
		end := at + len(l.bytes.pattern)
		switch {
		case c.given:
			return l.nextByRune(body, max(at, from))
		case at < 0 || l.bounded(body, at, end):
			return at, end
		}
		from = at + 1
	}
	return l.nextByRune(body, from)
}

// nextByRune returns what next does, for any pattern, by comparing characters instead of
// bytes.
func (l *literal) nextByRune(body string, from int) (start, end int) {
	n := len(l.pattern)
	if n == 0 {
		return -1, -1
	}
	starts := make([]int, n) // where the last n characters began, a ring
	count, k, space := 0, 0, false
	for i := from; i < len(body); {
		r, size := utf8.DecodeRuneInString(body[i:])
		c := l.char(r)
		if c == ' ' && space {
			i += size
			continue
		}
		space = c == ' '
		starts[count%n] = i
		count++
		k = l.step(k, c)
		i += size
		if k == n {
			if at := starts[count%n]; l.bounded(body, at, i) {
				return at, i
			}
			k = l.fail[k-1]
		}
	}
	return -1, -1
}

// bounded reports whether a match begins and ends at the ends of words, as far as the
// pattern requires it.
func (l *literal) bounded(body string, start, end int) bool {
	after, _ := utf8.DecodeRuneInString(body[end:])
	if l.left && text.EndsInToken(body[:start]) {
		return false
	}
	return !l.right || end == len(body) || !text.InWord(after)
}

// byteSearch finds a pattern of bytes at close to the speed of memory, which
// is what a scan of all handoffs costs. Its zero value knows no pattern.
type byteSearch struct {
	pattern string // in small letters, if fold
	fold    bool
	rare    int     // where the rarest byte of the pattern is
	cases   [2]byte // that byte as a small and as a capital letter
}

// common are the bytes of text and code that are no rare ones, the rarest
// first.
const common = "QZXJqzjKVYUWGx#@~$&HPBFMLDCNORISTEAkvbywgpfmu0123456789_/.-,cdhlrsnioat e"

// newByteSearch returns a search for a pattern that can be compared byte by byte: one
// without white space and, if case is ignored, of ASCII or of letters that have no case. For
// any other pattern it returns the zero byteSearch.
func newByteSearch(pattern string, fold bool) byteSearch {
	for _, r := range pattern {
		hasCase := r >= utf8.RuneSelf && (unicode.ToLower(r) != r || unicode.ToUpper(r) != r)
		if unicode.IsSpace(r) || fold && hasCase {
			return byteSearch{}
		}
	}
	b := byteSearch{pattern: pattern, fold: fold && strings.ToUpper(pattern) != pattern}
	best := len(common)
	for i := range len(pattern) {
		if n := strings.IndexByte(common, pattern[i]); n < best { // -1: not common at all
			b.rare, best = i, n
		}
	}
	if b.fold {
		rare := pattern[b.rare]
		b.cases = [2]byte{rare, rare}
		if rare >= 'a' && rare <= 'z' {
			b.cases[1] = rare - 'a' + 'A'
		}
	}
	return b
}

// cursor is how far a search of one text has come.
type cursor struct {
	rare  [2]int // where the rare byte is next, in each case; -1 unknown
	work  int    // bytes compared in vain
	given bool
}

func newCursor() *cursor { return &cursor{rare: [2]int{-1, -1}} }

// index returns the offset of the pattern in body, at from or behind it, -1 if it is not
// there. On texts that make it compare too much it gives up: it sets c.given and returns the
// offset up to which there is no match.
func (b *byteSearch) index(body string, from int, c *cursor) int {
	if !b.fold {
		if i := strings.Index(body[from:], b.pattern); i >= 0 {
			return from + i
		}
		return -1
	}
	for ; !c.given; from++ {
		from = b.candidate(body, from, c)
		if from+len(b.pattern) > len(body) {
			return -1
		}
		same := b.common(body[from:])
		if same == len(b.pattern) {
			return from
		}
		c.work += same + 1
		c.given = c.work > 4*len(body)+64
	}
	return from
}

// candidate returns the next offset where the pattern can be, because the rarest byte of it
// is at its place there. If there is none, the offset is too near to the end of body for a
// match.
func (b *byteSearch) candidate(body string, from int, c *cursor) int {
	p := from + b.rare
	for i, char := range b.cases {
		switch {
		case c.rare[i] >= p:
		case i == 1 && char == b.cases[0], p >= len(body):
			c.rare[i] = len(body)
		default:
			c.rare[i] = len(body)
			if at := strings.IndexByte(body[p:], char); at >= 0 {
				c.rare[i] = p + at
			}
		}
	}
	return min(c.rare[0], c.rare[1]) - b.rare
}

// common returns how many bytes of the pattern body begins with, ignoring case.
func (b *byteSearch) common(body string) int {
	for i := range len(b.pattern) {
		c := body[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != b.pattern[i] {
			return i
		}
	}
	return len(b.pattern)
}
