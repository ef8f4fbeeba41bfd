package main

import (
	"context"
	"path/filepath"
	"strings"
)

// fewHandoffs is how many handoffs the smaller tree has in which find is measured.
const fewHandoffs = 2000

// remembered are words that a generated tree has: a common one, some, and a passage.
var remembered = []string{
	"session",
	"token expiry",
	"migration rollback session",
	"the deploy failed because the token had expired and nobody noticed until morning",
}

// onlyIndex builds the index of the whole tree.
func (b *bench) onlyIndex(ctx context.Context) error {
	b.index = filepath.Join(b.work, "index")
	_, err := b.measure(ctx, b.build(b.tree, b.index))
	return err
}

// find compares handex find for some remembered words with the same among few handoffs.
// Both read as many texts.
func (b *bench) find(ctx context.Context) error {
	tree, index, err := b.smaller(ctx, "few", fewHandoffs)
	if err != nil {
		return err
	}
	for _, words := range remembered {
		fields := strings.Fields(words)
		name := "find " + strings.Join(fields[:min(len(fields), 3)], " ")
		if len(fields) > 3 {
			name += " ..."
		}
		findIn := func(tree, index string) []string {
			return append([]string{b.handex, "find", "--root", tree, "--index", index, "--no-refresh"}, fields...)
		}
		few := other{name: "the same among 2,000 handoffs", command: findIn(tree, index)}
		if _, err := b.compare(ctx, name, findIn(b.tree, b.index), few); err != nil {
			return err
		}
	}
	return nil
}
