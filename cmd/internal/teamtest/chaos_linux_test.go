package teamtest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/OWNER/handex/index/testkit"
)

// A crew is the machines of a team, which share one project.
type crew struct {
	remote   *remote
	machines []*machine
	before   []map[string]string // the users' repositories
	kills    atomic.Int64        // left to do
	killed   atomic.Int64
	runs     atomic.Int64
	failures atomic.Int64
	changes  atomic.Int64
	reasons  chan string // of failures, some of them
}

// newCrew returns machines that hold so many handoffs together and share them.
func newCrew(t *testing.T, r *remote, handoffs int, members ...string) *crew {
	t.Helper()
	c := &crew{remote: r, reasons: make(chan string, 1000)}
	for _, member := range members {
		m := newMachine(t, member, r)
		c.machines = append(c.machines, m)
		m.baitHooks()
		c.before = append(c.before, m.repository())
		for i := range handoffs / len(members) {
			if err := m.write(m.anyPath(i), note(i, i, m.member)); err != nil {
				t.Fatal(err)
			}
		}
		m.odd()
		m.must("team", "share", "--yes")
	}
	return c
}

// baitHooks gives the user's repository hooks that leave a file when they run.
func (m *machine) baitHooks() {
	m.t.Helper()
	for _, hook := range []string{"pre-push", "reference-transaction", "post-checkout", "post-index-change", "pre-commit"} {
		path := filepath.Join(m.clone, ".git", "hooks", hook)
		m.put(strings.TrimPrefix(path, m.home+"/"), "#!/bin/sh\ntouch "+m.home+"/hook-ran\n")
		m.must2(os.Chmod(path, 0o755))
	}
}

// anyPath returns one of the places of handoffs for a number.
func (m *machine) anyPath(n int) string {
	switch n % 4 {
	case 0:
		return m.suite(fmt.Sprintf("%08x.md", n+0x1000))
	case 1:
		return fmt.Sprintf(".bon/handoffs/2026-03-%02d-%04d-%08x.md", n%28+1, n%2400, n)
	default:
		return fmt.Sprintf("docs/handoffs/2026-03-%02d-%d.md", n%28+1, n)
	}
}

// odd writes handoffs whose names and texts are unusual and allowed.
func (m *machine) odd() {
	m.t.Helper()
	text := note(1, 1, "odd by "+m.member)
	for path, text := range map[string]string{
		"docs/handoffs/2026-04-01 Löwe & \"Bär\" @home.md": text,
		"docs/handoffs/-n.md":                              text,
		"docs/handoffs/crlf.md":                            strings.ReplaceAll(text, "\n", "\r\n"),
		"docs/handoffs/bom.md":                             "\ufeff" + text,
		"docs/handoffs/no-newline.md":                      strings.TrimSpace(text),
	} {
		m.must2(m.write(path, text))
	}
}

