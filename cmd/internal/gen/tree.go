package gen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Stats counts what Tree wrote. Bytes are those of the handoffs and of the discussion
// files beside manifests, Markdown those of files that end in .md.
type Stats struct {
	Handoffs, Projects int
	Bytes, Markdown    int64
}

// Tree writes n handoffs below dir, each project in a folder of its own with
// an empty .git. Folders are made as needed; a file that exists is an error
// that wraps fs.ErrExist.
func Tree(dir string, n int, seed uint64) (Stats, error) {
	plan, words := newPlanner(n, seed), newVocabulary(seed)
	stats, made := Stats{Handoffs: n}, map[string]bool{}
	var bytes, markdown atomic.Int64
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		h := plan.next(i)
		if !made[h.Project] {
			made[h.Project] = true
			if err := os.MkdirAll(filepath.Join(dir, h.Project, ".git"), 0o755); err != nil {
				return stats, errors.Join(fmt.Errorf("make project: %w", err), workers.Wait())
			}
		}
		workers.Go(func() error {
			files, err := h.write(words)
			if err != nil {
				return err
			}
			for path, text := range files {
				if err := save(filepath.Join(dir, filepath.FromSlash(path)), text, h.At); err != nil {
					return err
				}
				bytes.Add(int64(len(text)))
				if strings.HasSuffix(path, ".md") {
					markdown.Add(int64(len(text)))
				}
			}
			return nil
		})
	}
	err := workers.Wait()
	stats.Projects, stats.Bytes, stats.Markdown = len(made), bytes.Load(), markdown.Load()
	return stats, err
}

// save writes a new file, and folders as it needs them.
func save(path string, text []byte, at time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}
