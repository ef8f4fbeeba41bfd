// Package testkit holds what the tests of several packages share: how long a
// long test runs, and the random values and real files that it draws.
package testkit

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// faultsVar is the environment variable that makes long tests long: a number of
// rounds, or "full" for all that a release has to pass.
const faultsVar = "HANDEX_FAULTS"

// corpusVar names a folder of real handoffs to test with.
const corpusVar = "HANDEX_CORPUS"

// Long reports whether long tests run in more than a sample.
func Long() bool { return os.Getenv(faultsVar) != "" }

// SetDraws sets, before the tests of a package run, how often a property of rapid
// is checked: sample times, full times if a long run takes all. The values of the
// sample are the same in every run, so that only a change makes one fail; a long
// run draws new ones.
func SetDraws(sample, full int) {
	draws, err := count(sample, full)
	if err == nil {
		err = flag.Set("rapid.checks", strconv.Itoa(draws))
	}
	if err == nil && !Long() {
		err = flag.Set("rapid.seed", "1")
	}
	if err != nil {
		panic(err)
	}
}

// Rounds returns how often a long test repeats itself: sample times, or full
// times, or as often as HANDEX_FAULTS says.
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

// Rand returns the random values of a test: the same in each run of the sample,
// so that only a change makes it fail, and others in each long run.
func Rand(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed := uint64(1)
	if Long() {
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

// RealFiles returns the paths of real handoffs: all of them in a long run, and
// else one of every so many, always the same. The walk sorts them by folder, so
// that a sample has some of each project and each format.
func RealFiles(tb testing.TB, every int) []string {
	tb.Helper()
	var paths []string
	seen := 0
	err := filepath.WalkDir(Corpus(tb), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if seen++; Long() || seen%every == 0 {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil || len(paths) == 0 {
		tb.Fatalf("%d files: %v", len(paths), err)
	}
	return paths
}
