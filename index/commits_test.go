package index_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
)

const undated = "# Handoff\n\nThe login form is half done.\n\n## Next\n\n- test the token expiry\n"

// commitDay is when the tests commit, days later is a later commit.
func commitDay(days int) time.Time {
	return time.Date(2026, 1, 5, 10, 30, 0, 0, time.UTC).AddDate(0, 0, days)
}

// gitAt runs git in a folder of the house as if at a time.
func (h *house) gitAt(at time.Time, rel string, args ...string) {
	h.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		h.t.Skip("needs git")
	}
	cmd := exec.CommandContext(h.t.Context(), "git", append([]string{"-C", h.path(rel), "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	date := at.Format(time.RFC3339)
	cmd.Env = testkit.GitEnv("GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// commit commits all of a repository, which is made if need be.
func (h *house) commit(at time.Time, rel string) {
	h.t.Helper()
	if _, err := os.Stat(h.path(rel + "/.git")); err != nil {
		h.gitAt(at, rel, "init", "-q", "-b", "main")
	}
	h.gitAt(at, rel, "add", "-A")
	h.gitAt(at, rel, "commit", "-q", "--allow-empty", "-m", "x")
}

// dates are the dates of the handoffs by their paths, with their sources.
func (h *house) dates() map[string]string {
	h.t.Helper()
	dates := map[string]string{}
	for _, hit := range h.search("limit:0").Hits {
		rel, _ := filepath.Rel(h.root, hit.Path)
		dates[filepath.ToSlash(rel)] = hit.Date.UTC().Format("2006-01-02 15:04") + " " + hit.DateSource
	}
	return dates
}

func (h *house) wantDates(want map[string]string) {
	h.t.Helper()
	if diff := cmp.Diff(want, h.dates()); diff != "" {
		h.t.Errorf("dates (-want +got):\n%s", diff)
	}
}

// A file that states no date has that of its last commit, while its text is that
// of the commit.
func TestCommitDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	checkout := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	h.writeAt("app/HANDOFF.md", undated, checkout)
	h.writeAt("app/docs/handoffs/login.md", undated, checkout)
	h.writeAt("app/docs/handoffs/2026-01-02-form.md", undated, checkout)
	h.commit(commitDay(0), "app")
	h.writeAt("app/docs/handoffs/login.md", undated+"- and more\n", checkout)
	h.commit(commitDay(3), "app")
	h.writeAt("app/HANDOFF-new.md", undated, checkout)
	h.writeAt("plain/HANDOFF.md", undated, checkout)
	h.refresh()
	want := map[string]string{
		"app/HANDOFF.md": "2026-01-05 10:30 git", "app/docs/handoffs/login.md": "2026-01-08 10:30 git",
		"app/docs/handoffs/2026-01-02-form.md": "2026-01-02 00:00 name",
		"app/HANDOFF-new.md":                   "2026-02-01 09:00 mtime", "plain/HANDOFF.md": "2026-02-01 09:00 mtime",
	}
	h.wantDates(want)

	h.gitAt(commitDay(4), "app", "add", "-A") // staged, and in no commit yet
	h.now = h.now.Add(time.Minute)
	h.refresh()
	h.wantDates(want)

	h.commit(commitDay(4), "app")
	h.now = h.now.Add(time.Minute)
	if report := h.refresh(); report.Updated != 1 || report.Troubles != nil {
		t.Errorf("after a commit: %+v", report)
	}
	want["app/HANDOFF-new.md"] = "2026-01-09 10:30 git"
	h.wantDates(want)

	h.writeAt("app/HANDOFF.md", undated+"- written here\n", checkout.AddDate(0, 0, 1))
	h.now = h.now.Add(time.Minute)
	h.refresh()
	want["app/HANDOFF.md"] = "2026-02-02 09:00 mtime"
	h.wantDates(want)

	h.gitAt(commitDay(5), "app", "commit", "-q", "-a", "--amend", "-m", "y")
	h.now = h.now.Add(time.Minute)
	h.refresh()
	want["app/HANDOFF.md"], want["app/HANDOFF-new.md"] = "2026-01-10 10:30 git", "2026-01-10 10:30 git"
	h.wantDates(want)
}

// The commit of a merged branch counts, not the merge.
func TestCommitDatesOfMerge(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("app/README.md", "x")
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(1), "app", "checkout", "-q", "-b", "side")
	h.write("app/HANDOFF.md", undated)
	h.commit(commitDay(1), "app")
	h.gitAt(commitDay(2), "app", "checkout", "-q", "main")
	h.write("app/other.txt", "x")
	h.commit(commitDay(2), "app")
	h.gitAt(commitDay(6), "app", "merge", "-q", "--no-ff", "-m", "merge", "side")
	h.refresh()
	h.wantDates(map[string]string{"app/HANDOFF.md": "2026-01-06 10:30 git"})
}

// Work trees, submodules' .git files and packed refs lead to the commits, too.
func TestCommitDatesOfWorkTree(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("app/HANDOFF.md", undated)
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(0), "app", "worktree", "add", "-q", "-b", "feature/x", "../tree")
	h.write("tree/docs/handoffs/b.md", undated)
	h.commit(commitDay(1), "tree")
	h.refresh()
	// tree/HANDOFF.md is the same, and counts once.
	want := map[string]string{"app/HANDOFF.md": "2026-01-05 10:30 git", "tree/docs/handoffs/b.md": "2026-01-06 10:30 git"}
	h.wantDates(want)
	h.gitAt(commitDay(2), "app", "pack-refs", "--all")
	h.now = h.now.Add(time.Minute)
	if report := h.refresh(); report.Updated != 0 {
		t.Errorf("after packing refs: %+v", report)
	}
	h.gitAt(commitDay(3), "app", "commit", "-q", "--amend", "-m", "again")
	h.now = h.now.Add(time.Minute)
	h.refresh()
	want["app/HANDOFF.md"] = "2026-01-08 10:30 git"
	h.wantDates(want)
	// Where they differ, each is dated by the last commit in its own work tree.
	h.write("app/HANDOFF.md", undated+"\nmore\n")
	h.commit(commitDay(4), "app")
	h.now = h.now.Add(time.Minute)
	h.refresh()
	want["app/HANDOFF.md"], want["tree/HANDOFF.md"] = "2026-01-09 10:30 git", "2026-01-05 10:30 git"
	h.wantDates(want)
}

// countingGit puts a git into PATH that notes each run of it.
func countingGit(t *testing.T) (runs func() int) {
	t.Helper()
	found, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	notes := filepath.Join(dir, "runs")
	script := fmt.Sprintf("#!/bin/sh\necho run >> %s\nexec %s \"$@\"\n", notes, found)
	noErr(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() int {
		text, _ := os.ReadFile(notes)
		_ = os.Remove(notes)
		return strings.Count(string(text), "run\n")
	}
}

// Git is asked what it tracks where a file is new or changed, and when that was
// committed where a file has just what git tracks.
func TestGitRunsWhenNeeded(t *testing.T) {
	h := newHouse(t)
	for i := range 20 {
		h.write(fmt.Sprintf("app/docs/handoffs/part%d/login.md", i), undated)
	}
	h.commit(commitDay(0), "app")
	h.write("dated/HANDOFF.md", "# Handoff 2026-01-02 10:30\n\n## Next\n\n- go on\n")
	h.commit(commitDay(0), "dated")
	runs := countingGit(t)
	step := func(what string, want int) {
		t.Helper()
		h.now = h.now.Add(time.Minute)
		runs()
		h.refresh()
		if got := runs(); got != want {
			t.Errorf("%s: git ran %d times, want %d", what, got, want)
		}
	}
	step("a build", 2)
	step("nothing new", 0)
	h.write("app/HANDOFF.md", undated)
	step("a file git does not know", 1)
	h.write("app/docs/handoffs/part1/login.md", undated+"- more\n")
	step("a file that was changed here", 1)
	h.write("dated/HANDOFF.md", "# Handoff 2026-01-03 10:30\n\n## Next\n\n- go on\n")
	step("a file that states its date", 0)
	h.commit(commitDay(1), "app")
	h.commit(commitDay(1), "dated")
	step("a commit in each", 2)
	step("nothing new again", 0)
	h.refreshWith(index.RefreshOptions{Only: h.path("app")})
	if got := runs(); got != 0 {
		t.Errorf("a project: git ran %d times", got)
	}
}

// Without git, and with one that does not end, the times of the files count.
func TestNoCommitDates(t *testing.T) {
	at := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	for name, script := range map[string]string{"none": "", "broken": "#!/bin/sh\nexit 3\n", "slow": "#!/bin/sh\nexec sleep 60\n"} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.writeAt("app/HANDOFF.md", undated, at)
			h.commit(commitDay(0), "app")
			dir := t.TempDir()
			if script != "" {
				noErr(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))
				dir += string(filepath.ListSeparator) + os.Getenv("PATH")
			}
			t.Setenv("PATH", dir)
			begun := time.Now()
			h.refresh()
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			h.wantDates(map[string]string{"app/HANDOFF.md": "2026-02-01 09:00 mtime"})
		})
	}
}

