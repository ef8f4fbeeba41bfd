package index_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
)

// pear is a handoff that says a number.
func pear(n int) string {
	return fmt.Sprintf("# Handoff\n\npurpose: pear %d\n\n## Next\n\n- peel pear %d\n", n, n)
}

// gitIn runs git in a folder of the house.
func (h *house) gitIn(rel, stdin string, args ...string) string {
	h.t.Helper()
	cmd := exec.CommandContext(h.t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = h.path(rel), strings.NewReader(stdin)
	cmd.Env = testkit.GitEnv()
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository makes a repository of the files of each commit, a day apart in 2026,
// and checks the last out.
func (h *house) repository(rel string, commits ...map[string]string) {
	h.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		h.t.Skip("git is not installed")
	}
	if err := os.MkdirAll(h.path(rel), 0o755); err != nil {
		h.t.Fatal(err)
	}
	var stream strings.Builder
	for i, files := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter n <n@example.org> %d +0000\ndata 0\n", 1767225600+i*86400)
		for path, text := range files {
			if text == "" {
				fmt.Fprintf(&stream, "D %s\n", path)
				continue
			}
			fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
		}
	}
	h.gitIn(rel, "", "init", "-q", "-b", "main")
	h.gitIn(rel, stream.String(), "fast-import", "--quiet")
	h.gitIn(rel, "", "checkout", "-q", "-f", "main")
}

func (h *house) takeGit() index.GitReport {
	h.t.Helper()
	report, err := h.ImportGit(h.t.Context(), h.roots(), index.GitOptions{Getenv: os.Getenv})
	if err != nil {
		h.t.Fatal(err)
	}
	return report
}

