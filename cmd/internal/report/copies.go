package report

import (
	"slices"
	"strings"

	"handex/index"
)

// Copies of a project, clones and further checkouts, say what it says. Two items are
// copies if they read the same and stand in files of one name below their projects.

// a copyKey is the same for copies.
type copyKey struct{ path, text string }

// copyOf is what an item has in common with its copies.
func (b *builder) copyOf(it *Item) copyKey { return copyKey{b.below[it.ID], it.Text} }

// below is the path of a handoff below its project.
func below(h *index.Summary) string {
	path := h.Path
	if h.VersionOf != "" {
		path = h.VersionOf
	}
	return strings.TrimPrefix(path, h.Root)
}

// told are the handoffs that say what was told before, by what they have in common
// with their copies.
type told map[copyKey][]Ref

// fresh leaves out the items that copies of were told, and notes where they stand.
func (b *builder) fresh(t told, items []Item) []Item {
	return slices.DeleteFunc(items, func(it Item) bool {
		key := b.copyOf(&it)
		before := t[key]
		if !slices.ContainsFunc(before, func(r Ref) bool { return r.ID == it.ID }) {
			t[key] = append(before, it.Ref)
		}
		return len(before) > 0
	})
}

// also tells of each item where its copies stand.
func (b *builder) also(t told, items []Item) {
	for i := range items {
		refs := t[b.copyOf(&items[i])]
		if len(refs) > 1 && items[i].Count == nil {
			items[i].Count, items[i].Where = b.named(refs), slices.Clone(refs[:min(len(refs), MaxWhere)])
		}
	}
}

// once tells copies among items once, by the newest. Items are oldest first.
func (b *builder) once(items []Item) []Item {
	t := told{}
	slices.Reverse(items)
	items = b.fresh(t, items)
	b.also(t, items)
	slices.Reverse(items)
	return items
}
