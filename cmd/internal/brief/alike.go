package brief

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// A wording is the words of a text, as numbers in order: what two texts that say
// the same in other forms have in common.
type wording []uint64

// wordingOf leaves out mark-up, case and single letters and digits; of scripts without blanks each two letters count as a word.
func wordingOf(text string) wording {
	list := make(wording, 0, maxWording)
	word, runes, before := hashBegin, 0, rune(0)
	for _, r := range text {
		r = lower(r)
		switch {
		case r >= firstUnspaced && before >= firstUnspaced:
			list = append(list, hashRune(hashRune(hashBegin, before), r))
		case r > 0 && r < firstUnspaced:
			word = hashRune(word, r)
			runes++
		}
		if r == 0 || r >= firstUnspaced {
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

// firstUnspaced is where the scripts begin that are written without blanks.
const firstUnspaced = 0x2E80

// lower is a letter or digit in lower case, 0 for anything else.
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

// alike reports whether two texts are likely to say the same: three in five of
// all their words are in both, or four in five of the shorter's, if it has five.
func (w wording) alike(other wording) bool {
	short := min(len(w), len(other))
	if short < 2 || max(len(w), len(other)) > 8*short {
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
