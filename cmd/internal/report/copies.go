package report

import (
	"cmp"
	"slices"
	"strings"

	"handex/index"
)

// Copies of a project, clones and further checkouts, say what it says. Two items are
// copies if they read the same and stand in files of one name below their projects.

// a copyKey is the same for copies.
type copyKey struct{ path, text string }

func (b *builder) keyOf(it *Item) copyKey { return copyKey{b.below[it.ID], it.Text} }

// below returns the path of a handoff below its project.
func below(h *index.Summary) string {
	return strings.TrimPrefix(cmp.Or(h.VersionOf, h.Path), h.Root)
}

// copies are the handoffs that say an item that is listed, by its key.
type copies map[copyKey][]Ref

// fresh leaves out the items of which copies are listed, and notes where they stand.
func (b *builder) fresh(listed copies, items []Item) []Item {
	return slices.DeleteFunc(items, func(it Item) bool {
		key := b.keyOf(&it)
		before := listed[key]
		if !slices.ContainsFunc(before, func(r Ref) bool { return r.ID == it.ID }) {
			listed[key] = append(before, it.Ref)
		}
		return len(before) > 0
	})
}

// locate adds to each item where its copies stand.
func (b *builder) locate(listed copies, items []Item) {
	for i := range items {
		refs := listed[b.keyOf(&items[i])]
		if len(refs) > 1 && items[i].Count == nil {
			items[i].Count, items[i].Where = b.named(refs), slices.Clone(refs[:min(len(refs), MaxWhere)])
		}
	}
}

// unique leaves of copies among items the first.
func (b *builder) unique(items []Item) []Item {
	listed := copies{}
	items = b.fresh(listed, items)
	b.locate(listed, items)
	return items
}
