package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/gen"
)

// The bounds, as BENCHMARKS.md lists them: how many times the cost beside it a
// cost of handex may be, and the memory of a full index of 100,000 handoffs, and
// of a search. What has no bound is measured for comparison.
const (
	boundIndex        = 4.5
	boundFile         = 2.0
	boundRealIndex    = 4.0 // of real Markdown, whose words and fields are more various
	boundRealFile     = 1.7
	boundRefresh      = 1.3
	boundProject      = 5
	boundBrief        = 6
	boundUpdate       = 20
	boundGrowth       = 1.3
	boundMemory       = 500_000_000
	boundSearchMemory = 30_000_000
)

const (
	// manyHandoffs is the number of handoffs from which boundRefresh applies: with fewer the start of the
	// program is most of what a refresh takes.
	manyHandoffs = 100_000
	// shortRuns is how many times more often than a full index a command of a few
	// milliseconds runs.
	shortRuns = 30
	// manyUpdates is how many single changes are measured: fts5 merges what it wrote
	// now and then, and one of them pays for it.
	manyUpdates = 200
	// handexPackage is the program that is measured.
	handexPackage = "github.com/OWNER/handex/cmd/handex"
	// commonWord is in almost half of the handoffs.
	commonWord = "session"
)

// bench is one run of the program: its options, files and results.
type bench struct {
	n, runs  int
	seed     uint64
	findOnly bool // measure only find
	real     bool // the tree is a folder of real handoffs, which is only read

	work     string // scratch folder
	handex   string // the program
	nothing  other  // a program that does nothing
	tree     string // the handoffs
	index    string // the index folder of the last full index
	stats    gen.Stats
	handoffs []string // the Markdown files but for discussions
	table    table
}

// other is a command with which a command of handex is compared. A bound of 0 means none.
// If the command is not installed, missing says so.
type other struct {
	name    string
	command []string
	bound   float64
	missing string
}

// run builds handex, generates the handoffs, makes all measurements and prints the table.
// missed is how many bounds were missed.
func (b *bench) run(ctx context.Context, out io.Writer) (missed int, err error) {
	if b.work, err = os.MkdirTemp("", "handex-bench-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	b.handex = filepath.Join(b.work, "handex")
	// updates changes the handoffs, so it is last.
	steps := []func(context.Context) error{
		b.prepare, b.fullIndex, b.search, b.growth, b.find, b.refresh, b.project, b.updates,
	}
	switch b.real = b.tree != ""; {
	case b.real:
		steps = []func(context.Context) error{b.prepareReal, b.fullIndex}
	case b.findOnly:
		steps = []func(context.Context) error{b.prepare, b.onlyIndex, b.find}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return 0, err
		}
	}
	head := "Markdown of a folder, " + bytesText(float64(b.stats.Bytes))
	if !b.real {
		head = fmt.Sprintf("%d handoffs of %d projects, %s, of which Markdown %s; seed %d", b.stats.Handoffs,
			b.stats.Projects, bytesText(float64(b.stats.Bytes)), bytesText(float64(b.stats.Markdown)), b.seed)
	}
	head += fmt.Sprintf("; %s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	return b.table.missed, b.table.print(out, head)
}

// prepare builds handex and a program that does nothing, and generates the handoffs.
func (b *bench) prepare(ctx context.Context) error {
	b.tree = filepath.Join(b.work, "tree")
	source, hello := filepath.Join(b.work, "hello.go"), filepath.Join(b.work, "hello")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { println() }\n"), 0o600); err != nil {
		return err
	}
	b.nothing = other{name: "a Go program that does nothing", command: []string{hello}}
	err := errors.Join(b.compile(ctx, b.handex, handexPackage), b.compile(ctx, hello, source))
	if err != nil {
		return err
	}
	if b.stats, err = b.generate(ctx, b.tree, b.n); err != nil {
		return err
	}
	err = filepath.WalkDir(b.tree, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" && filepath.Base(filepath.Dir(path)) != "discussion" {
			b.handoffs = append(b.handoffs, path)
		}
		return err
	})
	if err == nil && len(b.handoffs) == 0 {
		err = errors.New("the tree contains no Markdown")
	}
	return errors.Join(err, b.setAhead())
}

