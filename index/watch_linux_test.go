package index_test

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/OWNER/handex/index"
)

// A mount makes no event, and yet what is in it is found by whoever asks.
func TestWatchSeesMounts(t *testing.T) {
	h := twoNotes(t)
	h.needEvents()
	h.write("disk with blanks/docs/handoffs/2026-02-01.md", note("2026-02-01", "cccc3333", "below", "ship it"))
	at := h.path("disk with blanks")
	g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
	scope := index.Scope{Roots: h.roots()}
	g.await("it answers", func() bool { _, ok := h.Watched(t.Context(), scope); return ok })
	if err := unix.Mount("none", at, "tmpfs", 0, "size=1m"); errors.Is(err, unix.EPERM) {
		t.Skip("mounting needs rights")
	} else if err != nil {
		t.Fatal(err)
	}
	mounted := true
	defer func() {
		if mounted {
			_ = unix.Unmount(at, 0)
		}
	}()
	g.await("what the mount hides is gone", func() bool { _, ok := h.Watched(t.Context(), scope); return ok && !h.holds("cccc3333") })
	h.write("disk with blanks/docs/handoffs/2026-02-02.md", note("2026-02-02", "dddd4444", "on top", "ship it"))
	g.await("what is in it is found", func() bool { _, ok := h.Watched(t.Context(), scope); return ok && h.holds("dddd4444") })
	if err := unix.Unmount(at, 0); err != nil {
		t.Fatal(err)
	}
	mounted = false
	g.await("what it hid is back", func() bool { _, ok := h.Watched(t.Context(), scope); return ok && h.holds("cccc3333") })
	if stale := h.search("on top").Stale; !h.holds("dddd4444") || len(stale) != 1 || stale[0].Path != h.root {
		t.Errorf("what was in it is not kept, or nobody is told: %v", stale)
	}
}
