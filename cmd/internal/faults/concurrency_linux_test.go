package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"handex/index/testkit"
)

// A scribe writes a log of two handoffs that always say the same number, and
// handoffs that come, move and go.
type scribe struct {
	log, passing, passed string
	n                    atomic.Int64 // the number that is sure to be there
}

func newScribe(w *world, i int) *scribe {
	dir := filepath.Join(w.root("shop"), fmt.Sprintf("project%d", i), "docs", "handoffs")
	return &scribe{
		log:     filepath.Join(filepath.Dir(dir), "..", "HANDOFF.md"),
		passing: filepath.Join(dir, "passing.md"), passed: filepath.Join(dir, "passed.md"),
	}
}

// write writes the next number. A log is replaced as a whole.
func (s *scribe) write() error {
	n := s.n.Load() + 1
	text := fmt.Sprintf("# Log\n\n## 2026-02-01\n\n- number %d\n\n## 2026-02-02\n\n- number %d\n", n, n)
	err := errors.Join(os.MkdirAll(filepath.Dir(s.passing), 0o755), os.WriteFile(s.log+".new", []byte(text), 0o644), os.Rename(s.log+".new", s.log))
	if err != nil {
		return err
	}
	s.n.Store(n)
	switch n % 3 {
	case 0:
		return os.WriteFile(s.passing, []byte(note("2026-02-03", "aaaa1111", "pass", "go on")), 0o644)
	case 1:
		return unlessGone(os.Rename(s.passing, s.passed))
	}
	return unlessGone(os.Remove(s.passed))
}

func unlessGone(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// A reader asks for all handoffs again and again, each time as a new process.
type reader struct {
	w       *world
	scribes []*scribe
	last    []int64
	outrun  *atomic.Int64 // answers that told so
}

// ask checks one answer: it is one state of the index, no older than when it was
// asked for, and not older than the one before.
func (r *reader) ask() error {
	least := make([]int64, len(r.scribes))
	for i, s := range r.scribes {
		least[i] = max(r.last[i], s.n.Load())
	}
	got := r.w.start(r.w.command(nil, append([]string{"search", "number", "--limit", "0", "--jsonl"}, r.w.args(r.w.dir)[2:]...)...))
	// Who writes without pause can outrun all looks, and on a slow machine another's
	// refresh can take longer than one waits; both are told.
	if strings.HasPrefix(got.stderr, "handex: warning: ") && strings.HasSuffix(got.stderr, "changed while it was read)\n") ||
		strings.HasPrefix(got.stderr, "handex: note: ") && strings.Contains(got.stderr, ": another process is refreshing the index; ") {
		r.outrun.Add(1)
		return nil
	}
	if got.stderr != "" || got.status != 0 {
		return fmt.Errorf("%v", got)
	}
	numbers, err := numbersIn(got.stdout)
	if err != nil {
		return err
	}
	for i, s := range r.scribes {
		both := numbers[filepath.Clean(s.log)]
		if len(both) != 2 || both[0] != both[1] || both[0] < least[i] {
			return fmt.Errorf("scribe %d: the answer has the numbers %d, at least %d was sure\n%s", i, both, least[i], got.stdout)
		}
		r.last[i] = both[0]
	}
	return nil
}

// numbersIn reads the numbers of an answer, by path.
func numbersIn(answer string) (map[string][]int64, error) {
	numbers := map[string][]int64{}
	for line := range strings.Lines(answer) {
		var hit struct {
			Path     string
			Snippets []struct{ Text string }
		}
		if err := json.Unmarshal([]byte(line), &hit); err != nil {
			return nil, err
		}
		for _, s := range hit.Snippets {
			if _, text, ok := strings.Cut(s.Text, "number "); ok {
				n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
				if err != nil {
					return nil, err
				}
				numbers[hit.Path] = append(numbers[hit.Path], n)
			}
		}
	}
	return numbers, nil
}

// Processes that refresh and search while others write see one state each, never
// an old one, and no error; in the end the index is what one built from nothing is.
func TestConcurrentUse(t *testing.T) { // not parallel: it is about many at once already
	const readers, scribes = 8, 4
	asks := int64(testkit.Rounds(t, 40, 4000)) // five a reader, while all of them write
	w := newWorld(t)
	w.now = time.Time{} // these need the clock as it is
	all := make([]*scribe, scribes)
	for i := range all {
		all[i] = newScribe(w, i)
		if err := all[i].write(); err != nil {
			t.Fatal(err)
		}
	}
	done, stop := context.WithCancel(t.Context())
	var writing, reading errgroup.Group
	for _, s := range all {
		writing.Go(func() error {
			for done.Err() == nil {
				if err := s.write(); err != nil {
					return err
				}
				time.Sleep(rand.N(10 * time.Millisecond))
			}
			return nil
		})
	}
	var asked, outrun atomic.Int64
	for range readers {
		r := &reader{w: w, scribes: all, last: make([]int64, scribes), outrun: &outrun}
		reading.Go(func() error {
			for asked.Add(1) <= asks {
				if err := r.ask(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := reading.Wait()
	stop()
	if err := errors.Join(err, writing.Wait()); err != nil {
		t.Fatal(err)
	}
	w.settled(w.dir)
	t.Logf("%d answers, %d of them outrun, while %d handoffs were written", asks, outrun.Load(), all[0].n.Load()*scribes)
	if outrun.Load() == asks || testkit.Long() && outrun.Load() > asks/10 {
		t.Error("too many")
	}
}

// settled fails unless the index in dir is, after a refresh, what one built from
// nothing is.
func (w *world) settled(dir string) {
	w.t.Helper()
	fresh := filepath.Join(w.base, "fresh")
	if err := os.RemoveAll(fresh); err != nil {
		w.t.Fatal(err)
	}
	for _, dir := range []string{dir, fresh} {
		w.must(w.args(dir)...)
		w.must(append([]string{"search", "--count"}, w.args(dir)[2:]...)...) // takes over the acknowledgements
	}
	got, _ := w.dump(dir)
	want, _ := w.dump(fresh)
	if diff := got.Compare(want); diff != "" {
		w.fatalf("the index differs (-built +refreshed):\n%s", diff)
	}
}

// Processes that open an index for the first time at once wait for each other.
func TestFirstOpens(t *testing.T) { // not parallel, as TestConcurrentUse
	const processes = 12
	n := testkit.Rounds(t, 1, 100)
	w := newWorld(t)
	w.settle()
	for i := range n {
		dir := filepath.Join(w.base, "first"+strconv.Itoa(i))
		var all errgroup.Group
		for range processes {
			all.Go(func() error {
				if r := w.start(w.command(nil, w.args(dir)...)); r.status != 0 || r.stderr != "" {
					return fmt.Errorf("%v", r)
				}
				return nil
			})
		}
		if err := all.Wait(); err != nil {
			t.Fatal(err)
		}
		w.settled(dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d first opens", n*processes)
}
