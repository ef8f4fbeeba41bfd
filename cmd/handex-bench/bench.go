package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"handex/cmd/internal/gen"
)

// The bounds, as BENCHMARKS.md lists them: how many times the cost beside it a
// cost of handex may be, and the memory of a full index of 100,000 handoffs, and
// of a search. What has no bound is measured for comparison.
const (
	boundIndex        = 4.5
	boundFile         = 2.0
	boundRefresh      = 1.3
	boundProject      = 5
	boundBrief        = 6
	boundUpdate       = 20
	boundGrowth       = 1.3
	boundMemory       = 500_000_000
	boundSearchMemory = 30_000_000
)

// manyHandoffs is from where on boundRefresh holds: with fewer the start of the
// program is most of what a refresh takes.
const manyHandoffs = 100_000

// shortRuns is how many times more often than a full index a command of a few
// milliseconds runs.
const shortRuns = 30

// bench is one run of the program.
type bench struct {
	n, runs int
	seed    uint64

	work   string // scratch folder
	handex string // the program
	tree   string // the handoffs
	index  string // the index folder of the last full index
	stats  gen.Stats
}

// run builds, generates, measures and prints; missed counts the bounds that
// did not hold.
func (b *bench) run(ctx context.Context, out io.Writer) (missed int, err error) {
	if b.work, err = os.MkdirTemp("", "handex-bench-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	if err := b.prepare(ctx); err != nil {
		return 0, err
	}
	var t table
	measures := []func(context.Context, *table) error{b.fullIndex, b.search, b.growth, b.refresh, b.project, b.brief, b.updates} // updates changes the handoffs
	for _, measure := range measures {
		if err := measure(ctx, &t); err != nil {
			return 0, err
		}
	}
	head := fmt.Sprintf("%d handoffs of %d projects, %s, of which Markdown %s; seed %d; %s, %d cores, %s",
		b.stats.Handoffs, b.stats.Projects, bytesText(b.stats.Bytes), bytesText(b.stats.Markdown), b.seed,
		runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	return t.missed(), t.print(out, head)
}

func (b *bench) prepare(ctx context.Context) error {
	b.handex, b.tree = filepath.Join(b.work, "handex"), filepath.Join(b.work, "tree")
	build := exec.CommandContext(ctx, "go", "build", "-o", b.handex, "handex/cmd/handex")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build handex: %w\n%s", err, said)
	}
	var err error
	b.stats, err = b.generate(ctx, b.tree, b.n)
	return err
}

// fullIndex builds the index of the whole tree, for its size and memory, and
// that of its Markdown alone, to compare it with parsing the same files and
// nothing else. Each build starts without an index.
func (b *bench) fullIndex(ctx context.Context, t *table) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var whole, ours, parse []usage
	for i := range b.runs {
		b.index = filepath.Join(b.work, "index-"+strconv.Itoa(i))
		build := []string{b.handex, "index", "--full", "--root", b.tree, "--index"}
		for _, step := range []struct {
			into    *[]usage
			command []string
		}{
			{&whole, append(slices.Clone(build), b.index)},
			{&ours, append(slices.Clone(build), b.index+"-markdown", "--include", "**/*.md")},
			{&parse, []string{self, parseMode, b.tree}},
		} {
			u, err := b.measure(ctx, step.command[0], step.command[1:]...)
			if err != nil {
				return err
			}
			*step.into = append(*step.into, u)
		}
	}
	size, err := folderSize(b.index)
	if err != nil {
		return err
	}
	t.cpu("full index of the Markdown", ours, "goldmark parses the same files", parse, boundIndex)
	t.cpu("full index", whole, "goldmark parses the Markdown in it", parse, 0)
	t.ratio("index file", bytesText(size), "the text", bytesText(b.stats.Bytes), float64(size)/float64(b.stats.Bytes), boundFile)
	t.memory("peak memory, full index", whole, boundMemory)
	return nil
}

// search compares a search for a common word, newest first, with the sqlite3
// program that prints the same handoffs from the same file, and with a Go
// program that does nothing.
func (b *bench) search(ctx context.Context, t *table) error {
	hello, err := b.buildHello(ctx)
	if err != nil {
		return err
	}
	commands := [][]string{b.searchFor(commonWord), {hello}}
	file, err := b.indexFile()
	if err != nil {
		return err
	}
	sqlite, missing := exec.LookPath("sqlite3")
	if missing == nil {
		commands = append(commands, []string{sqlite, "-readonly", file, newestSQL})
	}
	got, err := b.takeTurns(ctx, b.runs*shortRuns, commands)
	if err != nil {
		return err
	}
	name := "search " + commonWord
	if missing == nil {
		t.cpu(name, got[0], "sqlite3 prints the same rows", got[2], 0)
	} else {
		t.skip(name, got[0], "sqlite3 is not installed")
	}
	t.cpu(name, got[0], "a Go program that does nothing", got[1], 0)
	t.memory("peak memory, search", got[0], boundSearchMemory)
	return nil
}

// searchFor is the command that shows the 20 newest handoffs with a word.
func (b *bench) searchFor(word string) []string {
	return []string{b.handex, "search", "--root", b.tree, "--index", b.index, "--no-refresh", word, "limit:20"}
}

// commonWord stands in almost half of the handoffs.
const commonWord = "session"

const newestSQL = `SELECT h.hid, h.date, p.name, h.format, h.status, b.title, b.goal
FROM fts JOIN handoff h ON h.id = fts.rowid JOIN project p ON p.id = h.project_id JOIN body b ON b.id = h.id
WHERE fts MATCH '` + commonWord + `' ORDER BY fts.rowid DESC LIMIT 20`

// refresh compares a refresh that finds nothing changed with listing the tree.
func (b *bench) refresh(ctx context.Context, t *table) error {
	refresh := []string{b.handex, "index", "--root", b.tree, "--index", b.index}
	find, err := exec.LookPath("find")
	if err != nil || runtime.GOOS != "linux" {
		got, err := b.takeTurns(ctx, b.runs*shortRuns, [][]string{refresh})
		if err != nil {
			return err
		}
		t.skip("refresh, nothing changed", got[0], "GNU find is not installed")
		return nil
	}
	got, err := b.takeTurns(ctx, b.runs*shortRuns, [][]string{refresh, {find, b.tree, "-printf", `%p %s %T@ %i\n`}})
	if err != nil {
		return err
	}
	bound := boundRefresh
	if b.n < manyHandoffs {
		bound = 0
	}
	t.cpu("refresh, nothing changed", got[0], "find prints names and times", got[1], bound)
	return nil
}

func (b *bench) buildHello(ctx context.Context) (string, error) {
	source, program := filepath.Join(b.work, "hello.go"), filepath.Join(b.work, "hello")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { println() }\n"), 0o600); err != nil {
		return "", err
	}
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", program, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build hello: %w\n%s", err, said)
	}
	return program, nil
}

// indexFile is the one database in the index folder.
func (b *bench) indexFile() (string, error) {
	files, err := filepath.Glob(filepath.Join(b.index, "*.db"))
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fmt.Errorf("the index folder holds %d databases (%s), want 1", len(files), strings.Join(files, ", "))
	}
	return files[0], nil
}

func folderSize(dir string) (int64, error) {
	var sum int64
	err := eachFile(dir, func(_ string, info fs.FileInfo) error {
		sum += info.Size()
		return nil
	})
	return sum, err
}

// eachFile calls f for the files below a folder.
func eachFile(dir string, f func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return f(path, info)
	})
}
