package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"handex/cmd/internal/gen"
)

// generateMode as first argument makes this program one that writes handoffs
// and tells of them in JSON. Linux counts the memory of a process that starts
// another as the other's, so the one that measures must stay small.
const generateMode = "generate"

func generate(dir, n, seed string, out io.Writer) error {
	count, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	stats, err := gen.Tree(dir, count, number)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(stats)
}

// generate has n handoffs written by a process of its own.
func (b *bench) generate(ctx context.Context, dir string, n int) (gen.Stats, error) {
	var stats gen.Stats
	self, err := os.Executable()
	if err != nil {
		return stats, err
	}
	said, err := exec.CommandContext(ctx, self, generateMode, dir, strconv.Itoa(n), strconv.FormatUint(b.seed, 10)).Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	if err != nil {
		return stats, fmt.Errorf("generate handoffs: %w", err)
	}
	return stats, json.Unmarshal(said, &stats)
}
