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
		d := Distance([]rune(strings.ToLower(typed)), []rune(strings.ToLower(name)), limit)
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

// Distance returns the optimal string alignment distance of a and b: insert, delete, replace
// and swap of neighbours cost one each. A distance above limit may be returned as limit+1.
func Distance[T byte | rune](a, b []T, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := row[0]
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			best = min(best, row[j])
		}
		if best > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