// prepareReal is like prepare, but for a folder of real handoffs.
func (b *bench) prepareReal(ctx context.Context) (err error) {
	if b.tree, err = filepath.Abs(b.tree); err != nil {
		return err
	}
	b.stats.Bytes, err = sizeOf(b.tree, ".md")
	return errors.Join(err, b.compile(ctx, b.handex, handexPackage))
}

// compile builds the program at path from source, a Go package or file.
func (b *bench) compile(ctx context.Context, path, source string) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", path, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", source, err, said)
	}
	return nil
}

// setAhead gives some handoffs a modification time in the future, as wrong clocks and
// programs that unpack trees do.
func (b *bench) setAhead() error {
	const oneIn = 28
	ahead := time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)
	for i := 0; i < len(b.handoffs); i += oneIn {
		if err := os.Chtimes(b.handoffs[i], ahead, ahead); err != nil {
			return err
		}
	}
	return nil
}

// fullIndex measures building an index of the whole tree, for its size and memory, and one
// of its Markdown alone, to compare it with only parsing the same files. Each build starts
// without an index. For real handoffs it builds only the second one.
func (b *bench) fullIndex(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	runs, err := b.turns(ctx, b.runs, func(round int) [][]string {
		b.index = filepath.Join(b.work, "index-"+strconv.Itoa(round))
		parse := []string{self, parseMode, b.tree}
		if b.real {
			return [][]string{append(b.build(b.tree, b.index), "--include", "**/*.md"), parse}
		}
		ofMarkdown := append(b.build(b.tree, b.index+"-markdown"), "--include", "**/*.md")
		return [][]string{ofMarkdown, parse, b.build(b.tree, b.index)}
	})
	if err != nil {
		return err
	}
	size, err := sizeOf(b.index, ".db")
	t, whole, of, boundCPU, boundSize := &b.table, runs[0], runs[1], boundRealIndex, boundRealFile
	if !b.real {
		whole, boundCPU, boundSize = runs[2], boundIndex, boundFile
	}
	t.cpu("full index of the Markdown", runs[0], "goldmark parses the same files", of, boundCPU)
	if !b.real {
		t.cpu("full index", whole, "goldmark parses the Markdown in it", of, 0)
	}
	file, text := float64(size), float64(b.stats.Bytes)
	t.ratio("index file", bytesText(file), "the text", bytesText(text), file/text, boundSize)
	t.memory("peak memory, full index", whole, boundMemory)
	return err
}

// build returns the command that builds an index of a tree.
func (b *bench) build(tree, index string) []string {
	return []string{b.handex, "index", "--full", "--root", tree, "--index", index}
}

// smaller generates n handoffs in a tree of their own and builds an index of it. It returns
// the folders of both, whose names begin with name.
func (b *bench) smaller(ctx context.Context, name string, n int) (tree, index string, err error) {
	tree, index = filepath.Join(b.work, name+"-tree"), filepath.Join(b.work, name+"-index")
	if _, err := b.generate(ctx, tree, n); err != nil {
		return "", "", err
	}
	_, err = b.measure(ctx, b.build(tree, index))
	return tree, index, err
}

// sizeOf returns the total size in bytes of the files below a folder whose names end with
// suffix.
func sizeOf(dir, suffix string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// search compares a search for a common word, newest first, with the sqlite3
// program that prints the same handoffs from the same file, and with a Go
// program that does nothing.
func (b *bench) search(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(b.index, "*.db"))
	if err != nil || len(files) != 1 {
		return errors.Join(err, fmt.Errorf("the index folder must contain one database, but has: %s",
			strings.Join(files, ", ")))
	}
	sqlite := other{name: "sqlite3 prints the same rows", command: []string{"sqlite3", "-readonly", files[0], newestSQL}}
	if _, err := exec.LookPath("sqlite3"); err != nil {
		sqlite.missing = "sqlite3 is not installed"
	}
	ours, err := b.compare(ctx, "search "+commonWord, b.searchIn(b.tree, b.index), sqlite, b.nothing)
	if err == nil {
		b.table.memory("peak memory, search", ours, boundSearchMemory)
	}
	return err
}

const newestSQL = `SELECT h.hid, h.date, p.name, h.format, h.status, b.title, b.goal
FROM fts JOIN handoff h ON h.id = fts.rowid JOIN project p ON p.id = h.project_id JOIN body b ON b.id = h.id
WHERE fts MATCH '` + commonWord + `' ORDER BY fts.rowid DESC LIMIT 20`

