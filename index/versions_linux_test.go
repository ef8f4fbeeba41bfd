package index_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// A state of the archive's folder is believed later only if it was old enough when it
// was taken: within a tick of the clock its time may not tell the next change.
func TestRacyArchiveIsListedAgain(t *testing.T) {
	h := newArchive(t)
	h.overwrite(flow, manifest(1, "one"), manifest(2, "two"))
	info, err := os.Stat(h.kept.Dir)
	noErr(t, err)
	for i, c := range []struct {
		after time.Duration
		want  bool
	}{{time.Second, false}, {2 * time.Second, false}, {2*time.Second + 1, true}} {
		h.now = time.Unix(0, ctime(t, info)).Add(c.after)
		h.write(fmt.Sprintf("x/docs/handoffs/2026-02-05-%d.md", i), note("2026-02-05", "cccc3333", "checkout", "rest")) // something to write
		h.refresh()
		fact := fmt.Sprint(rawRows(t, statusPath(h), "SELECT value FROM state WHERE key = 'archive'")[0]["value"])
		if got := strings.Contains(fact, `"folder"`); got != c.want && index.TellsChanges(h.kept.Dir) {
			t.Errorf("%v after a change: its state is believed %v, want %v: %s", c.after, got, c.want, fact)
		}
		if !strings.Contains(fact, `"roots"`) {
			t.Errorf("%v after a change: nothing is known of it: %s", c.after, fact)
		}
	}
}
