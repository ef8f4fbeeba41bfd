package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

// A finder finds spellings in a text: tokens side by side. It looks at each
// token of the text just once, however many spellings there are.
type finder struct {
	ids     map[string]int // of the tokens of all spellings, from 1
	shapes  [256]uint64    // a bit for each shape that these have: see shapeOf
	ends    [][]*spelling  // by the id of the last token
	open    []*spelling    // their last token may be the beginning of one
	longest int            // tokens
}

// A spelling is one form of one part of what is searched, as tokens.
type spelling struct {
	part, form int
	before     []int  // the ids of the tokens before the last
	beginning  string // of the last token, if that is open
}

// newFinder returns a finder for the forms of some parts. The only form of a part without
// forms is its text.
func newFinder(parts []Spec) *finder {
	f := &finder{ids: map[string]int{}, ends: make([][]*spelling, 1), longest: 1}
	for i, part := range parts {
		forms := part.Forms
		if len(forms) == 0 {
			forms = []string{part.Text}
		}
		for j, form := range forms {
			if tokens := text.Tokens(form); len(tokens) > 0 {
				f.add(&spelling{part: i, form: j}, tokens, part.Open || part.Kind == Prefix)
			}
		}
	}
	return f
}

// add adds a spelling by its tokens. If open is set, the last token may be the beginning of
// a longer one in the text.
func (f *finder) add(s *spelling, tokens []text.Token, open bool) {
	f.longest = max(f.longest, len(tokens))
	last := len(tokens) - 1
	for _, t := range tokens[:last] {
		s.before = append(s.before, f.id(t.Folded))
	}
	if open {
		s.beginning = tokens[last].Folded
		f.open = append(f.open, s)
		return
	}
	id := f.id(tokens[last].Folded)
	f.ends[id] = append(f.ends[id], s)
}

// id returns the number of a token, a new one for a token that has none.
func (f *finder) id(token string) int {
	id, ok := f.ids[token]
	if !ok {
		id = len(f.ends)
		f.ids[token] = id
		f.ends = append(f.ends, nil)
		shape := shapeOf(token[0], token[len(token)-1], len(token))
		f.shapes[shape>>6] |= 1 << (shape & 63)
	}
	return id
}

// shapeOf returns a number below 1<<14 that is made of the outer bytes and the length of a
// token. Few tokens of a text have the same shape as one that is searched.
func shapeOf(first, last byte, length int) uint {
	return uint(first&31)<<9 | uint(last&31)<<4 | uint(min(length, 15))
}

// hasShape reports whether a token with these outer bytes and this length may be one of the
// spellings' tokens.
func (f *finder) hasShape(first, last byte, length int) bool {
	shape := shapeOf(first, last, length)
	return f.shapes[shape>>6]>>(shape&63)&1 != 0
}

// An occurrence is where a spelling is in a text: in bytes, from start to end, and in tokens
// counted from 0, from first to last.
type occurrence struct{ start, end, first, last int }

// each calls found for each spelling in a text, and returns how many tokens the
// text has.
func (f *finder) each(body string, found func(*spelling, occurrence)) (tokens int) {
	recent := make([]seenToken, f.longest)
	var buf [64]byte
	for at := 0; ; tokens++ {
		start, end, token := text.NextToken(body, at, buf[:])
		if start == len(body) {
			return tokens
		}
		at = end
		id := 0
		if f.hasShape(token[0], token[len(token)-1], len(token)) {
			id = f.ids[string(token)]
		}
		if id == 0 && f.open == nil {
			continue
		}
		recent[tokens%f.longest] = seenToken{tokens, id, start}
		for _, s := range f.ends[id] {
			s.check(recent, tokens, end, found)
		}
		for _, s := range f.open {
			if strings.HasPrefix(string(token), s.beginning) {
				s.check(recent, tokens, end, found)
			}
		}
	}
}

// A seenToken is a token of the text that has an id. The last of them are kept in a ring, at
// index n modulo its length; n counts the tokens of the text.
type seenToken struct{ n, id, start int }

// check calls found if the tokens before token last, which is known to end the spelling, are
// the other tokens of the spelling. recent has the last tokens; end is the offset behind
// token last.
func (s *spelling) check(recent []seenToken, last, end int, found func(*spelling, occurrence)) {
	p := occurrence{end: end, first: last - len(s.before), last: last}
	for i, id := range s.before {
		k := p.first + i
		if k < 0 || recent[k%len(recent)].n != k || recent[k%len(recent)].id != id {
			return
		}
	}
	p.start = recent[p.first%len(recent)].start
	found(s, p)
}

// nearMatcher returns a matcher for words. Several parts match only if at most distance
// tokens lie between them.
func nearMatcher(parts []Spec, distance int) *Matcher {
	finder := newFinder(parts)
	find := func(body string) [][2]int {
		found := make([][]occurrence, len(parts))
		finder.each(body, func(s *spelling, p occurrence) {
			// Of two spellings that end alike one will do.
			if n := len(found[s.part]); n == 0 || found[s.part][n-1].last < p.last {
				found[s.part] = append(found[s.part], p)
			}
		})
		if len(parts) > 1 {
			found = keepNear(found, distance)
		}
		return spansOf(found)
	}
	return &Matcher{Find: find, Has: func(body string) bool { return len(find(body)) > 0 }}
}

// keepNear returns for each part its occurrences that have one of every other part within
// distance, in the sense of FTS5: from the end of the first part to the start of the last no
// more than that many tokens.
func keepNear(found [][]occurrence, distance int) [][]occurrence {
	kept := make([][]occurrence, len(found))
	at := make([]int, len(found))
	for {
		low, high := 0, 0
		for i, list := range found {
			if at[i] == len(list) {
				return kept
			}
			if list[at[i]].first < found[low][at[low]].first {
				low = i
			}
			if list[at[i]].first > found[high][at[high]].first {
				high = i
			}
		}
		if found[high][at[high]].first-found[low][at[low]].last <= distance+1 {
			for i, list := range found {
				kept[i] = append(kept[i], list[at[i]])
			}
		}
		at[low]++
	}
}

// spansOf returns the byte ranges of all occurrences in order, without those that begin
// inside another.
func spansOf(found [][]occurrence) [][2]int {
	places := slices.Concat(found...)
	slices.SortFunc(places, func(a, b occurrence) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	var spans [][2]int
	for _, p := range places {
		if len(spans) == 0 || p.start >= spans[len(spans)-1][1] {
			spans = append(spans, [2]int{p.start, p.end})
		}
	}
	return spans
}