// live has a machine change its handoffs and sync, and kills some of the runs.
func (c *crew) live(m *machine, r *rand.Rand) error {
	var paths []string
	for path := range m.held {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	usual := 300 * time.Millisecond // what a sync takes
	for c.kills.Load() > 0 {
		for range r.IntN(4) {
			if err := c.change(m, r, &paths); err != nil {
				return err
			}
		}
		args := []string{"team", "sync"}
		if half := r.IntN(6); half < 2 {
			args = append(args, []string{"--push", "--pull"}[half])
		}
		var done func(int)
		if r.IntN(3) > 0 {
			after, all := time.Duration(r.IntN(int(usual))), r.IntN(2) == 0
			done = func(pid int) {
				time.AfterFunc(after, func() { kill(pid, all) })
			}
		}
		got, err := m.run(done, args...)
		c.runs.Add(1)
		switch {
		case err != nil:
			return err
		case got.status < 0:
			c.killed.Add(1)
			c.kills.Add(-1)
		case got.status == 0:
			usual = (usual + got.took) / 2
		default:
			c.failures.Add(1)
			select {
			case c.reasons <- fmt.Sprint(m.member, " ", got):
			default:
			}
			if got.stderr == "" {
				return fmt.Errorf("%s fails and says nothing: %v", m.member, got)
			}
		}
		if r.IntN(5) == 0 {
			if got, err := m.run(nil, "search", "--count", "is:open"); err != nil || got.status > 1 && !strings.Contains(got.stderr, "another process") {
				return fmt.Errorf("%s cannot search: %w %v", m.member, err, got)
			}
		}
	}
	return nil
}

// change writes, changes, moves or removes a handoff.
func (c *crew) change(m *machine, r *rand.Rand, paths *[]string) error {
	n := int(c.changes.Add(1)) + 100_000
	if len(*paths) < 10 || r.IntN(3) == 0 {
		path := m.anyPath(n)
		*paths = append(*paths, path)
		return m.write(path, note(n, n, "new by "+m.member))
	}
	i := r.IntN(len(*paths))
	path := (*paths)[i]
	switch r.IntN(3) {
	case 0:
		return m.write(path, note(n, n, "changed by "+m.member))
	case 1:
		*paths = slices.Delete(*paths, i, i+1)
		return m.remove(path)
	}
	to := m.anyPath(n)
	(*paths)[i] = to
	text := m.held[path]
	if err := m.remove(path); err != nil {
		return err
	}
	return m.write(to, text)
}

// kill kills a run of the program, and if all is true the git that it runs, but for
// what stands for the remote's machine: that survives.
func kill(pid int, all bool) {
	var below []int
	if all {
		below = clients(pid)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	for _, child := range below {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}

// clients returns the processes below one that are not the remote's.
func clients(pid int) []int {
	var found []int
	for _, task := range glob("/proc", strconv.Itoa(pid), "task/*/children") {
		text, _ := os.ReadFile(task)
		for field := range strings.FieldsSeq(string(text)) {
			child, _ := strconv.Atoi(field)
			command, _ := os.ReadFile(filepath.Join("/proc", field, "cmdline"))
			if !strings.Contains(string(command), "receive-pack\x00") && !strings.Contains(string(command), "upload-pack\x00") || strings.Contains(string(command), "--receive-pack=") {
				found = append(append(found, child), clients(child)...)
			}
		}
	}
	return found
}

func glob(parts ...string) []string {
	found, _ := filepath.Glob(filepath.Join(parts...))
	return found
}

// quiet waits until no process of a machine runs any more.
func (m *machine) quiet() {
	m.t.Helper()
	for range 600 {
		if !slices.ContainsFunc(glob("/proc/[0-9]*/environ"), func(path string) bool {
			text, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(text), "HOME="+m.home+"\x00")
		}) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	m.t.Errorf("%s: processes go on after a minute", m.member)
}

// settle syncs all machines and checks that everybody has what the others hold, and
// that nothing else was touched.
func (c *crew) settle(t *testing.T) {
	t.Helper()
	for _, m := range c.machines {
		m.quiet()
	}
	for range 2 {
		for _, m := range c.machines {
			m.must("team", "sync")
		}
	}
	want := []string{"refs/heads/main"}
	for i, m := range c.machines {
		want = append(want, "refs/handex/"+m.member)
		for _, other := range c.machines {
			if other != m {
				m.mirrors(other)
				m.indexed(other.member, len(other.held))
			}
		}
		m.unchanged(c.before[i])
		m.left()
		if _, err := os.Stat(filepath.Join(m.home, "hook-ran")); err == nil {
			t.Errorf("%s: a hook of the user's repository ran", m.member)
		}
		if own := m.mirror(m.member); own != "" {
			t.Errorf("%s has a mirror of itself", m.member)
		}
		m.sound()
	}
	slices.Sort(want)
	var got []string
	for name := range c.remote.refs(t) {
		got = append(got, name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the remote has the refs %q, want %q", got, want)
	}
}

// Machines share while runs are killed and the network breaks. In the end each has what
// the others hold, and the users' repositories are as they were.
func TestChaos(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			if transport.name != "http" {
				testkit.NeedsLong(t) // http fails in the most ways
			}
			kills := testkit.Rounds(t, 3, 200)
			handoffs, members := 60, []string{"ada@laptop", "bob@desk"}
			if testkit.Long() {
				handoffs = max(handoffs, 25*kills)
				members = append(members, "ada@desk", "bob@cloud-1", "eve@laptop", "eve@cloud-1")
			}
			r := newRemote(t)
			transport.by(r, t)
			began := time.Now()
			c := newCrew(t, r, handoffs, members...)
			t.Logf("%d handoffs on %d machines shared in %v", handoffs, len(members), time.Since(began))
			main := r.refs(t)["refs/heads/main"]
			c.kills.Store(int64(kills))
			if r.line != nil {
				r.line.bad.Store(true)
			}
			random := testkit.Rand(t)
			var all errgroup.Group
			for _, m := range c.machines {
				own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
				all.Go(func() error { return c.live(m, own) })
			}
			if err := all.Wait(); err != nil {
				t.Fatal(err)
			}
			broken := int64(0)
			if r.line != nil {
				r.line.bad.Store(false)
				broken = r.line.broken.Load()
			}
			t.Logf("%d syncs, %d of them killed, %d failed, %d connections broke, %d changes, in %v",
				c.runs.Load(), c.killed.Load(), c.failures.Load(), broken, c.changes.Load(), time.Since(began))
			for range min(len(c.reasons), 5) {
				t.Logf("a failure: %s", <-c.reasons)
			}
			c.settle(t)
			if now := r.refs(t)["refs/heads/main"]; now != main {
				t.Errorf("main has moved from %s to %s", main, now)
			}
		})
	}
}
