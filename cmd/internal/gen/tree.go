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

// Stats counts what Tree wrote. Bytes is the size of all handoffs and of the discussion
// files beside manifests, Markdown the size of the files that end in .md.
type Stats struct {
	Handoffs, Projects int
	Bytes, Markdown    int64
}

// Tree writes n handoffs below dir, each project in its own folder with an empty .git.
// Missing folders are made. If a file exists, the error wraps fs.ErrExist.
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

// save writes a new file with a modification time, and makes missing folders.
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