// searchIn returns the command that shows the 20 newest handoffs with a common word.
func (b *bench) searchIn(tree, index string) []string {
	return []string{b.handex, "search", "--root", tree, "--index", index, "--no-refresh", commonWord, "limit:20"}
}

// growth compares a search for a common word with the same search in a tenth of the
// handoffs. Both show as many hits, so the cost should be the same.
func (b *bench) growth(ctx context.Context) error {
	tree, index, err := b.smaller(ctx, "small", max(b.n/10, 1))
	if err != nil {
		return err
	}
	_, err = b.compare(ctx, "search "+commonWord, b.searchIn(b.tree, b.index),
		other{name: "the same in a tenth of the handoffs", command: b.searchIn(tree, index), bound: boundGrowth})
	return err
}

// refresh compares a refresh that finds nothing changed with listing the tree with find.
func (b *bench) refresh(ctx context.Context) error {
	find := other{name: "find prints names and times", command: []string{"find", b.tree, "-printf", `%p %s %T@ %i\n`}}
	if b.n >= manyHandoffs {
		find.bound = boundRefresh
	}
	if _, err := exec.LookPath("find"); err != nil || runtime.GOOS != "linux" {
		find.missing = "GNU find is not installed"
	}
	refresh := []string{b.handex, "index", "--root", b.tree, "--index", b.index}
	_, err := b.compare(ctx, "refresh, nothing changed", refresh, find)
	return err
}

// project measures a refresh of one project among all, and a briefing on it, both when
// nothing has changed.
func (b *bench) project(ctx context.Context) error {
	project, size := b.usualProject()
	name := fmt.Sprintf(" of one project (%d Markdown files)", size)
	search := other{name: "handex searches and refreshes nothing", command: b.searchIn(b.tree, b.index)}
	start := b.nothing
	start.bound = boundProject
	if _, err := b.compare(ctx, "refresh"+name, b.refreshOf(project), search, start); err != nil {
		return err
	}
	start.bound = boundBrief
	brief := []string{b.handex, "brief", "--timeout", "1m", "--root", b.tree, "--index", b.index, project}
	ours, err := b.compare(ctx, "brief"+name, brief, start)
	if err == nil {
		b.table.wall("brief, from start to end", ours)
	}
	return err
}

// usualProject returns the project whose number of Markdown handoffs is nearest to the
// mean, and that number.
func (b *bench) usualProject() (dir string, size int) {
	sizes := map[string]int{}
	for _, f := range b.handoffs {
		sizes[b.projectOf(f)]++
	}
	mean := len(b.handoffs) / len(sizes)
	off := func(name string) int { return max(sizes[name]-mean, mean-sizes[name]) }
	dir = slices.MinFunc(slices.Sorted(maps.Keys(sizes)), func(a, b string) int { return cmp.Compare(off(a), off(b)) })
	return dir, sizes[dir]
}

// projectOf returns the folder of the project that a file belongs to.
func (b *bench) projectOf(file string) string {
	rel, _ := filepath.Rel(b.tree, file)
	name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return filepath.Join(b.tree, name)
}

// refreshOf returns the command that refreshes the index for one project.
func (b *bench) refreshOf(project string) []string {
	return []string{b.handex, "index", "--only", project, "--root", b.tree, "--index", b.index}
}

// updates changes one handoff after the other, refreshes its project each time, and
// compares the slowest refresh with the median.
func (b *bench) updates(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(b.seed, manyUpdates)) //nolint:gosec // a choice of files, not of secrets
	var runs []usage
	for i := range manyUpdates {
		file := b.handoffs[rng.IntN(len(b.handoffs))]
		if err := appendLine(file, fmt.Sprintf("\nOne more line of session %d.\n", i)); err != nil {
			return err
		}
		u, err := b.measure(ctx, b.refreshOf(b.projectOf(file)))
		if err != nil {
			return err
		}
		runs = append(runs, u)
	}
	slowest := slices.MaxFunc(runs, func(a, b usage) int { return cmp.Compare(a.cpu, b.cpu) })
	name := fmt.Sprintf("slowest of %d single updates", manyUpdates)
	b.table.cpu(name, []usage{slowest}, "the median of them", runs, boundUpdate)
	return nil
}

// appendLine appends a text to an existing file.
func appendLine(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
