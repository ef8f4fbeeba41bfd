package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
)

// Copies of a project, clones and further checkouts, say what it says. Two items are
// copies if they have the same text and are in files of one name below their projects.

// a copyKey is the same for copies.
type copyKey struct{ path, text string }

func (b *builder) keyOf(it *Item) copyKey { return copyKey{b.below[it.ID], it.Text} }

// below returns the path of a handoff below its project.
func below(h *index.Summary) string {
	return strings.TrimPrefix(cmp.Or(h.VersionOf, h.Path), h.Root)
}

// copies are the handoffs that say an item that is listed, by its key.
type copies map[copyKey][]Ref

// fresh leaves out the items of which copies are listed, and notes where they are.
func (b *builder) fresh(listed copies, items []Item) []Item {
	return slices.DeleteFunc(items, func(it Item) bool {
		key := b.keyOf(&it)
		before := listed[key]
		for _, ref := range append([]Ref{it.Ref}, it.All...) {
			if !slices.ContainsFunc(listed[key], func(r Ref) bool { return r.ID == ref.ID }) {
				listed[key] = append(listed[key], ref)
			}
		}
		return len(before) > 0
	})
}

// locateAll adds to items that have no count which handoffs say them or have a copy.
func (b *builder) locateAll(listed copies, items []Item) {
	for i := range items {
		if items[i].Count == nil {
			items[i].All = listed[b.keyOf(&items[i])]
			b.locate(&items[i])
		}
	}
}

// locate adds to an item which handoffs say it, if there are several.
func (b *builder) locate(it *Item) {
	if len(it.All) > 1 {
		it.Count, it.Where = b.named(it.All), slices.Clone(it.All[:min(len(it.All), MaxWhere)])
	}
}

// unique leaves of copies among items the first.
func (b *builder) unique(items []Item) []Item {
	listed := copies{}
	items = b.fresh(listed, items)
	b.locateAll(listed, items)
	return items
}
