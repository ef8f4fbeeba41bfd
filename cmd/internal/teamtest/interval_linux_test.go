package teamtest_test

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
)

// interval returns how often the machines of the test sync in the background.
func interval() time.Duration {
	if testkit.Long() {
		return 6 * time.Second
	}
	return 2 * time.Second
}

// watch starts the program that watches a query, and returns the lines it prints.
func (m *machine) watch(query string) <-chan string {
	m.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := m.command(ctx, "watch", "--format", "{{.path}}", query)
	out, err := cmd.StdoutPipe()
	m.must2(err)
	errs := &strings.Builder{}
	cmd.Stderr = errs
	m.must2(cmd.Start())
	lines := make(chan string, 100)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	m.t.Cleanup(func() {
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGINT)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			m.t.Errorf("%s: the watch does not end", m.member)
		}
		cancel()
		_ = cmd.Wait()
		if m.t.Failed() {
			m.t.Logf("%s: the watch wrote %s", m.member, errs)
		}
	})
	for range 300 {
		if got := m.try("status"); strings.Contains(got.stdout, "watched") {
			return lines
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.t.Fatalf("%s: the watch does not start: %s", m.member, errs)
	return nil
}

// within fails unless what happens in time; it returns how long it took.
func within(t *testing.T, most time.Duration, what string, done func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !done() {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("%s: not within 30 s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
	took := time.Since(began)
	t.Logf("%s: %v", what, took)
	if testkit.Long() && took > most {
		t.Errorf("%s: %v, at most %v", what, took, most)
	}
	return took
}

// An escalation on one machine is printed by a watch on another, and its
// acknowledgement there closes it here, each within an interval and two seconds.
func TestEscalationTravels(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
	for _, m := range []*machine{a, b} {
		m.often()
		m.must2(m.write("docs/handoffs/2026-03-01-first.md", note(1, 1, m.member)))
	}
	a.must("team", "share", "--yes")
	onA, onB := a.watch("is:escalated"), b.watch("is:escalated") // the latter before there is a mirror
	b.must("team", "share", "--yes")
	for round := range testkit.Rounds(t, 1, 10) {
		path := fmt.Sprintf("docs/handoffs/2026-03-02-%d.md", round)
		a.must2(a.write(path, note(2, round, "escalation")+"\nHUMAN REVIEW NEEDED: the keys are in the log\n"))
		within(t, interval()+2*time.Second, "printed on the other machine", func() bool {
			select {
			case line := <-onB:
				return strings.HasSuffix(line, path)
			case <-onA:
			default:
			}
			return false
		})
		open := func(m *machine) string {
			return strings.TrimSpace(m.try("search", "--ids", "is:escalated -is:acknowledged").stdout)
		}
		id := open(b)
		if strings.Count(id, "h_") != 1 {
			t.Fatalf("open on the other machine: %q", id)
		}
		b.must("ack", id, "-m", "looked at it")
		if id := open(b); id != "" {
			t.Errorf("it is open after it was acknowledged: %q", id)
		}
		within(t, interval()+2*time.Second, "closed on the first machine", func() bool { return open(a) == "" })
	}
}

// often has the machine sync more often than people need it.
func (m *machine) often() {
	m.t.Helper()
	text := m.read(".config/handex/config.toml")
	m.put(".config/handex/config.toml", text+fmt.Sprintf("interval = %q\n", interval()))
}
