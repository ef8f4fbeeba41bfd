package index_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/OWNER/handex/index"
)

// mount mounts an empty disk at a folder of the house until the test ends.
func (h *house) mount(rel string) (unmount func()) {
	h.t.Helper()
	at := h.path(rel)
	noErr(h.t, os.MkdirAll(at, 0o755))
	err := unix.Mount("none", at, "tmpfs", 0, "size=1m")
	if errors.Is(err, unix.EPERM) {
		h.t.Skip("mounting needs rights")
	}
	noErr(h.t, err)
	mounted := true
	unmount = func() {
		if mounted {
			mounted = false
			noErr(h.t, unix.Unmount(at, unix.MNT_DETACH))
		}
	}
	h.t.Cleanup(unmount)
	return unmount
}

// A disk in a root that is not mounted any more is named, and what is known of its
// handoffs is kept until it is back, whether its mount point is still there or not.
func TestUnmountedDiskIsKept(t *testing.T) {
	t.Parallel()
	const top, below, beside = "disk/HANDOFF.md", "disk/docs/handoffs/2026-02-06.md", "docs/handoffs/2026-02-07.md"
	writeTop := func(h *house) {
		h.writeAt(top, note("2026-02-05", "cccc3333", "checkout", "ship it"), time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC))
	}
	fill := func(h *house) {
		writeTop(h)
		h.write(below, note("2026-02-06", "dddd4444", "checkout form", "test it"))
	}
	for _, c := range []struct {
		name string
		away func(*house)
	}{
		{"the folder stays", func(*house) {}},
		{"the folder goes", func(h *house) { h.remove("disk") }},
		{"something else is in the folder", func(h *house) { h.write("disk/x-handoff.md", note("2026-02-07", "eeee5555", "other", "x")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			h.write(beside, note("2026-02-07", "ffff6666", "basket", "test it"))
			unmount := h.mount("disk")
			fill(h)
			h.refresh()
			h.expect("checkout", top, below)
			unmount()
			c.away(h)
			h.remove(beside)
			want := []index.Trouble{{Path: h.path("disk"), Reason: "its disk is no longer mounted; its files (2) are kept", Shows: true}}
			for _, o := range []index.RefreshOptions{{}, {}, {Only: h.path("disk/docs")}, {Full: true}, {}} {
				report := h.refreshWith(o)
				if diff := cmp.Diff(want, report.Troubles); diff != "" && o.Only == "" {
					t.Errorf("%+v: troubles (-want +got):\n%s", o, diff)
				}
				if stale := h.search("checkout").Stale; len(stale) != 1 {
					t.Errorf("%+v: stale %v", o, stale)
				}
				h.expect("checkout", top, below)
				h.expect("basket")
				h.whole()
			}
			h.mount("other") // takes the number
			unmount = h.mount("disk")
			writeTop(h)
			if report := h.refresh(); len(report.Troubles) > 0 {
				t.Errorf("back, and yet %v", report.Troubles)
			}
			h.expect("checkout", top)
			unmount()
			h.refreshWith(index.RefreshOptions{Prune: true})
			h.expect("checkout")
			h.whole()
		})
	}
}

// A file at the mount point with the name of one on the disk does not make it the disk.
func TestUnmountedDiskIsNotWhatHasItsNames(t *testing.T) {
	t.Parallel()
	const top, below = "disk/HANDOFF.md", "disk/docs/handoffs/2026-02-06.md"
	h := twoNotes(t)
	unmount := h.mount("disk")
	h.write(top, note("2026-02-05", "cccc3333", "checkout", "ship it"))
	h.write(below, note("2026-02-06", "dddd4444", "checkout form", "test it"))
	h.refresh()
	unmount()
	h.write(top, note("2026-02-05", "cccc3333", "checkout", "send it"))
	for range 3 {
		h.refresh()
		h.expect("checkout", top, below)
	}
}

// A root whose disk has another number than before, as after a restart, has no disk in
// it that is away, be the root the mount point or in it.
func TestDiskWithAnotherNumber(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"disk", "disk/proj"} {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, full %v", root, full), func(t *testing.T) {
				t.Parallel()
				checkOtherNumber(t, root, full)
			})
		}
	}
}

func checkOtherNumber(t *testing.T, root string, full bool) {
	t.Helper()
	h := twoNotes(t)
	unmount := h.mount("disk")
	h.inner = []index.Root{{Path: h.path(root)}}
	write := func(names ...string) {
		for _, name := range names {
			at := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
			h.writeAt(root+"/docs/handoffs/"+name, note("2026-02-05", "cccc3333", "checkout", name), at)
		}
	}
	write("a.md", "b.md")
	roots := []index.Root{{Path: h.path(root)}}
	for range 2 {
		_, err := h.Refresh(t.Context(), roots, index.RefreshOptions{})
		noErr(t, err)
	}
	unmount()
	h.mount("other") // takes the number
	h.mount("disk")
	write("a.md")
	report, err := h.Refresh(t.Context(), roots, index.RefreshOptions{Full: full})
	if err != nil || !full && report.Removed != 1 || len(report.Troubles) > 0 {
		t.Errorf("report %+v, error %v", report, err)
	}
	h.expect("checkout", root+"/docs/handoffs/a.md")
}
