package brief

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// A Budget is how long a briefing may be: N characters ('c'), bytes ('b') or
// tokens ('t').
type Budget struct {
	N    int
	Unit byte
}

// MinBudget is the least that a briefing needs to say something, in any unit.
const MinBudget = 400

// ParseBudget reads a number and its unit, characters if it has none: 2000,
// 2000c, 10000b, 2500t.
func ParseBudget(text string) (Budget, error) {
	number, unit := text, byte('c')
	if n := len(text); n > 0 && (text[n-1] == 'c' || text[n-1] == 'b' || text[n-1] == 't') {
		number, unit = text[:n-1], text[n-1]
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < MinBudget || n > 1_000_000 {
		return Budget{}, fmt.Errorf("%q is no budget: write a number from %d to 1000000, and c for characters, b for bytes or t for tokens behind it", text, MinBudget)
	}
	return Budget{n, unit}, nil
}

// measure is how much of the budget a text takes. Tokens are estimated: a quarter
// of one for each ASCII character, a whole one for any other.
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
