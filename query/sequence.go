package query

import (
	"slices"
	"strings"
)

// sequence is tokens side by side; the last may be the beginning of one.
type sequence struct {
	tokens []string
	open   bool
}

// sequences are the spellings of one part.
func (s matchSpec) sequences() []sequence {
	forms := s.Forms
	if len(forms) == 0 {
		forms = []string{s.Text}
	}
	var list []sequence
	for _, form := range forms {
		seq := sequence{open: s.Open || s.Kind == TextPrefix}
		for _, t := range splitTokens(form) {
			seq.tokens = append(seq.tokens, t.folded)
		}
		if len(seq.tokens) > 0 {
			list = append(list, seq)
		}
	}
	return list
}

// nearMatcher finds words; of several parts only where they stand so near that
// at most distance tokens lie between.
func nearMatcher(parts []matchSpec, distance int) *matcher {
	var all [][]sequence
	for _, part := range parts {
		all = append(all, part.sequences())
	}
	return &matcher{find: func(text string) [][2]int {
		found := findSequences(text, all)
		if len(all) > 1 {
			found = keepNear(found, distance)
		}
		var spans [][2]int
		for _, list := range found {
			for _, p := range list {
				spans = append(spans, [2]int{p.start, p.end})
			}
		}
		return tidy(spans)
	}}
}

// place is where a part stands: bytes, and tokens counted from 0.
type place struct{ start, end, first, last int }

// findSequences finds each part in the text.
func findSequences(text string, parts [][]sequence) [][]place {
	type mark struct{ start, end int }
	found := make([][]place, len(parts))
	longest := 1
	for _, seqs := range parts {
		for _, s := range seqs {
			longest = max(longest, len(s.tokens))
		}
	}
	words := make([]string, 0, longest) // the last tokens
	marks := make([]mark, 0, longest)
	n := 0
	eachToken(text, func(start, end int, folded []byte) bool {
		if len(words) == longest {
			copy(words, words[1:])
			copy(marks, marks[1:])
			words, marks = words[:longest-1], marks[:longest-1]
		}
		words, marks = append(words, string(folded)), append(marks, mark{start, end})
		for i, seqs := range parts {
			for _, s := range seqs {
				if k := len(words) - len(s.tokens); k >= 0 && s.matches(words[k:]) {
					found[i] = append(found[i], place{marks[k].start, end, n - len(s.tokens) + 1, n})
					break
				}
			}
		}
		n++
		return true
	})
	return found
}

func (s sequence) matches(words []string) bool {
	last := len(words) - 1
	for i, w := range words {
		begins := i == last && s.open && strings.HasPrefix(w, s.tokens[i])
		if w != s.tokens[i] && !begins {
			return false
		}
	}
	return true
}

// keepNear keeps the places that have a place of every other part within
// distance, in the sense of FTS5: from the end of the first part to the start
// of the last no more than that many tokens.
func keepNear(found [][]place, distance int) [][]place {
	kept := make([][]place, len(found))
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

// tidy sorts ranges and leaves out those that begin inside another.
func tidy(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return b[1] - a[1]
	})
	kept := spans[:0]
	for _, s := range spans {
		if len(kept) == 0 || s[0] >= kept[len(kept)-1][1] {
			kept = append(kept, s)
		}
	}
	return kept
}
