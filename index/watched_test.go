package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"handex/index"
	schema "handex/sql"
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

// A beat that lies about, however it came there, is not believed.
func TestWatchedStaleBeats(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	scope := index.Scope{Roots: h.roots()}
	dir := filepath.Join(h.dir, "watch-v"+strconv.Itoa(schema.Version))
	beat := filepath.Join(dir, "beat.json")
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	g.await("it answers", func() bool { _, ok := h.Watched(t.Context(), scope); return ok })
	left, err := os.ReadFile(beat)
	if err != nil {
		t.Fatal(err)
	}
	g.stop()
	if err := <-g.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	g.ended <- nil
	lock := flock.New(filepath.Join(dir, "lock"))
	defer func() { _ = lock.Close() }()
	cases := []struct {
		name string
		make func() // on top of a beat that is fresh and a lock that is held
		asks bool   // whether it comes to a question, which nobody answers
	}{
		{"a watcher that has stopped", func() {}, true},
		{"a watcher that was killed", func() { _ = lock.Unlock() }, false},
		{"an old beat", func() { age(t, beat, -time.Minute) }, false},
		{"a beat of the future", func() { age(t, beat, time.Minute) }, false},
		{"no beat", func() { _ = os.Remove(beat) }, false},
		{"half a beat", func() { put(t, beat, string(left[:len(left)/2])) }, false},
		{"a beat of another run of the machine", func() { put(t, beat, strings.Replace(string(left), `"boot":"`, `"boot":"x`, 1)) }, false},
		{"a root in doubt", func() { put(t, beat, strings.Replace(string(left), `"Path":`, `"Doubt":"it is far away","Path":`, 1)) }, false},
	}
	for _, c := range cases {
		put(t, beat, string(left))
		if ok, err := lock.TryLock(); err != nil || !ok {
			t.Fatal(ok, err)
		}
		c.make()
		begun := time.Now()
		if _, ok := h.Watched(t.Context(), scope); ok {
			t.Errorf("%s: it is believed", c.name)
		}
		if asked := time.Since(begun) >= 100*time.Millisecond; c.asks && !asked {
			t.Errorf("%s: it was not asked", c.name)
		}
		if asks, err := filepath.Glob(filepath.Join(dir, "ask-*")); err != nil || len(asks) > 0 {
			t.Errorf("%s: questions are left: %v %v", c.name, asks, err)
		}
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(by)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}
