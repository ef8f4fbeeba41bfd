package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
)

// A canary is something a repository's own files can name that git runs: lines of
// .git/config, where $RUN is a program that leaves a file behind.
type canary struct{ name, config string }

var canaries = []canary{
	{"core.fsmonitor", "[core]\nfsmonitor = $RUN\n"},
	{"core.hooksPath", "[core]\nhooksPath = $HOOKS\n"},
	{"core.pager", "[core]\npager = $RUN\n[pager]\nlog = $RUN\nstatus = $RUN\nconfig = $RUN\n[color]\nui = always\npager = true\n"},
	{"core.editor", "[core]\neditor = $RUN\n[sequence]\neditor = $RUN\n"},
	{"core.askPass", "[core]\naskPass = $RUN\n[credential]\nhelper = $RUN\nhelper = !$RUN\n"},
	{"core.sshCommand", "[core]\nsshCommand = $RUN\ngitProxy = $RUN\n" + partial("ssh://evil.invalid/x", "")},
	{"core.alternateRefsCommand", "[core]\nalternateRefsCommand = $RUN\n"},
	{"core.worktree", "[core]\nworktree = $ELSEWHERE\nfsmonitor = $RUN\n"},
	{"diff.external", "[diff]\nexternal = $RUN\n"},
	{"diff.x", "[diff \"x\"]\ntextconv = $RUN\ncommand = $RUN\ncachetextconv = true\n[diff]\nrelative = true\nsubmodule = log\n"},
	{"filter.x", "[filter \"x\"]\nclean = $RUN\nsmudge = $RUN\nrequired = true\n"},
	{"filter.x.process", "[filter \"x\"]\nprocess = $RUN\nrequired = true\n"},
	{"merge.x", "[merge \"x\"]\ndriver = $RUN\n[mergetool \"x\"]\ncmd = $RUN\n" +
		"[difftool \"x\"]\ncmd = $RUN\n[interactive]\ndiffFilter = $RUN\n"},
	{"gpg", "[gpg]\nprogram = $RUN\n[gpg \"ssh\"]\nprogram = $RUN\n[gpg \"x509\"]\nprogram = $RUN\n" +
		"[log]\nshowSignature = true\n[commit]\ngpgSign = true\n"},
	{"trailer", "[trailer \"x\"]\ncommand = $RUN\ncmd = $RUN\n"},
	{"alias", aliases()},
	{"promisor, file", partial("$ELSEWHERE", "uploadpack = $RUN\n")},
	{"promisor, ext", partial("ext::$RUN", "") + "[protocol]\nallow = always\n[protocol \"ext\"]\nallow = always\n"},
	{"promisor, vcs", partial("x", "vcs = none\n") +
		"[alias]\nremote-none = !$RUN\nremote- = !$RUN\nremote-ext = !$RUN\nremote-file = !$RUN\n"},
	{"promisor, no vcs", partial("x", "vcs = \n") + "[alias]\nremote- = !$RUN\n"},
	{"upload", "[uploadpack]\npackObjectsHook = $RUN\n[receive]\nprocReceiveRefs = refs\n[tar \"x\"]\ncommand = $RUN\n"},
	{"submodule", "[submodule \"sub\"]\nupdate = !$RUN\nurl = ext::$RUN\nactive = true\n" +
		"[status]\nsubmoduleSummary = true\n[submodule]\nrecurse = true\n"},
	{"include", "[include]\npath = $INCLUDED\n[includeIf \"gitdir:**\"]\npath = $INCLUDED\n"},
	{"hooks", ""},
}

func partial(url, more string) string {
	return "[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = evil\n[remote \"evil\"]\npromisor = true\n" +
		"url = " + url + "\n" + more
}

func aliases() string {
	text := "[alias]\n"
	for name := range strings.FieldsSeq("log status config cat-file ls-files rev-list diff-tree check-attr fetch remote-evil") {
		text += name + " = !$RUN\n"
	}
	return text
}

// hookNames are those that git knows.
var hookNames = strings.Fields("applypatch-msg commit-msg fsmonitor-watchman post-checkout post-commit post-index-change " +
	"post-merge post-rewrite pre-auto-gc pre-commit pre-merge-commit prepare-commit-msg pre-push pre-rebase " +
	"reference-transaction sendemail-validate update push-to-checkout")

// A mine is an office with a repository that has canaries.
type mine struct {
	office
	dir, traps, bin, git string
}

