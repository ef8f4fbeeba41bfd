package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// careless waits for the disk on no connection, which a loss of power must show:
// the last to be closed, which may be one that reads, empties the log.
var careless = []variant{
	pinned, pinnedImport,
	{"index/store.go", `synchronous := "NORMAL"`, `synchronous := "OFF"`},
	{"index/store.go", `"_busy_timeout", "10000",`, `"_busy_timeout", "10000", "_synchronous", "OFF",`},
}

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
func (w *world) powerLoss(s state, dir string, n int, random *rand.Rand, f func(at string)) {
	w.t.Helper()
	ops := w.diskOps(dir, w.argsFrom(s, dir)...)
	if len(ops) < 50 {
		w.fatalf("only %d operations were seen", len(ops))
	}
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

// When the power fails, the last refresh may be lost, but nothing else.
func TestPowerLoss(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newWorld(t, program(t, pinned, pinnedImport))
	n := faults(t, 32, 1000)
	dir := filepath.Join(w.base, "dark")
	random := dice(t)
	states := 0
	w.stages(func(s state) {
		w.powerLoss(s, dir, n/len(workload), random, func(at string) {
			states++
			w.try(s.name+" "+at, func() { w.recovers(s, dir) })
		})
	})
	t.Logf("%d states", states)
	if states < n/2 {
		t.Errorf("only %d of %d states were seen", states, n)
	}
}

// The same of a program that does not wait for the disk has to show, or
// TestPowerLoss would see nothing.
func TestPowerLossIsSeen(t *testing.T) {
	needStrace(t)
	t.Parallel()
	n := faults(t, 60, 300)
	w := newWorld(t, program(t, careless...))
	dir := filepath.Join(w.base, "dark")
	random := rand.New(rand.NewPCG(1, 2))
	bad := 0
	w.stages(func(s state) {
		if s.name != "update" {
			return
		}
		w.powerLoss(s, dir, n, random, func(string) {
			if s.isBeforeOrAfter(t.Context(), dir) != nil {
				bad++
			}
		})
	})
	t.Logf("%d of %d states are bad", bad, n)
	if bad == 0 {
		t.Error("nothing was lost")
	}
}
