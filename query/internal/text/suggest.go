package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const maxSuggestions = 3

// Suggest returns the names nearest to what was typed, at most three and only
// those at the best distance: one edit up to four letters, two above. Names
// under three letters are near to everything and so never suggested.
func Suggest(typed string, names []string) []string {
	limit := 2
	letters := utf8.RuneCountInString(typed)
	if letters <= 4 {
		limit = 1
	}
	if letters < 3 || letters > 40 {
		return nil
	}
	var near []string
	for _, name := range names {
		if len(name) < 3 {
			continue
		}
		d := distance(strings.ToLower(typed), strings.ToLower(name))
		if d > limit || slices.Contains(near, name) {
			continue
		}
		if d < limit {
			limit, near = d, near[:0]
		}
		near = append(near, name)
	}
	return near[:min(len(near), maxSuggestions)]
}

// distance is the optimal string alignment distance: insert, delete, replace
// and swap of neighbours cost one each.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	prev2, prev, cur := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(t)]
}
