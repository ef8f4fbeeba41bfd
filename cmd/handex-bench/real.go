package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// The bounds for real Markdown, whose words and fields are more various than those of
// the generated tree.
const (
	boundRealIndex = 4.0
	boundRealFile  = 1.7
)

// runReal measures a full index of the Markdown in a folder of real handoffs, and
// nothing else: the folder is only read.
func (b *bench) runReal(ctx context.Context, out io.Writer) (missed int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	if b.tree, err = filepath.Abs(b.tree); err != nil {
		return 0, err
	}
	if err := b.compile(ctx, b.handex, handexPackage); err != nil {
		return 0, err
	}
	var ours, parse []usage
	for i := range b.runs {
		b.index = filepath.Join(b.work, "index-"+strconv.Itoa(i))
		index := []string{b.handex, "index", "--full", "--root", b.tree, "--index", b.index, "--include", "**/*.md"}
		u, err := b.measure(ctx, index)
		if err != nil {
			return 0, err
		}
		ours = append(ours, u)
		if u, err = b.measure(ctx, []string{self, parseMode, b.tree}); err != nil {
			return 0, err
		}
		parse = append(parse, u)
	}
	return b.printReal(out, ours, parse)
}

func (b *bench) printReal(out io.Writer, ours, parse []usage) (missed int, err error) {
	file, err := sizeOf(b.index, ".db")
	if err != nil {
		return 0, err
	}
	text, err := sizeOf(b.tree, ".md")
	if err != nil {
		return 0, err
	}
	index, markdown := float64(file), float64(text)
	t := &b.table
	t.cpu("full index of the Markdown", ours, "goldmark parses the same files", parse, boundRealIndex)
	t.ratio("index file", bytesText(index), "the text", bytesText(markdown), index/markdown, boundRealFile)
	t.memory("peak memory, full index", ours, boundMemory)
	head := fmt.Sprintf("Markdown of a folder, %s; %s/%s, %d cores, %s", bytesText(markdown),
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	return t.missed, t.print(out, head)
}
