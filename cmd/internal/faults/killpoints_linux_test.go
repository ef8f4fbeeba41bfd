package faults_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
)

// writeCalls are the system calls that change a disk.
var writeCalls = []string{
	"pwrite64", "pwritev", "write", "writev", "fsync", "fdatasync", "sync_file_range", "ftruncate", "truncate", "fallocate",
	"unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
	"mkdir", "mkdirat", "rmdir", "utimensat", "fchmod", "fchmodat", "fchown",
}

// A point is the n-th system call of a name.
type point struct {
	call string
	n    int
}

// points lists the calls of a run that are among some.
func (w *world) points(calls []string, args ...string) []point {
	w.t.Helper()
	r := w.inject("?"+strings.Join(calls, ",?"), "signal=CONT:when=65535", args...) // not every machine has all
	if r.status != 0 {
		w.t.Fatal(r)
	}
	most := map[string]int{} // of one thread, as strace counts by thread
	counts := map[string]int{}
	for line := range strings.Lines(r.trace) {
		thread, call, ok := tracedCall(line)
		if !ok {
			continue
		}
		counts[thread+" "+call]++
		most[call] = max(most[call], counts[thread+" "+call])
	}
	var list []point
	for _, call := range calls {
		for n := range most[call] {
			list = append(list, point{call, n + 1})
		}
	}
	return list
}

var traced = regexp.MustCompile(`^(\d+) +([a-z0-9_]+)\(`)

// tracedCall takes the thread and the name of the call from a line of a trace.
func tracedCall(line string) (thread, call string, ok bool) {
	m := traced.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// A run that is killed at any write leaves an index that opens, is sound, answers
// as before or as after, and that one refresh makes what a build from nothing is.
func TestKillPoints(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newWorld(t, pinnedEnv)
	random := testkit.Rand(t)
	// A point a stage: most points of a system call are alike, and what a run leaves half done is judged by the same recovery everywhere.
	limit := testkit.Rounds(t, 4, 1<<20)
	dir := filepath.Join(w.base, "killed")
	all, fired := 0, 0
	w.stages(func(s state) {
		list := w.points(writeCalls, w.argsFrom(s, dir)...)
		all += len(list)
		// A point that the run does not reach this time is replaced by another.
		left := limit / len(workload)
		for _, p := range spread(list, 4*left, random) {
			if left == 0 {
				break
			}
			w.try(fmt.Sprintf("%s killed at %s %d", s.name, p.call, p.n), func() {
				if w.inject(p.call, "signal=KILL:when="+strconv.Itoa(p.n), w.argsFrom(s, dir)...).killed {
					fired++
					left--
				}
				w.recovers(s, dir)
			})
		}
		t.Logf("%s: %d points", s.name, len(list))
	})
	t.Logf("%d points, %d kills", all, fired)
	if want := min(all, limit) * 9 / 10; fired < max(1, want) {
		t.Errorf("only %d of %d kills came about", fired, want)
	}
}

// argsFrom puts the index of before the stage into dir, and the archive in its place,
// and answers the arguments that bring both up to date.
func (w *world) argsFrom(s state, dir string) []string {
	w.t.Helper()
	copyDir(w.t, s.saved, dir)
	copyDir(w.t, s.kept, w.archive())
	return w.args(dir, s.args...)
}

// recovers checks an index that a run was torn from.
func (w *world) recovers(s state, dir string) {
	w.t.Helper()
	w.isBeforeOrAfter(s, dir)
	w.must(w.args(dir, s.args...)...)
	w.expect(s, dir)
	w.tidied(dir)
}

// isBeforeOrAfter fails unless the index is whole in one of two states.
func (w *world) isBeforeOrAfter(s state, dir string) {
	w.t.Helper()
	if err := s.isBeforeOrAfter(w.t.Context(), dir); err != nil {
		w.fatalf("%v", err)
	}
}

func (s state) isBeforeOrAfter(ctx context.Context, dir string) error {
	got, ok, err := inspect(ctx, dir)
	switch {
	case err != nil:
		return err
	case !ok && s.had:
		return errors.New("there is no index any more")
	case !ok, s.had && len(got.Differs(s.before)) == 0:
		return nil
	}
	if diff := got.Compare(s.after); diff != "" {
		return fmt.Errorf("the index is neither as before nor as after (-built +killed):\n%s", diff)
	}
	return nil
}

// tidied fails if anything but one generation is left.
func (w *world) tidied(dir string) {
	w.t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		w.t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "-wal") || strings.HasSuffix(n, "-shm") })
	if len(names) != 3 {
		w.fatalf("the index folder holds %v", names)
	}
}

// spread takes n points at random, or all if there are no more: of each call in
// turn, as most points are of one.
func spread(list []point, n int, random *rand.Rand) []point {
	turn := map[point]float64{}
	for _, p := range list {
		turn[p] = random.Float64()
	}
	slices.SortFunc(list, func(a, b point) int { return cmp.Compare(turn[a], turn[b]) })
	had := map[string]float64{}
	for _, p := range list {
		had[p.call]++
		turn[p] += had[p.call]
	}
	slices.SortFunc(list, func(a, b point) int { return cmp.Compare(turn[a], turn[b]) })
	return list[:min(n, len(list))]
}

// As TestKillPoints, at any time: also between system calls, and while a run
// cleans up after one that was killed.
func TestTimedKills(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := testkit.Rounds(t, 4, 1500) // one a stage: TestKillPoints has the rest
	dir := filepath.Join(w.base, "killed")
	fired, tries := 0, 0
	w.stages(func(s state) {
		start := time.Now()
		w.must(w.argsFrom(s, dir)...)
		whole := time.Since(start)
		for had := fired; fired-had < n/len(workload) && tries < 4*n; {
			var times []time.Duration
			for range 1 + rand.IntN(3) {
				times = append(times, rand.N(whole))
			}
			w.try(fmt.Sprint(s.name, " killed after ", times), func() {
				args := w.argsFrom(s, dir)
				for _, at := range times {
					if w.killAt(at, args...) {
						fired++
					}
				}
				w.recovers(s, dir)
			})
			tries += len(times)
		}
	})
	t.Logf("%d kills", fired)
	if testkit.Long() && fired < n*3/4 { // of a few, all may come too late
		t.Errorf("only %d of %d kills came about", fired, n)
	}
}

// killAt kills the program after a time, and reports whether it was still there.
func (w *world) killAt(at time.Duration, args ...string) bool {
	w.t.Helper()
	var timer *time.Timer
	r := w.started(w.command(nil, args...), func(p *os.Process) {
		timer = time.AfterFunc(at, func() { _ = p.Signal(syscall.SIGKILL) })
	})
	timer.Stop()
	return r.killed
}
