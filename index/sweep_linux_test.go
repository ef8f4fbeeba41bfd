package index_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// A folder that changed just before it was listed is listed again: within a tick
// of the clock its time may not tell the next change.
func TestRacyFolderIsListedAgain(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	dir := filepath.Dir(h.path(one))
	listed := func(now time.Time) bool {
		h.now = now
		h.write("x/HANDOFF.md", note("2026-02-05", "cccc3333", "checkout", now.String())) // something to write
		h.refresh()
		return len(rawRows(t, statusPath(h), "SELECT 1 FROM folder WHERE path = '"+dir+"' AND ino <> 0")) == 0
	}
	h.refreshWith(index.RefreshOptions{Full: true})
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{time.Second, true}, {2 * time.Second, true}, {2*time.Second + 1, false}} {
		noErr(t, os.Chmod(dir, 0o750))
		noErr(t, os.Chmod(dir, 0o755))
		info, err := os.Stat(dir)
		noErr(t, err)
		if got := listed(time.Unix(0, ctime(t, info)).Add(c.after)); got != c.want && index.TellsChanges(dir) {
			t.Errorf("%v after a change: listed again is %v, want %v", c.after, got, c.want)
		}
	}
}

// ctime is when a file's state last changed, in nanoseconds since 1970.
func ctime(t *testing.T, info os.FileInfo) int64 {
	t.Helper()
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no state")
	}
	return st.Ctim.Nano()
}

// A file whose time of modification was set to one that is yet to come is as settled as
// any other: its folder's files are not looked up at each refresh. Its next change shows
// all the same.
func TestTimeAheadIsSettled(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	ahead := time.Now().AddDate(5, 0, 0)
	noErr(t, os.Chtimes(h.path(one), ahead, ahead))
	info, err := os.Stat(h.path(one))
	noErr(t, err)
	h.now = time.Unix(0, ctime(t, info)).Add(3 * time.Second)
	h.refreshWith(index.RefreshOptions{Full: true})
	open := rawRows(t, statusPath(h), "SELECT path FROM folder WHERE states = ''")
	if len(open) > 0 && index.TellsChanges(h.path(".")) {
		t.Errorf("looked up again at the next refresh: %v", open)
	}
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "rotate the keys"))
	noErr(t, os.Chtimes(h.path(one), ahead, ahead))
	h.refresh()
	if hits := h.search("rotate").Hits; len(hits) != 1 {
		t.Errorf("a change that leaves the time as it was is not seen: %v", hits)
	}
}

// A state is young by the machine's clock, wherever Now stands.
func TestNowDoesNotSettle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{time.Second, true}, {3 * time.Second, false}} {
		h := twoNotes(t)
		info, err := os.Stat(h.path(one))
		noErr(t, err)
		clock := time.Unix(0, ctime(t, info)).Add(c.after)
		for _, now := range []time.Time{clock.AddDate(-5, 0, 0), clock.AddDate(5, 0, 0)} {
			s, err := index.Open(t.Context(), index.Options{
				Dir: t.TempDir(), Now: func() time.Time { return now }, Clock: func() time.Time { return clock },
			})
			noErr(t, err)
			_, err = s.Refresh(t.Context(), []index.Root{{Path: h.root}}, index.RefreshOptions{})
			noErr(t, err)
			st, err := s.Status(t.Context())
			noErr(t, err)
			open := rawRows(t, st.Path, "SELECT path FROM folder WHERE states = ''")
			if got := len(open) > 0; got != c.want {
				t.Errorf("%v after a change, now %v: looked up again is %v, want %v", c.after, now, got, c.want)
			}
			noErr(t, s.Close())
		}
	}
}
