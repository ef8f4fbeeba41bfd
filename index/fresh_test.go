package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

// A tree of handoffs that changes at random: after each refresh the index must
// hold what one built from nothing holds.
func TestRefreshEqualsBuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds some hundred indexes")
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t)
		h.inner = []index.Root{{Path: h.path("shop")}}
		h.makeFolders(rt)
		for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			for range rapid.IntRange(1, 6).Draw(rt, "changes") {
				h.step(rt)
			}
			// One second apart, so that nobody can tell the changes by the clock alone.
			h.now = h.now.Add(time.Second)
			h.refreshSome(rt)
		}
		h.refreshWith(index.RefreshOptions{Prune: true})
		h.compareWithBuild(rt)
	})
}

// refreshSome refreshes all of the tree or a part of it, whatever is a root.
func (h *house) refreshSome(rt *rapid.T) {
	shop := h.inner[0]
	roots := rapid.SampledFrom([][]index.Root{
		h.roots(), h.roots(), h.roots(),
		{shop},
		append(h.roots(), shop), append([]index.Root{shop}, h.roots()...),
		{{Path: h.root, Exclude: []string{"**/b.md", "bank/.act"}}},
		{{Path: h.root, Include: []string{"**"}}},
	}).Draw(rt, "roots")
	h.program = rapid.SampledFrom([]string{"", "", "", "2"}).Draw(rt, "program")
	h.zone = index.Zone(rapid.SampledFrom([]int{0, 0, 0, 5}).Draw(rt, "zone"))
	h.reopen()
	o := index.RefreshOptions{Prune: true, Most: rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(rt, "most"), Only: rapid.SampledFrom([]string{"", "", shop.Path, h.path("bank")}).Draw(rt, "only")}
	if _, err := h.Refresh(h.t.Context(), roots, o); err != nil {
		rt.Fatal(err)
	}
}

var somewhere = []string{
	".claude/handoffs/-work-shop/a.md", ".claude/handoffs/-work-shop/b.md", ".claude/handoffs/-work-shop/LEDGER.md",
	".claude/handoffs/-work-bank/a.md", "shop/.flow-guardian/handoff.yaml", "shop/meta/handoff.yaml", "shop/meta/handoff-log.yaml",
	"shop/discussion/001-codex-response.md", "bank/.act/handoffs/2026-02-01-1000.xml", "bank/HANDOFF.md", "bank/.bon/handoffs/c.md",
	"shop/docs/sessions/today.md", "bank/notes/SKILL.md", "bank/notes/handoff.md", "bank/notes/HANDOFF.md",
	"shop/docs/handoffs/login-1.md", "shop/docs/handoffs/login-2.md", "shop/docs/handoffs/2026-02-03.md",
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
	threadText("in-progress", "login"), threadText("blocked", "bills"), threadText("completed", "login"), threadText("", "bills"),
	noteText, promptText, "# Sessions\n\n## Usage\n\nnone\n",
	"# Log\n\n## 2026-02-01\n\n- first\n\n## 2026-02-02\n\n- second\n\n## 2026-02-02\n\n- third\n", "",
}

// threadText is a handoff with a status, on a branch.
func threadText(status, branch string) string {
	return "---\ndate: 2026-02-02\nstatus: " + status + "\nbranch: " + branch + "\n---\n\n# Handoff\n\n## Next\n\n- ask SHOP-7\n"
}

// makeFolders makes the folders of somewhere: one that makes a project without a
// handoff coming is noticed late.
func (h *house) makeFolders(rt *rapid.T) {
	for _, path := range somewhere {
		if err := os.MkdirAll(filepath.Dir(h.path(path)), 0o755); err != nil {
			rt.Fatal(err)
		}
	}
}

// step changes one thing.
func (h *house) step(rt *rapid.T) {
	path := rapid.SampledFrom(somewhere).Draw(rt, "path")
	switch rapid.SampledFrom([]string{"write", "write", "write", "remove", "move", "touch", "refresh", "move folder", "rewrite", "link", "hard link", "rights"}).Draw(rt, "step") {
	case "write":
		day := time.Date(2026, 2, rapid.IntRange(1, 3).Draw(rt, "day"), 12, 0, 0, 0, time.UTC)
		if _, err := os.Stat(h.path(path)); err != nil {
			_ = os.Remove(h.path(path)) // a link that leads nowhere
		}
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
		h.refreshSome(rt)
	case "move folder":
		from, to := filepath.Dir(h.path(path)), filepath.Dir(h.path(rapid.SampledFrom(somewhere).Draw(rt, "to")))
		if err := os.Rename(from, to+"-moved"); err == nil {
			h.makeFolders(rt)
		}
	case "rewrite":
		if f, err := os.OpenFile(h.path(path), os.O_WRONLY, 0); err == nil {
			_, err = f.WriteString(rapid.SampledFrom([]string{"# Hand-off", "# Something"}).Draw(rt, "top"))
			noErr(h.t, errors.Join(err, f.Close()))
		}
	case "link":
		h.remove(path)
		noErr(h.t, os.Symlink(h.path(rapid.SampledFrom(somewhere).Draw(rt, "to")), h.path(path)))
	case "hard link":
		h.remove(path)
		_ = os.Link(h.path(rapid.SampledFrom(somewhere).Draw(rt, "to")), h.path(path))
	case "rights":
		_ = os.Chmod(h.path(path), 0o600)
	}
}

// compareWithBuild compares the index with one built beside it. Public ids
// remember where files came from, which a build from nothing cannot know.
func (h *house) compareWithBuild(rt rapid.TB) {
	fresh := &house{t: h.t, root: h.root, dir: filepath.Join(filepath.Dir(h.dir), fmt.Sprintf("fresh%d", h.now.UnixNano())), now: h.now, zone: h.zone, inner: h.inner}
	fresh.reopen()
	built, again := fresh.refresh(), h.refreshWith(index.RefreshOptions{Prune: true})
	if diff := h.dump().Compare(fresh.dump()); diff != "" {
		rt.Fatalf("the refreshed index differs (-built +refreshed):\n%s", diff)
	}
	told := cmpopts.IgnoreFields(index.Report{}, "Added", "Updated", "Unchanged", "Problems")
	if diff := cmp.Diff(built, again, told); diff != "" {
		rt.Fatalf("the reports differ (-built +refreshed again):\n%s", diff)
	}
	if faults, err := h.Check(h.t.Context()); err != nil || len(faults) > 0 {
		rt.Fatalf("check: %v %v", faults, err)
	}
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := h.dump().Compare(fresh.dump()); diff != "" {
		rt.Fatalf("the rebuilt index differs (-built +rebuilt):\n%s", diff)
	}
	if err := fresh.Close(); err != nil {
		rt.Fatal(err)
	}
}
