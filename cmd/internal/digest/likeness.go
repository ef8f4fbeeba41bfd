package digest

import "slices"

// A Likeness distinguishes texts that say something new, among any number of them.
// Its zero value knows none.
type Likeness struct {
	texts map[string]int
	kinds []Wording // of the first text of each kind, in order
	// full are the kinds that contain a word, few those that have it among the words
	// that one alike to it must share.
	full, few map[uint64][]int
}

// Of returns the number of the first text that said the same, or the next number if
// none did: the first text is 0.
func (l *Likeness) Of(text string) int { return l.Except(text, nil) }

// Except is like Of, but the numbers that are taken are passed over.
func (l *Likeness) Except(text string, taken map[int]bool) int {
	i, known := l.texts[text]
	if known && !taken[i] {
		return i
	}
	if l.texts == nil {
		l.texts, l.full, l.few = map[string]int{}, map[uint64][]int{}, map[uint64][]int{}
	}
	wording := WordingOf(text)
	words := wording.withNumbers()
	needed := l.needed(words)
	if i = l.find(wording, words, needed, taken); i == len(l.kinds) {
		l.add(wording, words, needed)
	}
	if !known {
		l.texts[text] = i
	}
	return i
}

// Knows reports whether there was this very text.
func (l *Likeness) Knows(text string) bool {
	_, ok := l.texts[text]
	return ok
}

// find returns the first kind that is alike and not taken, or the number of kinds. Two that are alike
// have three in four of the words of the shorter in common at least. So of the shorter,
// any one in four and one more contain one that the other has.
func (l *Likeness) find(wording Wording, words, needed []uint64, taken map[int]bool) int {
	best := len(l.kinds)
	try := func(kinds []int) {
		for _, i := range kinds {
			if i >= best {
				return
			}
			if !taken[i] && l.kinds[i].Alike(wording) {
				best = i
				return
			}
		}
	}
	for _, w := range needed {
		try(l.full[w])
	}
	for _, w := range words {
		try(l.few[w])
	}
	return best
}

func (l *Likeness) add(wording Wording, words, needed []uint64) {
	i := len(l.kinds)
	l.kinds = append(l.kinds, wording)
	for _, w := range needed {
		l.few[w] = append(l.few[w], i)
	}
	for _, w := range words {
		l.full[w] = append(l.full[w], i)
	}
}

// needed returns words of which a longer text that is alike contains one: those that the
// fewest contain so far.
func (l *Likeness) needed(words []uint64) []uint64 {
	type held struct {
		word  uint64
		kinds int
	}
	rarest := make([]held, len(words))
	for i, w := range words {
		rarest[i] = held{w, len(l.full[w])}
	}
	slices.SortStableFunc(rarest, func(a, b held) int { return a.kinds - b.kinds })
	needed := make([]uint64, min(len(words), len(words)/4+1))
	for i := range needed {
		needed[i] = rarest[i].word
	}
	return needed
}
