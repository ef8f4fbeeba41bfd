package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// needEvents skips a test where no watcher answers for the index: its reason
// to do so is tested elsewhere.
func (h *house) needEvents() {
	h.t.Helper()
	if !index.TellsEvents(h.root) {
		h.t.Skip("the file system of the test's folders does not tell of every change")
	}
}

// A guard watches a house from a goroutine of the test.
type guard struct {
	t     *testing.T
	store *index.Store
	stop  context.CancelFunc
	ended chan error

	mu    sync.Mutex
	tells []string
}

// guard starts a watch and waits until it is on.
func (h *house) guard(t *testing.T, o index.WatchOptions) *guard {
	t.Helper()
	store, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: time.Now, Zone: h.zone, LockWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	g := &guard{t: t, store: store, stop: stop, ended: make(chan error, 1)}
	if o.Scope == nil {
		o.Scope = func() (index.Scope, error) { return index.Scope{Roots: h.roots()}, nil }
	}
	o.Tell = func(text string) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.tells = append(g.tells, text)
	}
	go func() { g.ended <- store.Watch(ctx, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-g.ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the watch ended by %v", err)
		}
		_ = store.Close()
	})
	g.await("the watch is on", func() bool { return g.said("watching ") })
	return g
}

// await waits until a condition holds.
func (g *guard) await(what string, holds func() bool) {
	g.t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.t.Fatalf("in 20 s not so: %s\ntold: %q", what, g.tells)
		}
	}
}

func (g *guard) said(text string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.tells, func(told string) bool { return strings.Contains(told, text) })
}

// holds reports whether the index holds a session, without any refresh.
func (h *house) holds(session string) bool {
	h.t.Helper()
	list, err := h.Find(h.t.Context(), session, "/")
	if missing, ok := errors.AsType[*index.NotFoundError](err); ok && missing != nil {
		return false
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return len(list) > 0
}

func TestWatchFollows(t *testing.T) {
	h := twoNotes(t)
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	steps := []struct {
		name   string
		change func()
		want   func() bool
	}{
		{"a new file", func() {
			h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
		}, func() bool { return h.holds("cccc3333") }},
		{"a file that goes", func() { h.remove(one) }, func() bool { return !h.holds("aaaa1111") }},
		{"a file that comes under another name first", func() {
			h.write(".claude/handoffs/-work-shop/x.part", note("2026-02-06", "dddd4444", "basket", "test it"))
			h.move(".claude/handoffs/-work-shop/x.part", ".claude/handoffs/-work-shop/dddd4444.md")
		}, func() bool { return h.holds("dddd4444") }},
		{"a file in folders that are new", func() {
			h.write("deep/down/.bon/handoffs/eeee5555.md", note("2026-02-07", "eeee5555", "depths", "come up"))
		}, func() bool { return h.holds("eeee5555") }},
		{"a later file in such a folder", func() {
			h.write("deep/down/.bon/handoffs/ffff6666.md", note("2026-02-07", "ffff6666", "depths", "come up"))
		}, func() bool { return h.holds("ffff6666") }},
		{"a folder that moves", func() { h.move("deep/down", "high") }, func() bool { return h.at("ffff6666", "high/.bon/handoffs/ffff6666.md") }},
		{"a file in it under its new name", func() {
			h.write("high/.bon/handoffs/abab7777.md", note("2026-02-08", "abab7777", "heights", "come down"))
		}, func() bool { return h.at("abab7777", "high/.bon/handoffs/abab7777.md") }},
		{"a folder that goes", func() { h.remove("high") }, func() bool { return !h.holds("abab7777") }},
		{"all of it is watched", func() {}, func() bool { return !index.TellsEvents(h.root) || !g.said("checked every") }},
		{"the root goes, and comes back with another file", func() {
			h.move(".", "../away")
			g.await("the root is missed", func() bool { return g.said("checked every") })
			h.move("../away", ".")
			h.write(".claude/handoffs/-work-shop/baba8888.md", note("2026-02-08", "baba8888", "return", "stay"))
		}, func() bool { return h.holds("baba8888") }},
	}
	for _, step := range steps {
		step.change()
		g.await(step.name, step.want)
	}
	g.stop()
	if err := <-g.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the watch ended by %v", err)
	}
	g.ended <- nil
}

