package index_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// diary writes a handoff of claude-suite a day, each at the end of its day; the
// names say nothing of the order.
func diary(h *house, dir string) (names []string) {
	for i, name := range []string{"d4e5f6a7", "a1b2c3d4", "f0e1d2c3", "b4db9cba", "c0ffee00"} {
		day := commitDay(i)
		h.writeAt(dir+"/"+name+".md", note(day.Format(time.DateOnly), name, "day "+day.Format(time.DateOnly), "go on"), day.Add(7*time.Hour))
		names = append(names, name)
	}
	return names
}

// wantLatest compares what is the latest by the index, as a command and as a state,
// and the newest of the project.
func (h *house) wantLatest(project, session string) {
	h.t.Helper()
	h.now = h.now.Add(time.Minute)
	h.refresh()
	list, err := h.Latest(h.t.Context(), h.path(project))
	if err != nil || len(list) != 1 || list[0].Session != session {
		h.t.Errorf("latest of %s is %+v, %v, want %s", project, list, err, session)
	}
	hits := h.search("latest handoffs per project project:" + project).Hits
	if len(hits) != 1 || hits[0].Session != session {
		h.t.Errorf("latest per project of %s is %+v, want %s", project, hits, session)
	}
}

// In a folder that is written day by day the latest is what ls -t says, also when
// an old handoff is written again.
func TestLatestDayByDay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	names := diary(h, "shop/.bon/handoffs")
	h.wantLatest("shop", names[4])
	h.writeAt("shop/.bon/handoffs/"+names[1]+".md", note("2026-01-06", names[1], "day two", "go on"), commitDay(9))
	h.now = h.now.Add(time.Minute)
	h.refresh()
	if list, err := h.Latest(t.Context(), h.path("shop")); err != nil || len(list) != 1 || list[0].Session != names[1] {
		t.Errorf("latest is %+v, %v, want %s", list, err, names[1])
	}
}

// A clone, a copy and a restore make all times anew: what the handoffs state counts.
func TestLatestOfCopies(t *testing.T) {
	t.Parallel()
	const dir = "/.bon/handoffs"
	h := newHouse(t)
	names := diary(h, "shop"+dir)
	h.commit(commitDay(5), "shop")
	latest := names[4]
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	retime := func(project string, step time.Duration) {
		for i, name := range names {
			when := at.Add(time.Duration(len(names)-i) * step)
			noErr(t, os.Chtimes(h.path(project+dir+"/"+name+".md"), when, when))
		}
	}
	t.Run("clone", func(*testing.T) {
		h.gitAt(at, ".", "clone", "-q", h.path("shop"), h.path("clone"))
		h.wantLatest("clone", latest)
	})
	t.Run("slow clone", func(*testing.T) {
		h.gitAt(at, ".", "clone", "-q", h.path("shop"), h.path("slow"))
		retime("slow", time.Hour)
		h.wantLatest("slow", latest)
		// What is written there afterwards is newer than the checkout.
		h.writeAt("slow"+dir+"/00000000.md", note("2026-03-02", "00000000", "after", "go on"), at.AddDate(0, 0, 1))
		h.wantLatest("slow", "00000000")
	})
	t.Run("copy", func(*testing.T) {
		diary(h, "copy"+dir)
		retime("copy", 300*time.Millisecond)
		h.wantLatest("copy", latest)
		h.writeAt("copy"+dir+"/00000000.md", note("2026-03-02", "00000000", "after", "go on"), at.AddDate(0, 0, 1))
		h.wantLatest("copy", "00000000")
	})
	t.Run("restore", func(*testing.T) {
		diary(h, "restored"+dir)
		retime("restored", 0)
		h.wantLatest("restored", latest)
	})
	t.Run("restore of one day", func(*testing.T) {
		for i, name := range []string{"2026-03-01-0900-bbbb1111", "2026-03-01-1700-aaaa1111", "2026-02-27-1000-cccc1111"} {
			h.writeAt(fmt.Sprintf("day%s/%s.md", dir, name), note(name[:10], name[16:], "login", "go on"), at.Add(time.Duration(i)*time.Millisecond))
		}
		h.wantLatest("day", "aaaa1111")
	})
}

// Handoffs of one day, cloned on that day, are in the order of their commits.
func TestLatestOfCloneOfToday(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	h := newHouse(t)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for i, name := range []string{"ffff1111", "0000aaaa", "8888bbbb"} {
		h.write("shop/.bon/handoffs/"+name+".md", note(today.Format(time.DateOnly), name, "login", "go on"))
		h.commit(today.Add(time.Duration(i)*time.Minute), "shop")
	}
	h.gitAt(today, ".", "clone", "-q", h.path("shop"), h.path("clone"))
	h.wantLatest("clone", "8888bbbb")
	path := h.path("clone/.bon/handoffs/0000aaaa.md")
	if list, err := h.Latest(t.Context(), filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("latest is %+v, %v", list, err)
	}
	h.write("clone/.bon/handoffs/0000aaaa.md", note(today.Format(time.DateOnly), "0000aaaa", "login", "changed here"))
	h.wantLatest("clone", "0000aaaa")
	h.refreshWith(index.RefreshOptions{Full: true})
	h.wantLatest("clone", "0000aaaa")
}
