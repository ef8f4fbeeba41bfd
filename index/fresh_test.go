package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"handex/index"
)

// A tree of handoffs that changes at random: after each refresh the index must
// hold what one built from nothing holds.
func TestRefreshEqualsBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds some hundred indexes")
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t)
		// A folder that makes a project without a handoff coming is noticed late.
		for _, path := range somewhere {
			if err := os.MkdirAll(filepath.Dir(h.path(path)), 0o755); err != nil {
				rt.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			for range rapid.IntRange(1, 6).Draw(rt, "changes") {
				h.step(rt)
			}
			// One second apart, so that nobody can tell the changes by the clock alone.
			h.now = h.now.Add(time.Second)
			h.refreshWith(index.RefreshOptions{Prune: true})
		}
		h.compareWithBuild(rt)
	})
}

var somewhere = []string{
	".claude/handoffs/-work-shop/a.md", ".claude/handoffs/-work-shop/b.md", ".claude/handoffs/-work-shop/LEDGER.md",
	".claude/handoffs/-work-bank/a.md", "shop/.flow-guardian/handoff.yaml", "shop/meta/handoff.yaml", "shop/meta/handoff-log.yaml",
	"shop/discussion/001-codex-response.md", "bank/.act/handoffs/2026-02-01-1000.xml", "bank/HANDOFF.md", "bank/.bon/handoffs/c.md",
}

var texts = []string{
	note("2026-02-01", "aaaa1111", "login form", "test the token expiry"),
	note("2026-02-01", "bbbb2222", "login page", "HUMAN REVIEW NEEDED: migrate"),
	"# Handoff\n\nno date at all, Löwe and token\n\n## Next\n\n- go on\n",
	"goal: login\nstatus: blocked\nnow: waiting\ntimestamp: 2026-02-03T10:00:00Z\n",
	"version: 1\nfrom: codex\nto: claude\nstatus: pending\ngenerated_at: 2026-02-03\nsource_file: discussion/001-codex-response.md\nfiles_changed: [a.go]\n",
	"version: 1\nentries:\n  - {source_file: discussion/001-codex-response.md, from: a, to: b, status: sent, generated_at: 2026-01-03}\n  - {source_file: discussion/001-codex-response.md, from: b, to: a, status: sent, generated_at: 2026-01-04}\n",
	"- [x] 2026-02-01 [a.md](a.md) - login (processed 2026-02-02)\n",
	"<context_handoff><metadata><project>bank</project><timestamp>2026-02-01T10:00:00Z</timestamp></metadata><original_task>login</original_task></context_handoff>\n",
	"# Log\n\n## 2026-02-01\n\n- first\n\n## 2026-02-02\n\n- second\n\n## 2026-02-02\n\n- third\n", "",
}

// step changes one thing.
func (h *house) step(rt *rapid.T) {
	path := rapid.SampledFrom(somewhere).Draw(rt, "path")
	switch rapid.SampledFrom([]string{"write", "write", "write", "remove", "move", "touch", "refresh"}).Draw(rt, "step") {
	case "write":
		day := time.Date(2026, 2, rapid.IntRange(1, 3).Draw(rt, "day"), 12, 0, 0, 0, time.UTC)
		h.writeAt(path, rapid.SampledFrom(texts).Draw(rt, "text"), day)
	case "remove":
		h.remove(path)
	case "move":
		to := rapid.SampledFrom(somewhere).Draw(rt, "to")
		if _, err := os.Stat(h.path(path)); err == nil && to != path {
			h.move(path, to)
		}
	case "touch":
		at := time.Date(2026, 2, rapid.IntRange(1, 3).Draw(rt, "day"), 13, 0, 0, 0, time.UTC)
		_ = os.Chtimes(h.path(path), at, at)
	case "refresh":
		h.refreshWith(index.RefreshOptions{Prune: true})
	}
}

// compareWithBuild compares the index with one built beside it. Public ids
// remember where files came from, which a build from nothing cannot know.
func (h *house) compareWithBuild(rt *rapid.T) {
	fresh := &house{t: h.t, root: h.root, dir: filepath.Join(filepath.Dir(h.dir), fmt.Sprintf("fresh%d", h.now.UnixNano())), now: h.now, zone: h.zone}
	fresh.reopen()
	fresh.refresh()
	if diff := h.dump().compare(fresh.dump()); diff != "" {
		rt.Fatalf("the refreshed index differs (-built +refreshed):\n%s", diff)
	}
	if faults, err := h.Check(h.t.Context()); err != nil || len(faults) > 0 {
		rt.Fatalf("check: %v %v", faults, err)
	}
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := h.dump().compare(fresh.dump()); diff != "" {
		rt.Fatalf("the rebuilt index differs (-built +rebuilt):\n%s", diff)
	}
	if err := fresh.Close(); err != nil {
		rt.Fatal(err)
	}
}