// What a repository's configuration names is not run, and names that mean
// something to git are only names.
func TestHostileCommitDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	mark := h.path("ran")
	names := []string{":(exclude)HANDOFF.md", "-HANDOFF.md", "HANDOFF \"q\".md", "HANDOFF*.md", "HANDOFF.md", "handoff\nnote.md"}
	want := map[string]string{}
	at := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	for _, name := range names {
		h.writeAt("app/docs/handoffs/"+name, undated, at)
		want["app/docs/handoffs/"+name] = "2026-01-05 10:30 git"
	}
	want["app/docs/handoffs/handoff\nnote.md"] = "2026-02-01 09:00 mtime"
	h.commit(commitDay(0), "app")
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "gpg.program", "core.alternateRefsCommand", "core.hooksPath",
		"filter.x.clean", "filter.x.smudge", "diff.x.textconv", "diff.x.command",
	} {
		h.gitAt(commitDay(0), "app", "config", key, "touch "+mark)
	}
	h.gitAt(commitDay(0), "app", "config", "log.showSignature", "true")
	h.write("app/.git/info/attributes", "* filter=x diff=x\n")
	h.refresh()
	h.wantDates(want)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository's was run")
	}
	for name, text := range map[string]string{"HEAD": "ref: ../../../../etc/passwd\n", "index": "DIRC garbage"} {
		h.write("app/.git/"+name, text)
		h.now = h.now.Add(time.Minute)
		if report := h.refreshWith(index.RefreshOptions{Full: true}); len(report.Troubles) > 0 {
			t.Errorf("%s: %v", name, report.Troubles)
		}
	}
}

