package main

import (
	"context"
	"path/filepath"
)

// growth compares a search for a common word with the same among a tenth of as
// many handoffs: what is shown is as much, so that the cost should be the same.
func (b *bench) growth(ctx context.Context, t *table) error {
	small := *b
	small.tree, small.index = filepath.Join(b.work, "small-tree"), filepath.Join(b.work, "small-index")
	if _, err := b.generate(ctx, small.tree, max(b.n/10, 1)); err != nil {
		return err
	}
	if _, err := b.measure(ctx, b.handex, "index", "--full", "--root", small.tree, "--index", small.index); err != nil {
		return err
	}
	return b.against(ctx, t, "search "+commonWord, b.searchFor(commonWord),
		"the same in a tenth of the handoffs", small.searchFor(commonWord), "", boundGrowth)
}