// at reports whether a session is found at a path.
func (h *house) at(session, rel string) bool {
	h.t.Helper()
	if !h.holds(session) {
		return false
	}
	list, err := h.Find(h.t.Context(), session, "/")
	return err == nil && len(list) == 1 && list[0].Path == h.path(rel)
}

// What is not watched comes by the sweep.
func TestSweepRepairs(t *testing.T) {
	h := twoNotes(t)
	g := h.guard(t, index.WatchOptions{Sweep: time.Second, MaxFolders: 2})
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
	g.await("the sweep finds it", func() bool { return h.holds("cccc3333") })
	if want := "watching 2 folders; 1 root checked every 1 s: " + h.root + " (" + h.path(".claude/handoffs") + ": more than 2 folders)"; !g.said(want) {
		t.Errorf("told %q, want %q", g.tells, want)
	}
	if _, ok := h.Watched(t.Context(), index.Scope{Roots: h.roots()}); ok {
		t.Error("a root that is swept counts as watched")
	}
}

// A watch that is asked answers only for what it has taken in: each file is
// written a moment before.
func TestWatchedSeesTheLastWrite(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	yes, began := 0, time.Now()
	// On a busy machine most answers come too late.
	for i := 0; i < 30 || yes == 0 && time.Since(began) < 2*time.Minute; i++ {
		session := fmt.Sprintf("feed%04x", i)
		h.write(".claude/handoffs/-work-shop/"+session+".md", note("2026-02-05", session, "checkout", "ship it"))
		if _, ok := h.Watched(t.Context(), index.Scope{Roots: h.roots()}); ok {
			yes++
			if !h.holds(session) {
				t.Fatalf("answered for an index without %s", session)
			}
		}
	}
	if yes == 0 {
		t.Errorf("it never answered; told %q", g.tells)
	}
}

// While the watch is busy more happens than the system keeps events for; the
// file that comes then makes none.
func TestOverflowIsSwept(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Skip("this system does not tell how many events it keeps")
	}
	most, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || most > 100_000 {
		t.Skipf("it keeps %d events (%v)", most, err)
	}
	h := twoNotes(t)
	h.write("a.go", "package a")
	h.write("b.go", "package a")
	busy, free := make(chan struct{}), make(chan struct{})
	looks := 0
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour, Refreshed: func(index.Report) error {
		if looks++; looks == 2 {
			close(busy)
			<-free
		}
		return nil
	}})
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
	<-busy
	for i := range 2*most + 20_000 { // the watcher's own buffers hold some, too
		if err := os.Chmod(h.path([]string{"a.go", "b.go"}[i%2]), 0o600+os.FileMode(i%4/2)*0o40); err != nil {
			t.Fatal(err)
		}
	}
	h.write(".claude/handoffs/-work-shop/dddd4444.md", note("2026-02-06", "dddd4444", "basket", "test it"))
	close(free)
	g.await("the sweep finds what no event told", func() bool { return h.holds("dddd4444") })
	g.await("it is told", func() bool { return g.said("events were lost") })
}

