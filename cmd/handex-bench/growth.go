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
	got, err := b.takeTurns(ctx, b.runs*shortRuns, [][]string{b.searchFor(commonWord), small.searchFor(commonWord)})
	if err == nil {
		t.cpu("search "+commonWord, got[0], "the same in a tenth of the handoffs", got[1], boundGrowth)
	}
	return err
}
