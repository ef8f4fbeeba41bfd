package brief

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// A Budget is the greatest length of a briefing: N characters ('c'), bytes ('b') or
// tokens ('t').
type Budget struct {
	N    int
	Unit byte
}

// The smallest budgets, in characters or bytes, and in tokens.
const (
	leastText   = 600
	leastTokens = 200
)

// ParseBudget parses a number and its unit, by default characters: 2000, 2000c, 10000b,
// 2500t.
func ParseBudget(text string) (Budget, error) {
	number, unit := text, byte('c')
	if n := len(text); n > 0 && (text[n-1] == 'c' || text[n-1] == 'b' || text[n-1] == 't') {
		number, unit = text[:n-1], text[n-1]
	}
	least := leastText
	if unit == 't' {
		least = leastTokens
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < least || n > 1_000_000 {
		return Budget{}, fmt.Errorf("%q is not a budget: write a number up to 1000000, then c for characters (at least "+
			"%d), b for bytes (%d) or t for tokens (%d)", text, leastText, leastText, leastTokens)
	}
	return Budget{n, unit}, nil
}

// measure returns the length of a text in the budget's unit. A token is estimated as
// four ASCII characters or one other.
func (b Budget) measure(text string) int {
	switch b.Unit {
	case 'b':
		return len(text)
	case 't':
		other := 0
		for _, r := range text {
			if r >= utf8.RuneSelf {
				other++
			}
		}
		return (utf8.RuneCountInString(text)-other+3)/4 + other
	}
	return utf8.RuneCountInString(text)
}
