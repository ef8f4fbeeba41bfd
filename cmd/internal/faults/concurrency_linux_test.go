package faults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/OWNER/handex/index/testkit"
)

// A reader asks for all handoffs again and again, each time as a new process.
type reader struct {
	*crowd
	last   []int64
	outrun *atomic.Int64 // answers that told so
}

// ask checks one answer: it is one state of the index, no older than when it was
// asked for, and not older than the one before.
func (r *reader) ask(*rand.Rand) error {
	least := make([]int64, len(r.scribes))
	for i, s := range r.scribes {
		least[i] = max(r.last[i], s.n.Load())
	}
	got, err := r.run(r.w.base, 0, "search", "number", "--limit", "0", "--jsonl")
	if err != nil {
		return err
	}
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
	asks := testkit.Rounds(t, 24, 4000) // three a reader, while all of them write
	c := newCrowd(t, scribes)
	var outrun atomic.Int64
	for range readers {
		r := &reader{crowd: c, last: make([]int64, scribes), outrun: &outrun}
		c.users = append(c.users, r.ask)
	}
	c.meet(t, asks)
	t.Logf("%d answers, %d of them outrun", asks, outrun.Load())
	if n := int(outrun.Load()); n == asks || testkit.Long() && n > asks/10 {
		t.Error("too many")
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
