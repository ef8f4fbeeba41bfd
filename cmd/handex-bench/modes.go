package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/OWNER/handex/cmd/internal/gen"
)

// generateMode as first argument makes this program one that writes handoffs
// and describes them in JSON. Linux counts the memory of a process that starts
// another as the other's, so the one that measures must stay small.
const generateMode = "generate"

// generate writes n handoffs below dir and prints their gen.Stats as JSON. It is this
// program's generate mode.
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

// generate writes n handoffs below dir in a separate process.
func (b *bench) generate(ctx context.Context, dir string, n int) (gen.Stats, error) {
	var stats gen.Stats
	self, err := os.Executable()
	if err != nil {
		return stats, err
	}
	cmd := exec.CommandContext(ctx, self, generateMode, dir, strconv.Itoa(n), strconv.FormatUint(b.seed, 10))
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return stats, fmt.Errorf("generate handoffs: %w", err)
	}
	return stats, json.Unmarshal(said, &stats)
}

// parseMode as first argument makes this program the one that a full index is
// measured against: it parses the Markdown below a folder as CommonMark and
// does nothing with it.
const parseMode = "parse-markdown"

// parseMarkdown parses the Markdown files below dir as CommonMark and discards the result.
func parseMarkdown(dir string) error {
	parser := goldmark.New().Parser()
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		source, err := os.ReadFile(path)
		if err == nil {
			parser.Parse(text.NewReader(source))
		}
		return err
	})
}