// newMine returns a copy of a repository, with canaries. git is the git that is
// installed, called by a program that notes how, and hides from it what hide names.
func newMine(t *testing.T, bare *mine, list []canary, hide string) *mine {
	t.Helper()
	m := &mine{newOffice(t), "", t.TempDir(), t.TempDir(), bare.git}
	m.now, m.dir = settled(), filepath.Join(m.tree, "shop")
	m.write(t, filepath.Join(m.bin, "git"), 0o700, "#!/bin/sh\nunset NOTHING "+hide+"\necho \"$@\" >>"+m.bin+"/calls\nexec "+m.git+" \"$@\"\n")
	if err := os.CopyFS(m.dir, os.DirFS(bare.dir)); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Hour) // commits since then are counted
	for _, name := range []string{"HANDOFF.md", "docs/handoffs/one.md", "docs/handoffs/two.md"} {
		if err := os.Chtimes(filepath.Join(m.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	m.plant(t, list)
	return m
}

// newBareMine makes the repository that those with canaries are copies of.
func newBareMine(t *testing.T) *mine {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	m := &mine{dir: t.TempDir(), git: git}
	for name, text := range map[string]string{
		"HANDOFF.md": "# Handoff\n\n## Next\n\n- peel the pear\n", "docs/handoffs/one.md": "# Handoff\n\n## Next\n\n- sell the pear\n",
		".gitattributes": "*.md diff=x filter=x merge=x\n", ".gitmodules": "[submodule \"sub\"]\npath = sub\nurl = ./sub\n", "included": "",
	} {
		m.write(t, filepath.Join(m.dir, name), 0o600, text)
	}
	testkit.Git(t, m.dir, "init", "-q", "-b", "main")
	testkit.Git(t, m.dir, "add", "-A")
	testkit.Git(t, m.dir, "commit", "-q", "-m", "one")
	m.write(t, filepath.Join(m.dir, "HANDOFF.md"), 0o600, "# Handoff\n\n## Next\n\n- eat the pear\n")
	testkit.Git(t, m.dir, "commit", "-q", "-a", "-m", "two")
	m.commitMissing(t)
	m.write(t, filepath.Join(m.dir, "docs/handoffs/two.md"), 0o600, "# Handoff\n\n## Next\n\n- plant the pear\n")
	m.write(t, filepath.Join(m.dir, "docs/handoffs/one.md"), 0o600, "# Handoff\n\n## Next\n\n- give the pear away\n")
	return m
}

func (m *mine) write(t *testing.T, path string, mode os.FileMode, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// commitMissing makes a branch with a signed commit of a content that must be fetched.
func (m *mine) commitMissing(t *testing.T) {
	t.Helper()
	run := func(stdin string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), m.git, args...)
		cmd.Dir, cmd.Stdin = m.dir, strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	tree := run("100644 blob "+strings.Repeat("ab", 20)+"\tHANDOFF.md\n", "mktree", "--missing")
	who := "n <n@example.org> 1767225600 +0000\n"
	signed := "tree " + tree + "\nauthor " + who + "committer " + who +
		"gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\nx\n"
	run("", "update-ref", "refs/heads/signed", run(signed, "hash-object", "-t", "commit", "-w", "--stdin"))
}

// trap writes a program that leaves a file behind, and returns its path.
func (m *mine) trap(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(m.traps, strings.NewReplacer(" ", "-", ",", "").Replace(name))
	m.write(t, path, 0o700, "#!/bin/sh\ntouch \"$0.ran\"\n")
	return path
}

func (m *mine) plant(t *testing.T, list []canary) {
	t.Helper()
	config, included := "", ""
	hooks := filepath.Join(m.traps, "hookdir")
	for _, c := range list {
		run := m.trap(t, c.name)
		text := strings.NewReplacer("$RUN", run, "$HOOKS", hooks, "$INCLUDED", filepath.Join(m.dir, "included"),
			"$ELSEWHERE", m.traps).Replace(c.config)
		config += text
		if c.name != "include" && c.name != "core.worktree" {
			included += text
		}
		if c.name != "hooks" && c.name != "core.hooksPath" {
			continue
		}
		for _, name := range hookNames {
			m.write(t, filepath.Join(m.dir, ".git", "hooks", name), 0o700, "#!/bin/sh\ntouch "+run+".ran\n")
			m.write(t, filepath.Join(hooks, name), 0o700, "#!/bin/sh\ntouch "+run+".ran\n")
		}
	}
	m.write(t, filepath.Join(m.dir, "included"), 0o600, included)
	file, err := os.OpenFile(filepath.Join(m.dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("\n" + config)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
}

// ran lists the canaries that were run.
func (m *mine) ran(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(m.traps, "*.ran"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".ran"))
	}
	return names
}

func (m *mine) environ() []string {
	env := slices.DeleteFunc(m.env(), func(v string) bool { return strings.HasPrefix(v, "PATH=") })
	trap := m.traps + "/env"
	return append(env, "PATH="+m.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GIT_EXTERNAL_DIFF="+trap, "GIT_PAGER="+trap, "GIT_SSH="+trap, "GIT_ASKPASS="+trap,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0="+trap)
}

// handexCalls are commands of handex that run git, or could.
var handexCalls = [][]string{
	{"index", "--full"},
	{"index", "--git"},
	{"search", "pear"},
	{"latest"},
	{"show", "HANDOFF.md"},
	{"diff", "HANDOFF.md"},
	{"brief", "--timeout", "1m"},
	{"brief", "--timeout", "1m", "--for", "claude", "."},
	{"trust"},
	{"brief", "--timeout", "1m"},
	{"trust", "--list"},
	{"untrust"},
	{"report", "--since", "2020-01-01"},
	{"status"},
	{"doctor"},
	{"why", "HANDOFF.md"},
	{"write", "--as", "flow-guardian", "--save", "--hook", "--dir", "."},
	{"write", "--as", "act-md", "--save", "--hook", "--dir", "."},
	{"mcp"},
}

// work runs all that runs git in the repository.
func (m *mine) work(t *testing.T) {
	t.Helper()
	for _, args := range handexCalls {
		cmd := exec.CommandContext(t.Context(), "handex", args...)
		cmd.Dir, cmd.Env = m.dir, m.environ()
		if args[0] == "mcp" {
			cmd.Stdin = strings.NewReader(mcpCalls)
		}
		out, err := cmd.CombinedOutput()
		if testing.Verbose() {
			t.Logf("%q: %v\n%s", args, err, out)
		}
	}
}

// mcpCalls ask a server for what it runs git for.
var mcpCalls = func() string {
	text := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for i, call := range []string{`"show","arguments":{"path":"HANDOFF.md"}`, `"briefing","arguments":{}`, `"search","arguments":{"query":"pear"}`} {
		text += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`, i+2, call) + "\n"
	}
	return text
}()

// A repository's own files make git run nothing, under the git that is installed and
// under one that does not know the newer variables: no command of handex runs one of the
// programs that they name.
func TestCanaries(t *testing.T) {
	t.Parallel()
	groups := [][]canary{canaries}
	isLoud := func(c canary) bool { // hides what others do
		loud := []string{"core.hooksPath", "core.worktree", "diff.external", "filter.x.process", "alias"}
		return slices.Contains(loud, c.name) || strings.HasPrefix(c.name, "promisor")
	}
	groups = append(groups, slices.DeleteFunc(slices.Clone(canaries), isLoud))
	for i := range canaries {
		if testkit.Long() {
			groups = append(groups, canaries[i:i+1])
		}
	}
	bare, calls := newBareMine(t), ""
	for i, group := range groups {
		for _, hide := range []string{"GIT_NO_LAZY_FETCH GIT_OPTIONAL_LOCKS GIT_NO_REPLACE_OBJECTS GIT_ATTR_NOSYSTEM", ""} {
			if hide == "" && i > 0 && !testkit.Long() {
				continue // what an old git does not run, a new one, which is told more, does not
			}
			m := newMine(t, bare, group, hide)
			m.trap(t, "env")
			m.work(t)
			if ran := m.ran(t); len(ran) > 0 {
				t.Errorf("of %d canaries from %s on, without %q, these ran: %q", len(group), group[0].name, hide, ran)
			}
			text, err := os.ReadFile(filepath.Join(m.bin, "calls"))
			if err != nil {
				t.Fatal(err)
			}
			calls += string(text)
		}
	}
	for _, word := range []string{"status", "log", "ls-files", "cat-file", "rev-list", "diff-tree", "check-attr", "config"} {
		if !strings.Contains(calls, " "+word+" ") {
			t.Errorf("git %s was never run", word)
		}
	}
}

// The canaries sing: a git that is run without care runs them.
func TestCanariesSing(t *testing.T) {
	t.Parallel()
	testkit.NeedsLong(t)
	bare, sang := newBareMine(t), map[string]bool{}
	for i := range canaries {
		m := newMine(t, bare, canaries[i:i+1], "")
		for _, args := range [][]string{
			{"status"},
			{"diff"},
			{"log", "-p", "--all"},
			{"-p", "log", "-1"},
			{"add", "-A"},
			{"commit", "-m", "x"},
			{"checkout", "-f", "HEAD~1"},
			{"cat-file", "-p", "signed:HANDOFF.md"},
			{"fetch", "evil"},
			{"stash"},
		} {
			cmd := exec.CommandContext(t.Context(), m.git, args...)
			cmd.Dir, cmd.Env = m.dir, append(m.env(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			_ = cmd.Run()
		}
		if len(m.ran(t)) > 0 {
			sang[canaries[i].name] = true
		}
	}
	for _, name := range []string{
		"core.fsmonitor", "core.hooksPath", "core.sshCommand", "diff.external", "diff.x", "filter.x", "filter.x.process", "gpg",
		"promisor, file", "promisor, ext", "promisor, vcs", "hooks",
	} {
		if !sang[name] {
			t.Errorf("%s does not run", name)
		}
	}
	t.Logf("%d of %d", len(sang), len(canaries))
}
