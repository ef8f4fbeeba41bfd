package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"
)

// parseMode as first argument makes this program the one that a full index is
// measured against: it parses the Markdown below a folder as CommonMark and
// does nothing with it.
const parseMode = "parse-markdown"

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