func TestGitHistory(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	var commits []map[string]string
	for i := range 500 {
		commits = append(commits, map[string]string{"HANDOFF.md": pear(i % 200), "main.go": fmt.Sprint(i)})
	}
	h.repository("shop", commits...)
	h.refresh()
	if diff := cmp.Diff(index.GitReport{Repositories: 1, Versions: 200, New: 199}, h.takeGit()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	h.refresh()
	if n := h.search("pear limit:0").Total; n != 200 {
		t.Errorf("%d versions are found, want 200", n)
	}
	h.expectGoals("is:latest", "pear 99")
	version := h.search(`"pear 98"`).Hits
	if len(version) != 1 || len(version[0].Revision) != 40 || version[0].VersionOf != h.path("shop/HANDOFF.md") || version[0].Date.Format("2006-01-02") != "2026-04-09" {
		t.Errorf("version: %+v", version)
	}
	before := h.ids()
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := cmp.Diff(before, h.ids()); diff != "" {
		t.Errorf("ids after a full build (-before +after):\n%s", diff)
	}
	if report := h.takeGit(); report.New != 0 || report.Versions != 200 {
		t.Errorf("taken again: %+v", report)
	}
	h.whole()
}

// What was a handoff by its path is taken from every branch, also where it was
// removed; nothing else is.
func TestGitHistoryTakesHandoffsOnly(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	h.repository("shop",
		map[string]string{"HANDOFF.md": pear(1), "docs/notes.md": "# Notes\n", "a b/HANDOFF.md": pear(2), "skills/x/HANDOFF.md": pear(3), "empty/HANDOFF.md": "\n"},
		map[string]string{"HANDOFF.md": "", "README.md": "handoff"},
		map[string]string{"HANDOFF.md": pear(4)},
	)
	h.gitIn("shop", "", "checkout", "-q", "-b", "side", "HEAD~2")
	h.write("shop/HANDOFF.md", pear(5))
	h.gitIn("shop", "", "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-q", "-am", "x")
	h.gitIn("shop", "", "checkout", "-q", "main")
	report := h.takeGit()
	if report.Versions != 4 || len(report.Troubles) > 0 {
		t.Errorf("report: %+v", report)
	}
	h.refresh()
	var got []string
	for _, hit := range h.search("pear").Hits {
		got = append(got, hit.Goal+" "+strings.TrimPrefix(hit.VersionOf, h.root))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"pear 1 /shop/HANDOFF.md", "pear 2 ", "pear 4 ", "pear 5 /shop/HANDOFF.md"}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestGitTroubles(t *testing.T) {
	h := newArchive(t)
	h.repository("good", map[string]string{"HANDOFF.md": pear(1)}, map[string]string{"HANDOFF.md": pear(2)})
	h.gitIn("good", "", "clone", "-q", "--bare", ".", h.path("bare.git"))
	h.gitIn("good", "", "clone", "-q", "--depth", "1", "file://"+h.path("good"), h.path("shallow"))
	h.write("headless/.git/config", "")
	h.write("nowhere/.git", "gitdir: /nonexistent\n")
	if err := os.MkdirAll(h.path("no-repository/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	report := h.takeGit()
	var troubles []string
	for _, trouble := range report.Troubles {
		reason, _, _ := strings.Cut(trouble.Reason, ":")
		troubles = append(troubles, strings.TrimPrefix(trouble.Path, h.root+"/")+": "+reason)
	}
	want := []string{"bare.git: a bare git repository", "headless: git", "nowhere: git", "shallow: a shallow clone"}
	if diff := cmp.Diff(want, troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
	if report.Versions != 3 {
		t.Errorf("report: %+v", report)
	}
	none, err := h.ImportGit(t.Context(), h.roots(), index.GitOptions{Getenv: func(string) string { return "" }})
	if err != nil || none.Repositories != 4 {
		t.Errorf("without a PATH: %+v %v", none, err)
	}
	t.Setenv("PATH", t.TempDir())
	for _, trouble := range h.takeGit().Troubles[1:] {
		if trouble.Reason != "git is not installed" && !strings.HasPrefix(trouble.Reason, "a shallow clone") {
			t.Errorf("without git: %+v", trouble)
		}
	}
}

// A repository that came with a download must not run anything.
func TestGitRunsNothing(t *testing.T) {
	h := newArchive(t)
	h.repository("shop", map[string]string{"HANDOFF.md": pear(1), ".gitattributes": "*.md diff=x filter=x\n"}, map[string]string{"HANDOFF.md": pear(2)})
	commitMissing(h)
	trap, run := makeTrap(h)
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "pager.cat-file", "core.sshCommand", "core.editor", "core.askPass", "core.alternateRefsCommand",
		"diff.external", "diff.x.command", "diff.x.textconv", "filter.x.smudge", "filter.x.clean", "filter.x.process", "gpg.program", "gpg.ssh.program",
		"gpg.x509.program", "credential.helper", "core.gitProxy", "uploadpack.packObjectsHook",
	} {
		h.gitIn("shop", "", "config", key, run)
	}
	for _, pair := range [][2]string{
		{"log.showSignature", "true"},
		{"alias.log", "!" + run},
		{"alias.cat-file", "!" + run},
		{"color.ui", "always"},
		{"diff.relative", "true"},
		{"extensions.partialClone", "evil"},
		{"core.repositoryFormatVersion", "1"},
		{"remote.evil.url", "ext::" + run},
		{"remote.evil.promisor", "true"},
		{"protocol.ext.allow", "always"},
	} {
		h.gitIn("shop", "", "config", pair[0], pair[1])
	}
	noErr(t, os.MkdirAll(h.path("shop/.git/hooks"), 0o755))
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"} {
		if err := os.Symlink(run, h.path("shop/.git/hooks/"+hook)); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_EXTERNAL_DIFF", run)
	t.Setenv("GIT_PAGER", run)
	t.Setenv("GIT_DIR", h.path("elsewhere"))
	if report := h.takeGit(); report.Versions != 2 || len(report.Troubles) > 0 {
		t.Errorf("report: %+v", report)
	}
	if _, err := os.Lstat(trap); err == nil {
		t.Error("the repository ran a program")
	}
}

// commitMissing makes a branch with a signed commit, of a file that must be fetched.
func commitMissing(h *house) {
	h.t.Helper()
	tree := h.gitIn("shop", "100644 blob "+strings.Repeat("ab", 20)+"\tHANDOFF.md\n", "mktree", "--missing")
	who := "n <n@example.org> 1767225600 +0000\n"
	signed := "tree " + tree + "\nauthor " + who + "committer " + who +
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\nx\n"
	h.gitIn("shop", "", "update-ref", "refs/heads/signed", h.gitIn("shop", signed, "hash-object", "-t", "commit", "-w", "--stdin"))
}

// makeTrap writes a program, run, that leaves the file trap where it is run.
func makeTrap(h *house) (trap, run string) {
	h.t.Helper()
	trap, run = h.path("trap"), filepath.Join(realTemp(h.t), "run")
	if err := os.WriteFile(run, []byte("#!/bin/sh\ntouch "+trap+"\n"), 0o700); err != nil {
		h.t.Fatal(err)
	}
	return trap, run
}

// A git that does not know GIT_NO_LAZY_FETCH fetches what is missing, so no transport
// may have a name that it is allowed to use, nor an alias.
func TestOldGitRunsNothing(t *testing.T) {
	h := newArchive(t)
	h.repository("shop", map[string]string{"HANDOFF.md": pear(1)}, map[string]string{"HANDOFF.md": pear(2)})
	commitMissing(h)
	trap, run := makeTrap(h)
	for _, pair := range [][2]string{
		{"extensions.partialClone", "evil"},
		{"core.repositoryFormatVersion", "1"},
		{"remote.evil.promisor", "true"},
		{"remote.evil.url", "x"},
		{"alias.remote-none", "!" + run},
		{"alias.remote-", "!" + run},
	} {
		h.gitIn("shop", "", "config", pair[0], pair[1])
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	bin := realTemp(t)
	wrapper := "#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec " + git + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, transport := range []string{"none", "", "ext", "file"} {
		h.gitIn("shop", "", "config", "remote.evil.vcs", transport)
		h.takeGit()
		if _, err := os.Lstat(trap); err == nil {
			t.Fatalf("the transport %q ran a program", transport)
		}
	}
}

func TestGitNeedsAnArchive(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, err := h.ImportGit(t.Context(), h.roots(), index.GitOptions{Getenv: os.Getenv})
	if err == nil || !strings.Contains(err.Error(), "no earlier versions are kept") {
		t.Errorf("error: %v", err)
	}
}
