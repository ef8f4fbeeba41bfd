package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Wording is what two texts that say the same in other forms have in common.
type Wording struct {
	words   []uint64 // hashes of the words, sorted
	numbers string   // the numbers, in the order of the text
}

// WordingOf returns the wording of a text. It leaves out mark-up, case, single letters
// and all but the first 64 words; of scripts without blanks each two letters count as a
// word.
func WordingOf(text string) Wording {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	return Wording{words: wordsOf(text), numbers: strings.Join(numbers, " ")}
}

// Len returns the number of words.
func (w Wording) Len() int { return len(w.words) }

// withNumbers returns the words, each hashed with the numbers: texts with different numbers
// have none in common.
func (w Wording) withNumbers() []uint64 {
	h := hashBegin
	for _, r := range w.numbers {
		h = hashRune(h, r)
	}
	list := make([]uint64, len(w.words))
	for i, word := range w.words {
		list[i] = word ^ h
	}
	return list
}

func wordsOf(text string) []uint64 {
	list := make([]uint64, 0, maxWording)
	word, runes, before := hashBegin, 0, rune(0)
	for _, r := range text {
		r = lower(r)
		switch {
		case r >= FirstUnspaced && before >= FirstUnspaced:
			list = append(list, hashRune(hashRune(hashBegin, before), r))
		case r > 0 && r < FirstUnspaced:
			word = hashRune(word, r)
			runes++
		}
		if r == 0 || r >= FirstUnspaced {
			if runes >= 2 {
				list = append(list, word)
			}
			word, runes = hashBegin, 0
		}
		if before = r; len(list) >= maxWording {
			break
		}
	}
	if runes >= 2 {
		list = append(list, word)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// FirstUnspaced is where the scripts begin that are written without blanks.
const FirstUnspaced = 0x2E80

// lower returns a letter or digit in lower case, 0 for anything else.
func lower(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return r
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf, !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return 0
	}
	return unicode.ToLower(r)
}

// hashBegin and hashRune are the hash FNV-1a, of characters.
const hashBegin uint64 = 14695981039346656037

func hashRune(h uint64, r rune) uint64 { return (h ^ uint64(r)) * 1099511628211 }

// maxWording is how many words of a text are compared.
const maxWording = 64

// Alike reports whether two texts are likely to say the same: three fifths of all their
// words are in both, or four fifths of those of the shorter, if it has at least five. Texts
// with different numbers are not: "Port chapter 3" and "Port chapter 4" are two steps.
func (w Wording) Alike(other Wording) bool {
	short, long := min(w.Len(), other.Len()), max(w.Len(), other.Len())
	if w.numbers != other.numbers || short < 2 || long > 8*short {
		return false
	}
	both := common(w.words, other.words)
	return 5*both >= 3*(short+long-both) || short >= 5 && 5*both >= 4*short
}

// common counts the words that are in both of two sorted lists.
func common(a, b []uint64) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// A Task is something to do, as one handoff words it.
type Task struct {
	wording Wording
	names   []uint64
}

// TaskOf returns the words of a text, and which of them name something: a ticket, a
// file, an identifier.
func TaskOf(text string) Task {
	t := Task{wording: WordingOf(text)}
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "*_`'\"()[]{}<>.,:;!?—–-")
		if !strings.ContainsAny(word, "-_/#.0123456789") || strings.Trim(word, "0123456789.,:%-/") == "" {
			continue
		}
		h := hashBegin
		for _, r := range strings.ToLower(word) {
			h = hashRune(h, r)
		}
		t.names = append(t.names, h)
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	return t
}

// Same reports whether two texts are likely to speak of one task: they are alike, or
// they name the same thing and half of the shorter's words are in both.
func (t Task) Same(other Task) bool {
	if t.wording.Alike(other.wording) {
		return true
	}
	short := min(t.wording.Len(), other.wording.Len())
	return short >= 4 && common(t.names, other.names) > 0 && 2*common(t.wording.words, other.wording.words) >= short
}

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
