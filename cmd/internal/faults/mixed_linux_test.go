package faults_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

// mixed are commands of every kind; PROJECT is replaced by the folder of a scribe.
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

// runMixed runs one of the mixed commands, perhaps not to its end.
func (c *crowd) runMixed(r *rand.Rand) error {
	command := slices.Clone(mixed[r.IntN(len(mixed))])
	for i, arg := range command {
		command[i] = strings.ReplaceAll(arg, "PROJECT", filepath.Dir(c.scribes[r.IntN(len(c.scribes))].log))
	}
	// All but watch end by themselves; an eighth are killed before they do.
	after := killTime(r, 8)
	if command[0] == "watch" {
		after = killTime(r, 1)
	}
	got, err := c.run(c.w.base, after, command...)
	switch {
	case err != nil || got.killed:
		return err
	case got.status == 0 && command[0] == "search" && strings.Contains(got.stdout, `"snippets"`):
		return c.judge(got.stdout)
	case got.status == 1 && command[0] != "doctor" && got.stderr != "" && !isBusy(got):
		return fmt.Errorf("%v: %v", command, got)
	}
	return nil
}

// judge checks that an answer is one state of the index: both handoffs of a log say the
// same.
func (c *crowd) judge(answer string) error {
	numbers, err := numbersIn(answer)
	for _, s := range c.scribes {
		if both := numbers[filepath.Clean(s.log)]; err == nil && (len(both) != 2 || both[0] != both[1]) {
			err = fmt.Errorf("an answer has the numbers %d of %s", both, s.log)
		}
	}
	return err
}

// Twelve processes do all that can be done with one index while three others write and
// some of the twelve are killed; in the end the index is sound and what one built from
// nothing is.
func TestMixedUse(t *testing.T) { // not parallel, as TestConcurrentUse
	const processes, scribes = 12, 3
	c := newCrowd(t, scribes)
	c.w.must(c.w.args(c.w.dir)...)
	for range processes {
		c.users = append(c.users, c.runMixed)
	}
	c.meet(t, testkit.Rounds(t, 36, 6000)) // three each, or ten minutes on two cores
	c.w.must("doctor", "--deep")
	if c.killed.Load() == 0 {
		t.Error("none was killed")
	}
}
