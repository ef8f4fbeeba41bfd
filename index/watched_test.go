package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
	schema "github.com/OWNER/handex/sql"
)

// What a watcher of two roots answers for.
func TestWatchedCovers(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	h.write("notes/docs/handoffs/2026-02-01.md", note("2026-02-01", "cccc3333", "checkout", "ship it"))
	claude, notes := index.Root{Path: h.path(".claude")}, index.Root{Path: h.path("notes")}
	watched := index.Scope{Roots: []index.Root{claude, notes}, Known: []string{"/srv/app"}, Home: "/home/ada"}
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour, Scope: func() (index.Scope, error) { return watched, nil }})
	with := func(change func(*index.Scope)) index.Scope {
		s := index.Scope{Roots: []index.Root{claude, notes}, Known: []string{"/srv/app"}, Home: "/home/ada"}
		change(&s)
		return s
	}
	cases := []struct {
		name  string
		scope index.Scope
		want  bool
	}{
		{"the same", watched, true},
		{"one of the roots", with(func(s *index.Scope) { s.Roots = s.Roots[1:] }), true},
		{"a path that is not clean", with(func(s *index.Scope) { s.Roots[0].Path += "/." }), true},
		{"no root", with(func(s *index.Scope) { s.Roots = nil }), true},
		{"another order", with(func(s *index.Scope) { s.Roots[0], s.Roots[1] = s.Roots[1], s.Roots[0] }), false},
		{"another root", with(func(s *index.Scope) { s.Roots[1].Path = h.root }), false},
		{"one root more", with(func(s *index.Scope) { s.Roots = append(s.Roots, index.Root{Path: h.path("other")}) }), false},
		{"a root within", with(func(s *index.Scope) { s.Roots = []index.Root{{Path: h.path("notes/docs")}} }), false},
		{"other globs", with(func(s *index.Scope) { s.Roots[1].Include = []string{"**/*.md"} }), false},
		{"other exceptions", with(func(s *index.Scope) { s.Roots[0].Exclude = []string{"archive"} }), false},
		{"another home", with(func(s *index.Scope) { s.Home = "/home/bob" }), false},
		{"a known folder that nothing is named by", with(func(s *index.Scope) { s.Known = append(s.Known, "/srv/web") }), true},
		{"a known folder less that nothing is named by", with(func(s *index.Scope) { s.Known = nil }), true},
		{"a known folder that something is named by", with(func(s *index.Scope) { s.Known = append(s.Known, "/code/shop") }), false},
	}
	g.await("it answers", func() bool { _, ok := h.Watched(t.Context(), watched); return ok })
	for _, c := range cases {
		got := false
		for try := 0; try < 5 && got != c.want; try++ { // on a busy machine an answer can come too late
			_, got = h.Watched(t.Context(), c.scope)
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	other, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: time.Now, Zone: h.zone, Program: "another"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, ok := other.Watched(t.Context(), watched); ok {
		t.Error("it answers for another program")
	}
	h.zone = index.Zone(2)
	h.reopen()
	if _, ok := h.Watched(t.Context(), watched); ok {
		t.Error("it answers for another time zone")
	}
}

// Whoever stands in a watcher's place, and however it came there, is not believed.
func TestWatchedImpostors(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	scope := index.Scope{Roots: h.roots()}
	socket := filepath.Join(h.dir, "watch-v"+strconv.Itoa(schema.Version), "socket")
	ask := func() bool { _, ok := h.Watched(t.Context(), scope); return ok }
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	g.await("it answers", ask)
	state := received(t, socket)
	moved := h.dir + "2"
	copied, err := index.Open(t.Context(), index.Options{Dir: moved, Now: time.Now, Zone: h.zone})
	noErr(t, err)
	defer func() { _ = copied.Close() }()
	noErr(t, os.Symlink(filepath.Dir(socket), filepath.Join(moved, filepath.Base(filepath.Dir(socket)))))
	if _, ok := copied.Watched(t.Context(), scope); ok {
		t.Error("the watcher of the original is believed about a copy")
	}
	g.stop()
	if err := <-g.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	g.ended <- nil
	unsettled := strings.Replace(state, `"Settled":true`, `"Settled":false`, 1)
	cases := []struct {
		name   string
		lines  []string // the state, and what it answers
		listen bool
		want   bool
	}{
		{"none", nil, false, false},
		{"one that says the right things", []string{state, state}, true, true},
		{"one that says nothing", nil, true, false},
		{"one that says nothing of use", []string{"[1", "]"}, true, false},
		{"one that does not answer", []string{state}, true, false},
		{"one that is not sure", []string{state, unsettled}, true, false},
		{"one that cannot tell", []string{state, "{}\n"}, true, false},
		{"one with other files", []string{strings.Replace(state, `"View":"`, `"View":"x`, 1), state}, true, false},
		{"one with other files later", []string{state, strings.Replace(state, `"View":"`, `"View":"x`, 1)}, true, false},
		{"one in doubt", []string{state, strings.Replace(state, `"Path":`, `"Doubt":"it is far away","Path":`, 1)}, true, false},
	}
	for _, c := range cases {
		if c.listen {
			impersonate(t, socket, c.lines)
		}
		if got := ask(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		_ = os.Remove(socket)
	}
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket})
	noErr(t, err)
	dead.SetUnlinkOnClose(false)
	noErr(t, dead.Close())
	if ask() || h.WatchState(h.t.Context()) != nil {
		t.Error("a socket that was left behind is believed")
	}
	g = h.guard(t, index.WatchOptions{Sweep: time.Hour})
	g.await("a watcher takes the place of a dead one", ask)
}

// received is the state that is told at a socket.
func received(t *testing.T, socket string) string {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	noErr(t, err)
	defer func() { _ = conn.Close() }()
	var state json.RawMessage
	noErr(t, json.NewDecoder(conn).Decode(&state))
	return string(state)
}

// impersonate has a socket say one line, and one to each question.
func impersonate(t *testing.T, socket string, lines []string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket})
	noErr(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		for _, line := range lines {
			_, _ = conn.Write([]byte(line))
			_, _ = conn.Read(make([]byte, 1))
		}
	}()
}
