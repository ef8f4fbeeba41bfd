package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// manyUpdates is how many single changes are measured: fts5 merges what it wrote
// now and then, and one of them pays for it.
const manyUpdates = 200

// project compares a refresh of one project among all, of which nothing changed,
// with a Go program that does nothing, and with a search that refreshes nothing.
func (b *bench) project(ctx context.Context, t *table) error {
	hello, err := b.buildHello(ctx)
	if err != nil {
		return err
	}
	files, err := b.handoffs()
	if err != nil {
		return err
	}
	search := []string{b.handex, "search", "--root", b.tree, "--index", b.index, "--no-refresh", commonWord, "limit:20"}
	usual, size := b.usualProject(files)
	got, err := b.takeTurns(ctx, b.runs*shortRuns, [][]string{b.refreshOf(usual), search, {hello}})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("refresh of one project (%d Markdown files)", size)
	t.cpu(name, got[0], "handex searches and refreshes nothing", got[1], 0)
	t.cpu(name, got[0], "a Go program that does nothing", got[2], boundProject)
	return nil
}

// brief compares what a session that begins is told of one project among all, of
// which nothing changed, with a Go program that does nothing.
func (b *bench) brief(ctx context.Context, t *table) error {
	hello, err := b.buildHello(ctx)
	if err != nil {
		return err
	}
	files, err := b.handoffs()
	if err != nil {
		return err
	}
	usual, size := b.usualProject(files)
	brief := []string{b.handex, "brief", "--timeout", "1m", "--root", b.tree, "--index", b.index, filepath.Join(b.tree, b.projectOf(usual))}
	got, err := b.takeTurns(ctx, b.runs*shortRuns, [][]string{brief, {hello}})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("brief of one project (%d Markdown files)", size)
	t.cpu(name, got[0], "a Go program that does nothing", got[1], boundBrief)
	t.wall("brief, from start to end", got[0])
	return nil
}

// usualProject answers a file of the project whose size is nearest to the mean,
// and how many of the files it has.
func (b *bench) usualProject(files []string) (file string, size int) {
	projects := map[string][]string{}
	for _, f := range files {
		name := b.projectOf(f)
		projects[name] = append(projects[name], f)
	}
	mean := len(files) / len(projects)
	off := func(name string) int { return max(len(projects[name])-mean, mean-len(projects[name])) }
	best := slices.MinFunc(slices.Sorted(maps.Keys(projects)), func(a, b string) int { return cmp.Compare(off(a), off(b)) })
	return projects[best][0], len(projects[best])
}

// projectOf is the name of the project of a file.
func (b *bench) projectOf(file string) string {
	rel, _ := filepath.Rel(b.tree, file)
	name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return name
}

// updates changes one handoff after the other and refreshes its project. The
// slowest must not be far from the usual.
func (b *bench) updates(ctx context.Context, t *table) error {
	files, err := b.handoffs()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(b.seed, manyUpdates)) //nolint:gosec // a choice of files, not of secrets
	var runs []usage
	for i := range manyUpdates {
		file := files[rng.IntN(len(files))]
		if err := appendLine(file, fmt.Sprintf("\nOne more line of session %d.\n", i)); err != nil {
			return err
		}
		refresh := b.refreshOf(file)
		u, err := b.measure(ctx, refresh[0], refresh[1:]...)
		if err != nil {
			return err
		}
		runs = append(runs, u)
	}
	slowest := slices.MaxFunc(runs, func(a, b usage) int { return cmp.Compare(a.cpu, b.cpu) })
	t.cpu(fmt.Sprintf("slowest of %d single updates", manyUpdates), []usage{slowest}, "the median of them", runs, boundUpdate)
	return nil
}

// refreshOf is the command that refreshes the project of a file.
func (b *bench) refreshOf(file string) []string {
	return []string{b.handex, "index", "--only", filepath.Join(b.tree, b.projectOf(file)), "--root", b.tree, "--index", b.index}
}

// handoffs lists the Markdown files of the tree, which are all handoffs but for
// the discussions.
func (b *bench) handoffs() (files []string, err error) {
	err = filepath.WalkDir(b.tree, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" && filepath.Base(filepath.Dir(path)) != "discussion" {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = errors.New("the tree holds no Markdown")
	}
	return files, err
}

func appendLine(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
