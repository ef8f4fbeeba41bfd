package faults_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
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

// asked are commands that look at the index, as people, hooks and scripts give them.
var asked = [][]string{
	{"search", "number", "--json"},
	{"search", "open", "escalations", "--jsonl"},
	{"search", "latest", "per", "project"},
	{"search", "count", "by", "format"},
	{"search", "is:superseded", "limit:0", "--ids"},
	{"find", "number", "step"},
	{"brief"},
	{"latest"},
	{"report", "--markdown"},
	{"values", "project"},
	{"check"},
	{"status", "--json"},
	{"doctor"},
	{"index", "--json"},
	{"index", "--full", "--json"},
}

// A crowd is many processes over one index, of which some are killed.
type crowd struct {
	w          *world
	ends       time.Time
	ran, kills atomic.Int64
	served     atomic.Int64
}

// Ten that ask, three that write by the program and by hand, a watch and a server share
// an index, and some of them are killed. None fails, and in the end the index is what
// one built from nothing is. HANDEX_FAULTS says for how many seconds.
func TestCrowd(t *testing.T) { // not parallel, as TestConcurrentUse
	w := newWorld(t)
	w.now = time.Time{}
	w.env = append(w.env, "HANDEX_ROOTS="+w.root("shop")+string(os.PathListSeparator)+w.root("notes"), "HANDEX_INDEX="+w.dir)
	c := &crowd{w: w, ends: time.Now().Add(time.Duration(testkit.Rounds(t, 2, 600)) * time.Second)}
	for i := range 3 {
		if err := os.MkdirAll(filepath.Join(w.root("notes"), fmt.Sprintf("desk%d", i), ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var all errgroup.Group
	for i := range 3 {
		all.Go(func() error { return c.write(i) })
	}
	for range 10 {
		all.Go(c.ask)
	}
	all.Go(c.watch)
	all.Go(c.serve)
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	w.settled(w.dir)
	t.Logf("%d commands, %d answers of serve, %d processes killed", c.ran.Load(), c.served.Load(), c.kills.Load())
	if c.ran.Load() == 0 || testkit.Long() && (c.served.Load() == 0 || c.kills.Load() == 0) {
		t.Error("something never happened")
	}
}

func (c *crowd) goesOn() bool { return time.Now().Before(c.ends) }

// run runs a command in a folder, and kills one in ten at any time. One that is not
// killed must succeed, find nothing or say that another refreshes.
func (c *crowd) run(dir string, args ...string) (run, error) {
	cmd := c.w.command(nil, args...)
	cmd.Dir = dir
	var timer *time.Timer
	r := c.w.started(cmd, func(p *os.Process) {
		if rand.N(10) == 0 {
			timer = time.AfterFunc(rand.N(300*time.Millisecond), func() { _ = p.Kill() })
		}
	})
	if timer != nil {
		timer.Stop()
	}
	c.ran.Add(1)
	if r.killed {
		c.kills.Add(1)
		return r, nil
	}
	busy := strings.Contains(r.stderr, "another process is refreshing the index") // "index" says so, after a wait
	if r.status != 0 && r.status != 1 && !busy {
		return r, fmt.Errorf("%q: %v", args, r)
	}
	return r, nil
}

// ask gives one command after another, and acknowledges and shows what it finds.
func (c *crowd) ask() error {
	dir := filepath.Join(c.w.root("notes"), "desk0")
	for c.goesOn() {
		r, err := c.run(dir, asked[rand.N(len(asked))]...)
		if err != nil {
			return err
		}
		if r.status != 0 || !strings.HasPrefix(r.stdout, "h_") {
			continue
		}
		id, _, _ := strings.Cut(strings.Fields(r.stdout)[0], " ")
		for _, args := range [][]string{{"ack", id, "-m", "seen"}, {"unack", id}} {
			// A handoff can be gone by now, or have been acknowledged by another.
			if r, err = c.run(dir, args...); err != nil && r.status != 2 {
				return err
			}
		}
	}
	return nil
}

// write writes handoffs, some by the program and some by hand.
func (c *crowd) write(i int) error {
	s, desk := newScribe(c.w, i), filepath.Join(c.w.root("notes"), fmt.Sprintf("desk%d", i))
	for n := 0; c.goesOn(); n++ {
		if err := s.write(); err != nil {
			return err
		}
		if _, err := c.run(desk, "update", fmt.Sprintf("goal=step number %d", n), "status=in_progress"); err != nil {
			return err
		}
		if n%5 == 0 {
			if _, err := c.run(desk, "write", "--as", "act", "--save", "--set", "session=s", "--set", fmt.Sprintf("goal=task %d", n),
				"--section", "done=- x", "--section", "next=- number", "--section", "state=z"); err != nil {
				return err
			}
		}
		if n%20 == 19 {
			if _, err := c.run(desk, "clear"); err != nil {
				return err
			}
		}
	}
	return nil
}

// lives starts a process that runs until it is killed, again and again, and hands on
// what it writes.
func (c *crowd) lives(then func(ctx context.Context, out io.Reader) error, args ...string) error {
	for c.goesOn() {
		ctx, cancel := context.WithTimeout(c.w.t.Context(), min(time.Until(c.ends), time.Second+rand.N(4*time.Second)))
		cmd := c.w.command(nil, args...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			cancel()
			return err
		}
		if err := cmd.Start(); err != nil {
			cancel()
			return err
		}
		err = then(ctx, out)
		<-ctx.Done()
		cancel()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		c.kills.Add(1)
		if err != nil {
			return fmt.Errorf("%q: %w", args, err)
		}
	}
	return nil
}

func (c *crowd) watch() error {
	return c.lives(func(_ context.Context, out io.Reader) error {
		go func() { _, _ = io.Copy(io.Discard, out) }()
		return nil
	}, "watch", "number")
}

// serve asks the pages of one server after another. Each answer is whole.
func (c *crowd) serve() error {
	return c.lives(func(ctx context.Context, out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if at, err := url.Parse(strings.TrimSpace(lines.Text())); err == nil && at.Scheme == "http" {
				return c.browse(ctx, at)
			}
		}
		return lines.Err()
	}, "serve")
}

func (c *crowd) browse(ctx context.Context, at *url.URL) error {
	token := at.Query().Get("token")
	for ctx.Err() == nil {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at.Host+"/api/v1/search?q=number", nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		var body []byte
		if err == nil {
			body, err = io.ReadAll(response.Body)
			_ = response.Body.Close()
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the server was killed
		}
		if err != nil {
			return err
		}
		if !slices.Contains([]int{http.StatusOK, http.StatusServiceUnavailable}, response.StatusCode) || !json.Valid(body) {
			return fmt.Errorf("%s\n%s", response.Status, body)
		}
		c.served.Add(1)
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}
