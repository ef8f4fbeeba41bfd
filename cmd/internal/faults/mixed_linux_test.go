package faults_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"handex/index/testkit"
)

// A mixture runs commands of every kind on one index, and kills some of them.
type mixture struct {
	w             *world
	scribes       []*scribe
	killed, noted atomic.Int64
}

// mixed are the commands; PROJECT stands for the folder of a scribe.
var mixed = [][]string{
	{"index"},
	{"index"},
	{"index", "--full"},
	{"index", "--prune"},
	{"search", "number", "--limit", "0", "--jsonl"},
	{"search", "is:open", "--count"},
	{"values", "project"},
	{"latest", "PROJECT"},
	{"brief", "PROJECT"},
	{"status"},
	{"doctor"},
	{"doctor", "--fix"},
	{"show", "PROJECT/HANDOFF.md"},
	{"watch"},
	{"report"},
}

// run runs one of the commands, perhaps not to its end.
func (m *mixture) run(r *rand.Rand) error {
	command := slices.Clone(mixed[r.IntN(len(mixed))])
	for i, arg := range command {
		command[i] = strings.ReplaceAll(arg, "PROJECT", filepath.Dir(m.scribes[r.IntN(len(m.scribes))].log))
	}
	// All but watch end by themselves; an eighth are killed before they do.
	var after time.Duration
	if command[0] == "watch" || r.IntN(8) == 0 {
		after = time.Duration(1 + r.IntN(400*int(time.Millisecond)))
	}
	timer := time.NewTimer(0)
	got := m.w.started(m.w.command(nil, slices.Concat(command, m.w.args(m.w.dir)[2:])...), func(p *os.Process) {
		if after > 0 {
			timer = time.AfterFunc(after, func() { _ = p.Kill() })
		}
	})
	timer.Stop()
	switch {
	case got.killed && after > 0:
		m.killed.Add(1)
		return nil
	case got.status == 0 && command[0] == "search" && strings.Contains(got.stdout, `"snippets"`):
		return m.judge(got.stdout)
	case got.status == 0, got.status == 1 && (command[0] == "doctor" || got.stderr == ""):
		return nil
	case strings.Contains(got.stderr, "another process is refreshing the index"):
		m.noted.Add(1)
		return nil
	}
	return fmt.Errorf("%v: %v", command, got)
}

// judge checks that an answer is one state of the index: both handoffs of a log say the
// same.
func (m *mixture) judge(answer string) error {
	numbers, err := numbersIn(answer)
	for _, s := range m.scribes {
		if both := numbers[filepath.Clean(s.log)]; err == nil && (len(both) != 2 || both[0] != both[1]) {
			err = fmt.Errorf("an answer has the numbers %d of %s", both, s.log)
		}
	}
	return err
}

// Twelve processes do all that can be done with one index while three others write and
// some of the twelve are killed; in the end the index is what one built from nothing is.
func TestMixedUse(t *testing.T) { // not parallel, as TestConcurrentUse
	const processes, scribes = 12, 3
	runs := int64(testkit.Rounds(t, 48, 6000)) // four each, or ten minutes on two cores
	w := newWorld(t)
	w.now = time.Time{} // these need the clock as it is
	m := &mixture{w: w}
	for i := range scribes {
		m.scribes = append(m.scribes, newScribe(w, i))
		if err := m.scribes[i].write(); err != nil {
			t.Fatal(err)
		}
	}
	w.must(w.args(w.dir)...)
	done, stop := context.WithCancel(t.Context())
	var writing, using errgroup.Group
	for _, s := range m.scribes {
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
	random := testkit.Rand(t)
	var begun atomic.Int64
	for range processes {
		r := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		using.Go(func() error {
			for begun.Add(1) <= runs {
				if err := m.run(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := using.Wait()
	stop()
	if err := errors.Join(err, writing.Wait()); err != nil {
		t.Fatal(err)
	}
	w.settled(w.dir)
	w.must(append([]string{"doctor", "--deep"}, w.args(w.dir)[2:]...)...)
	t.Logf("%d runs, %d of them killed, %d did not wait, while %d handoffs were written",
		runs, m.killed.Load(), m.noted.Load(), m.scribes[0].n.Load()*scribes)
	if m.killed.Load() == 0 {
		t.Error("none was killed")
	}
}
