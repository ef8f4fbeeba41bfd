package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// MaxTerms bounds the words that are ranked by: what brought a handoff has a bit for each.
const MaxTerms = 32

const (
	// sureCandidates is of how many handoffs it is sure that they are among those returned
	// if their promise is greatest, and leastCandidates how many are returned at least.
	sureCandidates, leastCandidates = 160, 400
	// longestShare is what a text of 5,000 words promises of what an empty one does. One
	// that is longer is seldom among the best.
	longestShare = 0.5
)

// heldFunction implements handex_held(weights, most, ids...): which handoffs the words of a
// query bring, in JSON: held has, by id, what a handoff promises by the words that it
// has, before its text is read and its length is known: a rare word weighs more. found is
// how many handoffs there are: at least so many if that is more than most, and -1 if it
// is not known. The weights are numbers with spaces between. The ids are those that each
// word brought, the newest, at most so many, with commas between; the last have all words.
func heldFunction(args []any) (any, error) {
	if len(args) < 2 {
		return `{"found":0,"held":{}}`, nil
	}
	weights := strings.Fields(stringArg(args[0]))
	most, _ := args[1].(int64)
	bits := map[int64]uint64{}
	isCut := false
	for i, arg := range args[2:] {
		n := int64(0)
		for id := range strings.SplitSeq(stringArg(arg), ",") {
			if number, err := strconv.ParseInt(id, 10, 64); err == nil {
				bits[number] |= 1 << i
				n++
			}
		}
		isCut = isCut || i < len(weights) && n == most
	}
	squares, all := squaresOf(weights)
	found := make([]heldWords, 0, len(bits))
	for id, set := range bits {
		found = append(found, heldWords{id, squares.sum(set) + all*float64(set>>len(squares)&1)})
	}
	count := len(found)
	if isCut && int64(count) <= most {
		count = -1
	}
	return heldJSON(promising(found), count), nil
}

// weightSquares are the squares of the weights of the words.
type weightSquares []float64

// squaresOf returns the squares of weights, and that of their sum.
func squaresOf(weights []string) (squares weightSquares, all float64) {
	for _, field := range weights {
		weight, _ := strconv.ParseFloat(field, 64)
		squares = append(squares, weight*weight)
		all += weight
	}
	return squares, all * all
}

// sum returns the sum of the squares whose bits are set, always in the same order.
func (s weightSquares) sum(bits uint64) float64 {
	sum := 0.0
	for i, square := range s {
		if bits>>i&1 == 1 {
			sum += square
		}
	}
	return sum
}

// heldWords is a handoff and the weight of the words it is known to have.
type heldWords struct {
	id   int64
	held float64
}

// promising returns the handoffs that may be among the best once their lengths are known.
func promising(found []heldWords) []heldWords {
	slices.SortFunc(found, func(a, b heldWords) int {
		return cmp.Or(cmp.Compare(b.held, a.held), cmp.Compare(b.id, a.id))
	})
	if len(found) <= leastCandidates {
		return found
	}
	least := min(found[sureCandidates-1].held*longestShare, found[leastCandidates-1].held)
	n, _ := slices.BinarySearchFunc(found, least, func(h heldWords, least float64) int {
		if h.held >= least {
			return -1
		}
		return 1
	})
	return found[:n]
}

// heldJSON writes what heldFunction returns.
func heldJSON(list []heldWords, count int) string {
	b := append(make([]byte, 0, 32*len(list)+32), `{"found":`...)
	b = append(strconv.AppendInt(b, int64(count), 10), `,"held":{`...)
	for i, h := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '"'), h.id, 10)
		b = strconv.AppendFloat(append(b, `":`...), h.held, 'g', -1, 64)
	}
	return string(append(b, "}}"...))
}
