package index_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"handex/index"
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