// A repository whose files and commits change at random: after each refresh the
// index must hold what one built from nothing holds.
func TestCommitDatesEqualBuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("makes many commits")
	}
	files := []string{"app/HANDOFF.md", "app/docs/handoffs/a.md", "app/.bon/handoffs/b.md", "app/sub/HANDOFF.md", "tree/HANDOFF.md"}
	day := commitDay(0).Format(time.DateOnly)
	texts := []string{undated, undated + "- more\n", note(day, "aaaa1111", "login", "go on"), "# Handoff " + day + "\n\n## Next\n\n- go on\n"}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse(t)
		h.write("app/README.md", "x")
		h.commit(commitDay(-1), "app")
		h.gitAt(commitDay(-1), "app", "worktree", "add", "-q", "-b", "side", "../tree")
		for range rapid.IntRange(1, 3).Draw(rt, "rounds") {
			for range rapid.IntRange(1, 4).Draw(rt, "changes") {
				path := rapid.SampledFrom(files).Draw(rt, "path")
				repo, _, _ := strings.Cut(path, "/")
				// Files are written before they are committed, some of them on the same day.
				at := commitDay(0).Add(time.Duration(rapid.IntRange(0, 5).Draw(rt, "hours")) * time.Hour)
				later := at.Add(time.Duration(rapid.IntRange(6, 20).Draw(rt, "more")) * time.Hour)
				switch rapid.SampledFrom([]string{"write", "write", "commit", "commit", "amend", "add", "checkout", "pack"}).Draw(rt, "step") {
				case "write":
					h.writeAt(path, rapid.SampledFrom(texts).Draw(rt, "text"), at)
				case "commit":
					h.commit(later, repo)
				case "amend":
					h.gitAt(later, repo, "commit", "-q", "--allow-empty", "--amend", "-m", "y")
				case "add":
					h.gitAt(at, repo, "add", "-A")
				case "checkout":
					h.gitAt(at, repo, "checkout", "-q", "-f", "HEAD", "--", ".")
				case "pack":
					h.gitAt(at, repo, "pack-refs", "--all")
				}
			}
			h.now = h.now.Add(time.Minute)
			h.refreshWith(index.RefreshOptions{Only: rapid.SampledFrom([]string{"", "", h.path("app")}).Draw(rt, "only")})
		}
		h.refresh()
		h.compareWithBuild(rt)
	})
}

// Whatever a repository's configuration says of renames, the commit that gave a
// file its name dates it.
func TestCommitDateOfRename(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	checkout := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	h.writeAt("app/docs/handoffs/login.md", undated, checkout)
	h.commit(commitDay(0), "app")
	h.gitAt(commitDay(1), "app", "mv", "docs/handoffs/login.md", "docs/handoffs/sign-in.md")
	h.gitAt(commitDay(1), "app", "config", "log.follow", "true")
	h.commit(commitDay(1), "app")
	h.refresh()
	h.wantDates(map[string]string{"app/docs/handoffs/sign-in.md": "2026-01-06 10:30 git"})
}
