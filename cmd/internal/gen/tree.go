package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Stats counts what Tree wrote. Files are the handoffs and the discussion
// files beside manifests; Bytes are theirs, Markdown those of files that end
// in .md. Dirs leaves out the empty .git folders.
type Stats struct {
	Handoffs, Files, Dirs, Projects int
	Bytes, Markdown                 int64
}

// Tree writes n handoffs below dir, each project in a folder of its own with
// an empty .git. Folders are made as needed; a file that exists is an error
// that wraps fs.ErrExist.
func Tree(dir string, n int, seed uint64) (Stats, error) {
	plan := newPlanner(n, seed)
	handoffs := make([]handoff, n)
	for i := range handoffs {
		handoffs[i] = plan.next(i)
	}
	stats := Stats{Handoffs: n}
	if err := layFolders(dir, handoffs, &stats); err != nil {
		return stats, fmt.Errorf("lay folders: %w", err)
	}
	return stats, writeAll(dir, handoffs, newVocabulary(seed), &stats)
}

func layFolders(dir string, handoffs []handoff, stats *Stats) error {
	made := map[string]bool{".": true}
	for _, h := range handoffs {
		for _, f := range h.folders() {
			if made[f] {
				continue
			}
			if err := os.MkdirAll(filepath.Join(dir, f), 0o755); err != nil {
				return err
			}
			for ; !made[f]; f = filepath.Dir(f) {
				made[f] = true
				stats.Dirs++
			}
		}
		if git := filepath.Join(h.project, ".git"); !made[git] {
			made[git] = true
			stats.Projects++
			if err := os.MkdirAll(filepath.Join(dir, git), 0o755); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h handoff) folders() []string {
	folders := []string{filepath.Dir(h.path)}
	if h.kind == company {
		_, full := discussionOf(h)
		folders = append(folders, filepath.Dir(full))
	}
	return folders
}

// writeAll shares the handoffs out in batches, so that a worker's start costs
// little beside its work.
func writeAll(dir string, handoffs []handoff, words *vocabulary, stats *Stats) error {
	const batch = 256
	var files, bytes, markdown atomic.Int64
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for start := 0; start < len(handoffs); start += batch {
		part := handoffs[start:min(start+batch, len(handoffs))]
		workers.Go(func() error {
			for _, h := range part {
				for _, f := range h.write(words) {
					if err := f.save(dir, h.at); err != nil {
						return err
					}
					files.Add(1)
					bytes.Add(int64(len(f.text)))
					if strings.HasSuffix(f.path, ".md") {
						markdown.Add(int64(len(f.text)))
					}
				}
			}
			return nil
		})
	}
	err := workers.Wait()
	stats.Files, stats.Bytes, stats.Markdown = int(files.Load()), bytes.Load(), markdown.Load()
	return err
}

// file is a file of a handoff, by its path in the tree.
type file struct {
	path string
	text []byte
}

// write returns the handoff's file, and that of its discussion.
func (h handoff) write(words *vocabulary) []file {
	p := newPage(h, words)
	switch h.kind {
	case classic:
		p.classic(h)
	case fond:
		p.fond(h)
	case bold:
		p.bold(h)
	case frontmatter:
		p.frontmatter(h)
	case sessionList:
		p.sessionList(h)
	case flow:
		p.flow(h)
	case act:
		p.act(h)
	case company:
		rel, full := discussionOf(h)
		prose := newPage(h, words)
		prose.discussion(h)
		p.manifest(h, rel)
		return []file{{h.path, p.Bytes()}, {full, prose.Bytes()}}
	}
	return []file{{h.path, p.Bytes()}}
}

func (f file) save(dir string, at time.Time) error {
	path := filepath.Join(dir, filepath.FromSlash(f.path))
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(f.text)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}
