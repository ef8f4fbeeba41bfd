package faults_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

// diskOps runs the program and lists what it does to the folder dir.
func (w *world) diskOps(dir string, args ...string) []diskOp {
	w.t.Helper()
	trace := filepath.Join(w.base, "ops")
	r := w.start(w.command([]string{
		"-ff", "-qq", "-y", "-xx", "-s", "1000000", "-e", "signal=none", "-e", "trace=" + diskCalls, "-o", trace,
	}, args...))
	if r.status != 0 {
		w.fatalf("%v", r)
	}
	files, err := filepath.Glob(trace + ".*")
	if err != nil {
		w.t.Fatal(err)
	}
	var ops []diskOp
	for _, file := range files {
		some := w.readOps(file, dir)
		if len(some) > 0 && len(ops) > 0 {
			w.fatalf("two threads write to the index: their order is not known")
		}
		ops = append(ops, some...)
	}
	if len(ops) == 0 {
		w.fatalf("it did nothing to the index")
	}
	return ops
}

// readOps reads what one thread did to the folder, and removes its trace.
func (w *world) readOps(file, dir string) (ops []diskOp) {
	w.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		op, ok := readDiskOp(line)
		if ok && (op.path == dir || filepath.Dir(op.path) == dir) {
			ops = append(ops, op)
		}
	}
	if err := os.Remove(file); err != nil {
		w.t.Fatal(err)
	}
	return ops
}

// powerLoss calls f for n states of the index folder after a loss of power.
func (w *world) powerLoss(s state, dir string, ops []diskOp, n int, random *rand.Rand, f func(at string)) {
	w.t.Helper()
	for range n {
		d := newDisk(w.t, dir, s.saved)
		done := random.IntN(len(ops) + 1)
		for _, op := range ops[:done] {
			d.do(op)
		}
		d.crash(w.t, random)
		f(fmt.Sprintf("%d of %d operations", done, len(ops)))
	}
}

// When the power fails, the last refresh may be lost, but nothing else. A
// careless program, which does not wait for the disk, must show, or the test
// would see nothing: that is the same run without what SQLite synced.
func TestPowerLoss(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newWorld(t, pinnedEnv)
	n := testkit.Rounds(t, 4, 1000) // a state a stage
	dir := filepath.Join(w.base, "dark")
	random := testkit.Rand(t)
	lost := false
	w.stages(func(s state) {
		ops := w.diskOps(dir, w.argsFrom(s, dir)...)
		w.powerLoss(s, dir, ops, n/len(workload), random, func(at string) {
			w.try(s.name+" "+at, func() { w.recovers(s, dir) })
		})
		if s.name == "update" {
			careless := slices.DeleteFunc(ops, func(op diskOp) bool {
				return strings.HasSuffix(op.call, "sync") && strings.Contains(filepath.Base(op.path), ".db")
			})
			for range 20 {
				w.powerLoss(s, dir, careless, 1, random, func(string) {
					lost = lost || s.isBeforeOrAfter(t.Context(), dir) != nil
				})
				if lost {
					break
				}
			}
		}
	})
	if !lost {
		t.Error("a program that does not wait for the disk lost nothing")
	}
}
