// Package testkit contains what the tests of several packages share: how long a
// long test runs, and the random values and real files that it draws.
package testkit

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// faultsVar is the environment variable that makes long tests long: a number of
// rounds, or "full" for all that a release has to pass.
const faultsVar = "HANDEX_FAULTS"

// corpusVar names a folder of real handoffs to test with.
const corpusVar = "HANDEX_CORPUS"

// Long reports whether long tests run at length instead of as a sample.
func Long() bool { return os.Getenv(faultsVar) != "" }

// NeedsLong skips a test that is only part of long runs, because it takes too long for others.
func NeedsLong(tb testing.TB) {
	tb.Helper()
	if !Long() {
		tb.Skip("a long test: set " + faultsVar)
	}
}

// draws reports whether random values are new in this run, as in a full run. In all others they are
// the same each time, so that only a change of code makes a test fail.
func draws() bool { return os.Getenv(faultsVar) == "full" }

// SetDraws sets how often rapid checks a property: sample times, or full times in a full run, or as
// often as HANDEX_FAULTS says. It must be called before the tests of a package. Only a full run
// draws new values.
func SetDraws(sample, full int) {
	checks, err := count(sample, full)
	if err == nil {
		err = flag.Set("rapid.checks", strconv.Itoa(checks))
	}
	if err == nil && !draws() {
		err = flag.Set("rapid.seed", "1")
	}
	if err != nil {
		panic(err)
	}
}

// Rounds returns how often a long test repeats itself: sample times, full times in a full run, or
// as often as HANDEX_FAULTS says. A short run skips the test.
func Rounds(tb testing.TB, sample, full int) int {
	tb.Helper()
	if testing.Short() && !Long() {
		tb.Skip("a long test")
	}
	n, err := count(sample, full)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// count returns sample, or full in a full run, or the number in HANDEX_FAULTS within these bounds.
func count(sample, full int) (int, error) {
	switch text := os.Getenv(faultsVar); text {
	case "":
		return sample, nil
	case "full":
		return full, nil
	default:
		n, err := strconv.Atoi(text)
		return min(max(n, sample), full), err
	}
}

// Rand returns a generator of random values for a test. Its seed is new only in a full run.
func Rand(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed := uint64(1)
	if draws() {
		seed = rand.Uint64()
	}
	tb.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// Corpus returns the folder of real handoffs that HANDEX_CORPUS names, and skips
// the test if it names none.
func Corpus(tb testing.TB) string {
	tb.Helper()
	root := os.Getenv(corpusVar)
	if root == "" {
		tb.Skip(corpusVar + " names no folder of real handoffs")
	}
	return root
}

// Some returns every every-th element of a list, or all of them in a long run.
func Some[T any](list []T, every int) []T {
	if Long() {
		return list
	}
	var some []T
	for i := every - 1; i < len(list); i += every {
		some = append(some, list[i])
	}
	return some
}

// RealFiles returns the paths of every every-th real handoff, or all in a long run. They are sorted
// by folder, so that a sample has some of each project and each format.
func RealFiles(tb testing.TB, every int) []string {
	tb.Helper()
	var paths []string
	err := filepath.WalkDir(Corpus(tb), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) < every {
		tb.Fatalf("%d files: %v", len(paths), err)
	}
	return Some(paths, every)
}

// RealTree returns a folder of real handoffs: all of them in a long run, else a copy of every
// every-th project.
func RealTree(tb testing.TB, every int) string {
	tb.Helper()
	root := Corpus(tb)
	if Long() {
		return root
	}
	projects, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(projects) < every {
		tb.Fatalf("%d projects: %v", len(projects), err)
	}
	tree := tb.TempDir()
	for _, project := range Some(projects, every) {
		NoErr(tb, os.CopyFS(filepath.Join(tree, filepath.Base(project)), os.DirFS(project)))
	}
	return tree
}

// NoteText reads like a handoff, PromptText asks for one.
const (
	NoteText   = "# Handoff\n\nDate: 2026-08-01\nBranch: main\n\n## Done\n- fixed it\n\n## Next steps\n- merge\n"
	PromptText = "---\nname: handoff\ndescription: Write a handoff\n---\nSummarise the session: branch, status, next " +
		"steps, blockers.\n"
)

// MakeTree makes files below a new folder and returns the folder. A path that ends in a slash is a
// folder, "a -> b" a symbolic link, in which ROOT stands for the new folder; the text of a file is
// NoteText.
func MakeTree(t *testing.T, paths ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, path := range paths {
		name, target, isLink := strings.Cut(path, " -> ")
		full := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(full)
		if strings.HasSuffix(name, "/") {
			dir = full
		}
		NoErr(t, os.MkdirAll(dir, 0o755))
		switch {
		case isLink:
			NoErr(t, os.Symlink(strings.ReplaceAll(target, "ROOT", root), full))
		case dir != full:
			NoErr(t, os.WriteFile(full, []byte(NoteText), 0o644))
		}
	}
	return root
}

// NoErr fails the test if err is not nil.
func NoErr(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// WriteFile writes a file and the folders that lead to it, and returns its path. The elements of
// path are joined.
func WriteFile(t *testing.T, text string, path ...string) string {
	t.Helper()
	full := filepath.Join(path...)
	NoErr(t, os.MkdirAll(filepath.Dir(full), 0o755))
	NoErr(t, os.WriteFile(full, []byte(text), 0o644))
	return full
}

// Resolved returns a path without symbolic links.
func Resolved(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	NoErr(t, err)
	return path
}

// quietGit makes git do only what the command says: no maintenance afterwards, no samples of hooks,
// no waiting for the disk.
var quietGit = []string{
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_TEMPLATE_DIR=", "GIT_CONFIG_COUNT=3",
	"GIT_CONFIG_KEY_0=gc.auto", "GIT_CONFIG_VALUE_0=0", "GIT_CONFIG_KEY_1=maintenance.auto",
	"GIT_CONFIG_VALUE_1=false", "GIT_CONFIG_KEY_2=core.fsync", "GIT_CONFIG_VALUE_2=none",
}

// GitEnv returns an environment in which git ignores the configuration of the user and system, with
// the variables more.
func GitEnv(more ...string) []string {
	return slices.Concat(os.Environ(), quietGit, more)
}

// Git runs git in a folder, without the configuration of the user and system. The test fails if git
// does.
func Git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b",
		"-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Env = GitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