func TestWatchedByOthersWrites(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	scope := index.Scope{Roots: h.roots()}
	g.await("it answers", func() bool { _, ok := h.Watched(t.Context(), scope); return ok })
	// Another process finds the same files for a root of its own.
	other := []index.Root{{Path: filepath.Join(h.root, ".claude")}}
	if _, err := h.Refresh(t.Context(), other, index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, ok := h.Watched(t.Context(), index.Scope{Roots: other}); ok {
		t.Error("it answers for a root that it does not watch")
	}
	g.await("it answers again", func() bool { _, ok := h.Watched(t.Context(), scope); return ok })
	everything, err := query.Parse("", query.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.Count(t.Context(), everything, index.SearchOptions{Roots: index.PathsOf(h.roots())}); err != nil || n != 2 {
		t.Errorf("%d handoffs of the root, want 2 (%v)", n, err)
	}
}

func TestWatchState(t *testing.T) {
	h := twoNotes(t)
	if state := h.WatchState(h.t.Context()); state != nil {
		t.Errorf("nobody watches, and yet %+v", state)
	}
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	g.await("the state is told", func() bool {
		s := h.WatchState(h.t.Context())
		return s != nil && s.PID == os.Getpid() && s.Settled && len(s.Roots) == 1 && s.Roots[0].Path == h.root && s.Folders == 4
	})
	g.stop()
	if err := <-g.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	g.ended <- nil
	if state := h.WatchState(h.t.Context()); state != nil {
		t.Errorf("the watch has ended, and yet %+v", state)
	}
}

// A commit dates a file that has not changed.
func TestWatchFollowsCommits(t *testing.T) {
	h := newHouse(t)
	h.needEvents()
	h.write("app/HANDOFF.md", undated)
	h.write("app/docs/handoffs/new.md", undated)
	h.gitAt(commitDay(0), "app", "init", "-q")
	h.gitAt(commitDay(0), "app", "add", "HANDOFF.md")
	h.gitAt(commitDay(0), "app", "commit", "-q", "-m", "x")
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	if state := h.WatchState(h.t.Context()); state == nil || state.Roots[0].Doubt != "" {
		t.Errorf("the state is %+v", state)
	}
	h.commit(commitDay(1), "app")
	g.await("the commit is seen", func() bool { return h.dates()["app/docs/handoffs/new.md"] == "2026-01-06 10:30 git" })
}

// What events do not tell of a root is known, and said.
func TestWatchDoubts(t *testing.T) {
	const own, dir = ".act/handoffs/2026-02-01-1000.xml", ".act/handoffs/"
	cases := []struct {
		name   string
		change func(*house)
		want   string // why the root is swept; # stands for it
	}{
		{"plain files", func(*house) {}, ""},
		{"a link beside its file", func(h *house) { h.link("2026-02-01-1000.xml", dir+"latest.xml") }, ""},
		{"a link that leads nowhere yet", func(h *house) { h.link("later.xml", dir+"latest.xml") }, ""},
		{"a link to a folder that is watched", func(h *house) { h.link("../../.claude/handoffs/-work-shop/aaaa1111.md", dir+"x.md") }, ""},
		{"a link to a folder that is not", func(h *house) {
			h.write("node_modules/x.xml", "<handoff/>")
			h.link("../../node_modules/x.xml", dir+"latest.xml")
		}, ""},
		{"a link to a link", func(h *house) {
			h.link("2026-02-01-1000.xml", dir+"b.xml")
			h.link("b.xml", dir+"a.xml")
		}, ""},
		{"two names", func(h *house) {
			if err := os.Link(h.path(own), h.path("elsewhere.bak")); err != nil {
				h.t.Fatal(err)
			}
		}, ""},
		{"no root", func(h *house) { h.move(".", "../away") }, "no longer exists; its files (2) are kept"},
		{"no root that anything was in", func(h *house) {
			h.remove(".")
			_, err := h.Refresh(h.t.Context(), h.roots(), index.RefreshOptions{Prune: true})
			noErr(h.t, err)
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			h.needEvents()
			h.write(own, "<context_handoff><original_task>login</original_task></context_handoff>")
			c.change(h)
			g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
			g.await("the state is told", func() bool { return h.WatchState(h.t.Context()) != nil })
			if got, want := h.WatchState(h.t.Context()).Roots[0].Doubt, strings.ReplaceAll(c.want, "#", h.root); got != want {
				t.Errorf("doubt %q, want %q", got, want)
			}
		})
	}
}

func (h *house) link(to, rel string) {
	h.t.Helper()
	if err := os.Symlink(to, h.path(rel)); err != nil {
		h.t.Fatal(err)
	}
}

// What changes without an event of a watched folder is seen by whoever asks.
func TestWatchedSeesOddFiles(t *testing.T) {
	const log = ".act/handoffs/2026-02-01-1000.xml"
	handoff := func(task string) string {
		return "<context_handoff><original_task>" + task + "</original_task></context_handoff>"
	}
	cases := []struct {
		name   string
		make   func(*house)
		change func(*house)
	}{
		{"another name of a file", func(h *house) {
			h.write("node_modules/x.bak", handoff("before"))
			noErr(h.t, os.Link(h.path("node_modules/x.bak"), h.path(log)))
		}, func(h *house) { h.write("node_modules/x.bak", handoff("afterwards")) }},
		{"where a link leads", func(h *house) {
			h.write("node_modules/x.xml", handoff("before"))
			h.link("../../node_modules/x.xml", log)
		}, func(h *house) { h.write("node_modules/x.xml", handoff("afterwards")) }},
		{"a link on the way", func(h *house) {
			h.write("node_modules/x.xml", handoff("before"))
			h.write("node_modules/y.xml", handoff("afterwards"))
			h.link("x.xml", "node_modules/link.xml")
			h.link("../../node_modules/link.xml", log)
		}, func(h *house) {
			h.remove("node_modules/link.xml")
			h.link("y.xml", "node_modules/link.xml")
		}},
		{"a folder that may be read", func(h *house) {
			if os.Getuid() == 0 {
				return // whom no rights keep out
			}
			h.write(log, handoff("afterwards"))
			noErr(h.t, os.Chmod(h.path(".act"), 0))
			h.t.Cleanup(func() { _ = os.Chmod(h.path(".act"), 0o755) })
		}, func(h *house) {
			noErr(h.t, os.Chmod(h.path(".act"), 0o755))
			h.write(log, handoff("afterwards"))
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			h.needEvents()
			noErr(t, os.MkdirAll(h.path(".act/handoffs"), 0o755))
			c.make(h)
			g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
			watched := func() bool { _, ok := h.Watched(t.Context(), index.Scope{Roots: h.roots()}); return ok }
			g.await("it answers", watched)
			c.change(h)
			g.await("it answers again", watched)
			if got := h.found("afterwards"); len(got) != 1 {
				t.Errorf("found %q", got)
			}
		})
	}
}

// Whoever removes the index under a watch finds all in a new one.
func TestWatchRebuildsRemovedIndex(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	scope := index.Scope{Roots: h.roots()}
	watched := func() bool { _, ok := h.Watched(t.Context(), scope); return ok }
	g.await("it answers", watched)
	noErr(t, os.RemoveAll(h.dir))
	g.await("it answers for a new index", func() bool { return watched() && h.holds("aaaa1111") })
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "checkout", "ship it"))
	g.await("it goes on", func() bool { return h.holds("cccc3333") })
	if state := h.WatchState(h.t.Context()); state == nil {
		t.Error("it cannot be asked")
	}
}

