package faults_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/OWNER/handex/index/testkit"
)

// A crowd is many processes that use one index at once, while handoffs are written.
type crowd struct {
	w       *world
	scribes []*scribe
	users   []func(*rand.Rand) error      // take turns
	beside  []func(context.Context) error // go on until all turns are over

	ran, killed, busy atomic.Int64 // runs of the program, and what became of them
}

// newCrowd returns a crowd of so many scribes, who have written once. The environment
// of its programs names the roots and the index.
func newCrowd(t *testing.T, scribes int) *crowd {
	t.Helper()
	w := newWorld(t)
	w.now = time.Time{} // these need the clock as it is
	w.env = append(w.env, "HANDEX_ROOTS="+w.root("shop")+string(os.PathListSeparator)+w.root("notes"), "HANDEX_INDEX="+w.dir)
	c := &crowd{w: w}
	for i := range scribes {
		s := newScribe(w, i)
		if err := s.write(); err != nil {
			t.Fatal(err)
		}
		c.scribes = append(c.scribes, s)
		c.beside = append(c.beside, s.goOn)
	}
	return c
}

// meet has the users begin so many turns in all. When the last has ended and everybody
// has stopped, the index must be what one built from nothing is.
func (c *crowd) meet(t *testing.T, turns int) {
	t.Helper()
	done, stop := context.WithCancel(t.Context())
	var besides, using errgroup.Group
	for _, goOn := range c.beside {
		besides.Go(func() error { return goOn(done) })
	}
	random := testkit.Rand(t)
	var begun atomic.Int64
	for _, use := range c.users {
		r := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		using.Go(func() error {
			for begun.Add(1) <= int64(turns) {
				if err := use(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := using.Wait()
	stop()
	if err := errors.Join(err, besides.Wait()); err != nil {
		t.Fatal(err)
	}
	c.w.settled(c.w.dir)
	t.Logf("%d turns: %d runs, %d of them killed, %d did not wait, while %d handoffs were written",
		turns, c.ran.Load(), c.killed.Load(), c.busy.Load(), c.written())
}

// run runs the program in a folder and kills it after a while, if that is not zero. A
// run that is not killed must succeed, find nothing, or say that another refreshes.
func (c *crowd) run(dir string, after time.Duration, args ...string) (run, error) {
	cmd := c.w.command(nil, args...)
	cmd.Dir = dir
	timer := time.NewTimer(0)
	r := c.w.started(cmd, func(p *os.Process) {
		if after > 0 {
			timer = time.AfterFunc(after, func() { _ = p.Kill() })
		}
	})
	timer.Stop()
	c.ran.Add(1)
	switch {
	case r.killed && after > 0:
		c.killed.Add(1)
	case isBusy(r):
		c.busy.Add(1)
	case r.status != 0 && r.status != 1:
		return r, fmt.Errorf("%q: %v", args, r)
	}
	return r, nil
}

// isBusy reports whether a run says that it did not wait for another's refresh.
func isBusy(r run) bool {
	return strings.Contains(r.stderr, "another process is refreshing the index")
}

// killTime returns after how long a run is killed: never (zero), but for one of so many.
func killTime(r *rand.Rand, oneIn int) time.Duration {
	if r.IntN(oneIn) > 0 {
		return 0
	}
	return time.Duration(1 + r.IntN(int(400*time.Millisecond)))
}

// written returns how many handoffs the scribes wrote.
func (c *crowd) written() (n int64) {
	for _, s := range c.scribes {
		n += s.n.Load()
	}
	return n
}

// A scribe writes a log of two handoffs that always say the same number, and
// handoffs that come, move and go.
type scribe struct {
	log, passing, passed string
	n                    atomic.Int64 // the number that is sure to be there
}

func newScribe(w *world, i int) *scribe {
	dir := filepath.Join(w.root("shop"), fmt.Sprintf("project%d", i), "docs", "handoffs")
	return &scribe{
		log:     filepath.Join(w.root("shop"), fmt.Sprintf("project%d", i), "HANDOFF.md"),
		passing: filepath.Join(dir, "passing.md"), passed: filepath.Join(dir, "passed.md"),
	}
}

// goOn writes one number after the other until it is stopped.
func (s *scribe) goOn(done context.Context) error {
	for done.Err() == nil {
		if err := s.write(); err != nil {
			return err
		}
		time.Sleep(rand.N(10 * time.Millisecond))
	}
	return nil
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
