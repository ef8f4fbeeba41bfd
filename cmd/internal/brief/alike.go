package brief

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
)

// A wording is the words of a text, as numbers in order: what two texts that say
// the same in other forms have in common.
type wording []uint64

var wordSeed = maphash.MakeSeed()

// wordingOf leaves out mark-up, case and words of less than three letters or
// digits; of scripts without blanks each two letters count as a word.
func wordingOf(text string) wording {
	var list wording
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(word)
		switch {
		case runes[0] >= 0x2E80:
			for i := range len(runes) - 1 {
				list = append(list, maphash.String(wordSeed, string(runes[i:i+2])))
			}
		case len(runes) >= 3:
			list = append(list, maphash.String(wordSeed, word))
		}
		if len(list) >= maxWording {
			break
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// maxWording is how many words of a text are compared.
const maxWording = 64

// alike reports whether two texts are likely to say the same: three in five of
// all their words are in both, or four in five of the shorter's, if it has five.
func (w wording) alike(other wording) bool {
	short := min(len(w), len(other))
	if short == 0 || max(len(w), len(other)) > 8*short {
		return false
	}
	common := 0
	for i, j := 0, 0; i < len(w) && j < len(other); {
		switch {
		case w[i] == other[j]:
			common++
			i++
			j++
		case w[i] < other[j]:
			i++
		default:
			j++
		}
	}
	return 5*common >= 3*(len(w)+len(other)-common) || short >= 5 && 5*common >= 4*short
}

// A folder puts items together that say the same.
type folder struct {
	items []Item
	words []wording
}

// add takes an item of a handoff that is older than those before, or the same. It
// is dropped where one before says the same.
func (f *folder) add(it Item) {
	words := wordingOf(it.Text)
	for i := range f.items {
		old := &f.items[i]
		if !f.words[i].alike(words) && old.Text != it.Text {
			continue
		}
		if old.lastOf != it.ID {
			old.Count++
			old.lastOf = it.ID
		}
		return
	}
	it.Count, it.lastOf = 1, it.ID
	f.items = append(f.items, it)
	f.words = append(f.words, words)
}

// repeatedFirst moves items of older handoffs that several say above those that
// one says; those of the newest handoff stay first.
func (f *folder) repeatedFirst() []Item {
	if len(f.items) == 0 {
		return nil
	}
	newest := f.items[0].ID
	rank := func(it Item) int {
		switch {
		case it.ID == newest:
			return 0
		case it.Count > 1:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(f.items, func(a, b Item) int { return rank(a) - rank(b) })
	return f.items
}