// An index that is removed between a refresh and what is done after it does not end the
// watch: it builds another.
func TestWatchGoesOnAfterARemoval(t *testing.T) {
	h := twoNotes(t)
	var calls atomic.Int64
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour, Refreshed: func(index.Report) error {
		if calls.Add(1) > 1 {
			return nil
		}
		return errors.Join(index.ErrNoIndex, os.RemoveAll(h.dir))
	}})
	g.await("another index", func() bool { return calls.Load() > 1 && h.holds("aaaa1111") })
}

// An index that was removed is none that holds nothing, and one that another process
// has made in its place under the same name is read.
func TestRemovedIndexIsNoEmptyOne(t *testing.T) {
	h := twoNotes(t)
	h.expect("login", one, two)
	noErr(t, os.RemoveAll(h.dir))
	everything, err := query.Parse("", query.Env{})
	noErr(t, err)
	if result, err := h.Search(t.Context(), everything, index.SearchOptions{}); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("found %v, error %v", result, err)
	}
	if n, err := h.Count(t.Context(), everything, index.SearchOptions{}); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("counted %d, error %v", n, err)
	}
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-05", "cccc3333", "login", "ship it"))
	other := h.Store
	h.Store = nil
	h.reopen()
	h.refresh()
	result, err := other.Count(t.Context(), everything, index.SearchOptions{})
	if err != nil || result != 3 {
		t.Errorf("counted %d of 3, error %v", result, err)
	}
}
