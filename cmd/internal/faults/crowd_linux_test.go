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

	"github.com/OWNER/handex/index/testkit"
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

// An office is a crowd in which some write by the program too, with a watch and a server.
type office struct {
	*crowd
	served atomic.Int64 // answers of serve
}

// Ten that ask, three that write by the program and by hand, a watch and a server share
// an index, and some of them are killed. None fails, and in the end the index is what
// one built from nothing is.
func TestCrowd(t *testing.T) { // not parallel, as TestConcurrentUse
	const writers, askers = 3, 10
	o := &office{crowd: newCrowd(t, writers)}
	for i := range writers {
		if err := os.MkdirAll(filepath.Join(o.desk(i), ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		o.users = append(o.users, func(r *rand.Rand) error { return o.write(r, o.desk(i)) })
	}
	for range askers {
		o.users = append(o.users, o.ask)
	}
	o.beside = append(o.beside, o.watch, o.serve)
	o.meet(t, testkit.Rounds(t, 26, 12000)) // two each, or ten minutes on two cores
	t.Logf("%d answers of serve", o.served.Load())
	if testkit.Long() && (o.served.Load() == 0 || o.killed.Load() == 0) {
		t.Error("something never happened")
	}
}

func (o *office) desk(i int) string {
	return filepath.Join(o.w.root("notes"), fmt.Sprintf("desk%d", i))
}

// ask gives one command, and acknowledges what it finds.
func (o *office) ask(r *rand.Rand) error {
	got, err := o.run(o.desk(0), killTime(r, 10), asked[r.IntN(len(asked))]...)
	if err != nil || got.status != 0 || !strings.HasPrefix(got.stdout, "h_") {
		return err
	}
	id, _, _ := strings.Cut(strings.Fields(got.stdout)[0], " ")
	for _, args := range [][]string{{"ack", id, "-m", "seen"}, {"unack", id}} {
		// A handoff can be gone by now, or have been acknowledged by another.
		if got, err := o.run(o.desk(0), killTime(r, 10), args...); err != nil && got.status != 2 {
			return err
		}
	}
	return nil
}

// write writes at a desk by the program.
func (o *office) write(r *rand.Rand, desk string) error {
	commands := [][]string{{"update", fmt.Sprintf("goal=step number %d", r.IntN(1000)), "status=in_progress"}}
	if r.IntN(5) == 0 {
		commands = append(commands, []string{
			"write", "--as", "act", "--save", "--set", "session=s", "--set", fmt.Sprintf("goal=task %d", r.IntN(1000)),
			"--section", "done=- x", "--section", "next=- number", "--section", "state=z",
		})
	}
	if r.IntN(20) == 0 {
		commands = append(commands, []string{"clear"})
	}
	for _, args := range commands {
		if _, err := o.run(desk, killTime(r, 10), args...); err != nil {
			return err
		}
	}
	return nil
}

// lives starts a process that runs until it is killed, again and again until
// all is done, and hands on what it writes.
func (o *office) lives(done context.Context, then func(ctx context.Context, out io.Reader) error, args ...string) error {
	for done.Err() == nil {
		ctx, cancel := context.WithTimeout(done, time.Second+rand.N(4*time.Second))
		cmd := o.w.command(nil, args...) //nolint:contextcheck // it is killed below
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
		o.killed.Add(1)
		if err != nil {
			return fmt.Errorf("%q: %w", args, err)
		}
	}
	return nil
}

func (o *office) watch(done context.Context) error {
	return o.lives(done, func(_ context.Context, out io.Reader) error {
		go func() { _, _ = io.Copy(io.Discard, out) }()
		return nil
	}, "watch", "number")
}

// serve asks the pages of one server after another. Each answer is whole.
func (o *office) serve(done context.Context) error {
	return o.lives(done, func(ctx context.Context, out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if at, err := url.Parse(strings.TrimSpace(lines.Text())); err == nil && at.Scheme == "http" {
				return o.browse(ctx, at)
			}
		}
		return lines.Err()
	}, "serve")
}

func (o *office) browse(ctx context.Context, at *url.URL) error {
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
		o.served.Add(1)
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}
