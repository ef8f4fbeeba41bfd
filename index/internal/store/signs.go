package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Signs are no words, so fts does not index them. The signs in a
// text are marked in the column meta: each sign beyond ASCII, and each pair
// of adjacent ASCII signs, as single ASCII signs are in every text.
const (
	MarkSign = "x0c"
	markPair = "x0g"
	// manySigns are as many as are distinguished in one handoff: of one with more it
	// is only known that it has.
	manySigns = 256
	MarkMany  = MarkSign + "many"
)

// A SignSet is the set of signs in texts: of characters that are neither letters, digits nor white
// space.
type SignSet struct {
	pairs [utf8.RuneSelf][utf8.RuneSelf]bool
	runes map[rune]bool
}

// NewSigns returns an empty SignSet.
func NewSigns() *SignSet { return &SignSet{runes: map[rune]bool{}} }

// Add adds the signs of text to s. Any longer text that contains text, in any case and with any
// white space in between, has at least these signs.
func (s *SignSet) Add(text string) {
	for i, before := 0, byte(0); i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !isSign[c] {
				c = 0
			} else if before != 0 {
				s.pairs[before][c] = true
			}
			before = c
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if low := unicode.ToLower(r); low >= utf8.RuneSelf {
			r = low
		}
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) && len(s.runes) <= manySigns {
			s.runes[r] = true
		}
		before = 0
		i += size
	}
}

// isSign is true for the bytes of ASCII that are neither letters, digits nor white space.
var isSign = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		r := rune(c)
		is[c] = !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r)
	}
	return is
}()

// Marks returns the tokens that stand for the signs in column meta, sorted.
func (s *SignSet) Marks() []string {
	var list []string
	for first := range s.pairs {
		for second, is := range s.pairs[first] {
			if is {
				list = append(list, fmt.Sprintf("%s%02x%02x", markPair, first, second))
			}
		}
	}
	switch {
	case len(s.runes) > manySigns:
		list = append(list, MarkMany)
	default:
		for r := range s.runes {
			list = append(list, fmt.Sprintf("%s%x", MarkSign, r))
		}
	}
	slices.Sort(list)
	return list
}

// SignsOf returns the tokens for the signs of all texts of a handoff, separated by blanks.
func SignsOf(texts ...string) string {
	s := NewSigns()
	for _, text := range texts {
		s.Add(text)
	}
	return strings.Join(s.Marks(), " ")
}

// The tokens of the column meta consist of one of these and the value of a field. Each
// contains a digit, so none is a plain word. The tokens of signs are above.
const (
	markProject  = "x0p" // the number of the project
	MarkDeclared = "x0d" // the project the handoff names, if it does
	MarkFormat   = "x0f"
	MarkStatus   = "x0s"
)

// ProjectMark returns the token in column meta for the project with an id.
func ProjectMark(id int64) string { return markProject + strconv.FormatInt(id, 10) }

// MetaToken returns the ASCII letters and digits of name, in lower case.
func MetaToken(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}
