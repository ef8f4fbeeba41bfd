package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Wording is a text reduced to its words and numbers, to find out whether texts say the
// same.
type Wording struct {
	words   []uint64 // hashes of the words, sorted
	numbers string   // the numbers, in the order of the text
}

// WordingOf returns the wording of a text. It ignores mark-up, case, single letters and all
// but the first 64 words. In scripts without blanks, each two letters count as a word.
func WordingOf(text string) Wording {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	return Wording{words: wordsOf(text), numbers: strings.Join(numbers, " ")}
}

// Len returns the number of words.
func (w Wording) Len() int { return len(w.words) }

// withNumbers returns the words, each hashed with the numbers, so that texts with different
// numbers have no words in common.
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

// wordsOf returns the hashes of the words of a text, sorted, each once, at most maxWording.
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

// FirstUnspaced is the first character of the scripts that are written without blanks.
const FirstUnspaced = 0x2E80

// lower returns a letter in lower case, a digit unchanged, and 0 for any other character.
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

// hashBegin is the initial value of the hash FNV-1a over characters.
const hashBegin uint64 = 14695981039346656037

// hashRune adds a character to a hash FNV-1a.
func hashRune(h uint64, r rune) uint64 { return (h ^ uint64(r)) * 1099511628211 }

// maxWording is the maximum number of words of a text that are compared.
const maxWording = 64

// Alike reports whether two texts are likely to say the same: at least three fifths of all
// their words are in both, or four fifths of those of the shorter, if it has at least five.
// Texts with different numbers are not alike: "Port chapter 3" and "Port chapter 4" are two
// steps.
func (w Wording) Alike(other Wording) bool {
	short, long := min(w.Len(), other.Len()), max(w.Len(), other.Len())
	if w.numbers != other.numbers || short < 2 || long > 8*short {
		return false
	}
	both := common(w.words, other.words)
	return 5*both >= 3*(short+long-both) || short >= 5 && 5*both >= 4*short
}

// common returns how many words are in both of two sorted lists.
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

// A Task is something to do, in the words of one handoff.
type Task struct {
	wording Wording
	names   []uint64
}

// TaskOf returns the task that a text describes: its wording, and the words that name
// something, such as a ticket, a file or an identifier.
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

// Same reports whether two texts are likely to describe the same task: their wordings are
// alike, or they name the same thing and share at least half of the words of the shorter.
func (t Task) Same(other Task) bool {
	if t.wording.Alike(other.wording) {
		return true
	}
	short := min(t.wording.Len(), other.wording.Len())
	return short >= 4 && common(t.names, other.names) > 0 && 2*common(t.wording.words, other.wording.words) >= short
}

// A Likeness numbers texts by what they say: texts that say the same have one number. Its
// zero value is empty and ready to use.
type Likeness struct {
	texts map[string]int
	kinds []Wording // of the first text of each kind, in order
	// full maps each word to the kinds that contain it. few maps it to the kinds that have
	// it among the words of which a longer text that is alike must contain one.
	full, few map[uint64][]int
}

// Of returns the number of the first text that says the same as text, or the next number if
// there is none. The first text has the number 0.
func (l *Likeness) Of(text string) int { return l.Except(text, nil) }

// Except is like Of, but does not return the numbers in taken.
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

// Knows reports whether exactly this text was numbered before.
func (l *Likeness) Knows(text string) bool {
	_, ok := l.texts[text]
	return ok
}

// find returns the number of the first kind that is alike and not taken, or the number of
// all kinds if there is none. Two texts that are alike share at least three in four of the
// words of the shorter. So of any quarter of its words and one more, the longer contains at
// least one.
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

// add adds a kind with the wording of its first text. words and needed are its words that
// later texts are compared with.
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

// needed returns a quarter of the words and one more, those that the fewest kinds contain.
// Every longer text that is alike contains at least one of them.
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
