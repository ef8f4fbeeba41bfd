package brief

import (
	"slices"

	"handex/cmd/internal/digest"
)

// A folder puts items together that say the same.
type folder struct {
	items []Item
	words []digest.Wording
}

// maxFolded is how many items a folder holds and takes of one handoff, more than are
// ever told: each is compared with all before.
const maxFolded = 2 * maxLines

// add takes an item of a handoff that is older than those before, or the same. It
// is dropped where one before says the same.
func (f *folder) add(it Item) {
	words := digest.WordingOf(it.Text)
	for i := range f.items {
		old := &f.items[i]
		if !f.words[i].Alike(words) && old.Text != it.Text {
			continue
		}
		if old.lastOf != it.ID {
			old.Count++
			old.lastOf = it.ID
		}
		return
	}
	if len(f.items) >= maxFolded {
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
