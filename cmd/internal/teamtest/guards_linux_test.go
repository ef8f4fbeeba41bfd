package teamtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/OWNER/handex/index/testkit"
)

func (m *machine) read(path string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.home, path))
	m.must2(err)
	return string(text)
}

// A push that the remote rejects, because somebody uses my name, is an error that says
// so, and does not replace what is there.
func TestNameInUse(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	first, second := newMachine(t, "ada@laptop", r), newMachine(t, "ada@laptop", r)
	first.must2(first.write("docs/handoffs/first.md", note(1, 1, "first")))
	second.must2(second.write("docs/handoffs/second.md", note(1, 1, "second")))
	first.must("team", "share", "--yes")
	refused := func(what string, got run) {
		t.Helper()
		if got.status != 2 || !strings.Contains(got.stderr, "ada@laptop") {
			t.Errorf("%s: no error that names the member: %v", what, got)
		}
	}
	before := r.refs(t)
	refused("share", second.try("team", "share", "--yes"))
	if now := r.refs(t); now["refs/handex/ada@laptop"] != before["refs/handex/ada@laptop"] {
		t.Error("the ref of the first machine was replaced")
	}
	// As if both had begun at once.
	plainGit(t, r.dir, nil, "update-ref", "-d", "refs/handex/ada@laptop")
	second.must("team", "share", "--yes")
	before = r.refs(t)
	first.must2(first.write("docs/handoffs/first.md", note(2, 2, "first")))
	refused("sync", first.try("team", "sync"))
	if now := r.refs(t); now["refs/handex/ada@laptop"] != before["refs/handex/ada@laptop"] {
		t.Error("the ref of the second machine was replaced")
	}
	second.must2(second.write("docs/handoffs/third.md", note(1, 1, "third")))
	second.must("team", "sync")
}

// A ref that was rewritten or deleted is reported and followed.
func TestRewrittenRefs(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
	a.must2(a.write("docs/handoffs/x.md", note(1, 1, "x")))
	a.must("team", "share", "--yes")
	b.must("team", "share", "--yes")
	b.must("team", "sync")
	b.mirrors(a)
	f := forge{t, r.dir}
	f.ref("refs/handex/ada@laptop", f.holding(claims("ada@laptop", claimOf(good, goodText)), f.path("100644", good, f.blob(goodText))))
	got := b.must("team", "sync")
	if !strings.Contains(got.stdout+got.stderr, "ada@laptop") || !strings.Contains(got.stdout+got.stderr, "rewritten") {
		t.Errorf("nothing is said of the ref that was rewritten: %v", got)
	}
	if have := b.mirrored("ada@laptop"); len(have) != 1 || have[good] != string(goodText) {
		t.Errorf("the mirror has %q", have)
	}
	plainGit(t, r.dir, nil, "update-ref", "-d", "refs/handex/ada@laptop")
	got = b.must("team", "sync")
	if !strings.Contains(got.stdout+got.stderr, "ada@laptop") {
		t.Errorf("nothing is said of the ref that was deleted: %v", got)
	}
	if dir := b.mirror("ada@laptop"); dir != "" {
		t.Errorf("the mirror is still there: %s", dir)
	}
	b.indexed("ada@laptop", 0)
}

// Unshared handoffs leave the remote and the other machines; here they stay.
func TestUnshare(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
	a.must2(a.write("docs/handoffs/x.md", note(1, 1, "x")))
	before := a.repository()
	a.must("team", "share", "--yes")
	b.must("team", "follow", r.url)
	b.must("team", "sync")
	b.mirrors(a)
	a.must("team", "unshare")
	if refs := r.refs(t); len(refs) != 1 {
		t.Errorf("the remote has the refs %q", refs)
	}
	b.must("team", "sync")
	b.indexed("ada@laptop", 0)
	a.must2(a.write("docs/handoffs/y.md", note(1, 1, "y")))
	a.must("team", "sync")
	if refs := r.refs(t); len(refs) != 1 {
		t.Errorf("a sync after unshare made the refs %q", refs)
	}
	a.unchanged(before)
	if strings.TrimSpace(a.must("search", "--count").stdout) != "3" { // the tracked one, too
		t.Error("handoffs of the own machine are gone")
	}
}

// What leaves a machine has no credentials in it, and no handoff that came with git.
func TestWhatLeaves(t *testing.T) {
	t.Parallel()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a" //nolint:gosec // an example of GitHub's documentation
	r := newRemote(t)
	a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
	text := note(1, 1, "x") + "\n- the token is " + secret + "\n"
	a.must2(a.write("docs/handoffs/x.md", text))
	a.must2(os.WriteFile(filepath.Join(a.home, "src", "HANDOFF.md"), []byte(note(1, 1, "another project")), 0o644))
	if got := a.try("team", "share"); got.status == 0 || len(r.refs(t)) != 1 {
		t.Errorf("shared without consent: %v", got)
	}
	got := a.must("team", "share", "--yes")
	for _, want := range []string{"docs/handoffs/x.md", r.url} {
		if !strings.Contains(got.stdout+got.stderr, want) {
			t.Errorf("what would leave is not shown, %q is missing: %v", want, got)
		}
	}
	id := strings.TrimSpace(a.must("search", "--ids", "title:x").stdout)
	a.must("ack", id, "-m", "with "+secret)
	a.must("team", "sync")
	b.must("team", "follow", r.url)
	b.must("team", "sync")
	have := b.mirrored("ada@laptop")
	if len(have) != 1 || !strings.HasPrefix(have["docs/handoffs/x.md"], note(1, 1, "x")) {
		t.Errorf("the mirror has %q", have)
	}
	objects := plainGit(t, r.dir, nil, "cat-file", "--batch-all-objects", "--batch", "--unordered")
	objects += allText(t, b.team("mirror"))
	if at := strings.Index(objects, secret); at >= 0 {
		t.Errorf("a credential has left the machine: %q", objects[max(0, at-300):at])
	}
	if strings.Contains(strings.Join(mapKeys(have), " "), "tracked") {
		t.Error("a handoff that came with git was sent")
	}
}

func mapKeys(m map[string]string) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

// A repository that names programs wherever git lets it runs none of them.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	a := newMachine(t, "ada@laptop", r)
	a.must2(a.write("docs/handoffs/x.md", note(1, 1, "x")))
	a.baitHooks()
	bait := "touch " + filepath.Join(a.home, "hook-ran") + ";"
	for _, setting := range []string{
		"core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.askPass", "core.pager", "core.editor", "core.alternateRefsCommand", "credential.helper",
		"remote.origin.uploadpack", "remote.origin.receivepack", "gpg.program", "uploadpack.packObjectsHook", "diff.external",
		"filter.x.clean", "filter.x.smudge", "alias.push", "alias.fetch", "alias.hash-object",
	} {
		value := bait
		if strings.HasPrefix(setting, "alias.") || setting == "credential.helper" {
			value = "!" + bait
		}
		a.git(a.clone, "config", setting, value)
	}
	a.must2(os.WriteFile(filepath.Join(a.clone, ".git", "info", "attributes"), []byte("* filter=x\n"), 0o644))
	before := a.repository()
	_ = os.Remove(filepath.Join(a.home, "hook-ran"))
	a.must("team", "share", "--yes")
	a.must("team", "sync")
	if _, err := os.Stat(filepath.Join(a.home, "hook-ran")); err == nil {
		t.Error("a program of the repository ran")
	}
	a.unchanged(before)
	for _, url := range []string{
		"ext::sh -c touch% " + a.home + "/hook-ran", "--upload-pack=touch " + a.home + "/hook-ran", "fd::0", "file::///x", "ssh://-oProxyCommand=touch/x",
		"-x@host:repo", "git://example.invalid/x", "transport::address", "http://user:pass word@127.0.0.1:1/x", "ftp://example.invalid/x.git",
	} {
		a.git(a.clone, "config", "remote.bad.url", url)
		for _, args := range [][]string{{"team", "share", "--yes", "--remote", "bad"}, {"team", "share", "--yes", "--remote=" + url}, {"team", "follow", "--", url}} {
			if got := a.try(args...); got.status != 2 {
				t.Errorf("%q is not refused: %v", url, got)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(a.home, "hook-ran")); err == nil {
		t.Error("a program named by a URL ran")
	}
}

// A remote that cannot be reached is an error that is soon there, and searches go on.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	r := newRemote(t)
	r.overHTTP(t)
	a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
	a.must2(a.write("docs/handoffs/x.md", note(1, 1, "x")))
	a.must("team", "share", "--yes")
	b.must("team", "follow", r.url)
	b.must("team", "sync")
	r.line.down.Store(true)
	a.must2(a.write("docs/handoffs/y.md", note(1, 1, "y")))
	for _, m := range []*machine{a, b} {
		if got := m.try("team", "sync"); got.status != 2 || !strings.Contains(got.stderr, "127.0.0.1") || strings.Contains(got.stderr, "secret") {
			t.Errorf("%v", got)
		}
	}
	b.indexed(a.member, 1)
	b.mirrored("ada@laptop")
	r.line.down.Store(false)
	a.must("team", "sync")
	b.must("team", "sync")
	b.mirrors(a)
}

// A full disk is reported, harms nothing, and what is missing comes with the next sync.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if out, err := exec.CommandContext(t.Context(), "unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here: %v\n%s", err, out)
	}
	for _, full := range []string{"mirror", "."} {
		t.Run(filepath.Base(full), func(t *testing.T) {
			t.Parallel()
			r := newRemote(t)
			a, b := newMachine(t, "ada@laptop", r), newMachine(t, "bob@desk", r)
			a.must2(a.write(good, note(1, 1, "x")))
			a.must("team", "share", "--yes")
			b.must("team", "follow", r.url)
			b.must("team", "sync")
			b.mirrors(a)
			for i := range 30 + testkit.Rounds(t, 0, 1000) {
				a.must2(a.write(a.anyPath(i), note(i, i, strings.Repeat("large ", 700))))
			}
			a.must("team", "sync")
			b.fill(t, full)
			b.mirrors(a)
			b.indexed(a.member, len(a.held))
			b.left()
		})
	}
}

// fill has a machine sync while the disk of one of its folders is full, and again when
// there is room.
func (m *machine) fill(t *testing.T, folder string) {
	t.Helper()
	script := `set -e
cp -a "$dir" "$dir.kept"
mount -t tmpfs -o size=$((64 + $(du -sk "$dir" | cut -f1)))k none "$dir"
cp -a "$dir.kept/." "$dir"
status=0; handex team sync || status=$?
test $status = 2
handex search --count member:ada@laptop >/dev/null
status=0; handex team sync || status=$?
test $status = 2
mount -o remount,size=1g "$dir"
handex team sync
rm -rf "$dir.kept"
cp -a "$dir" "$dir.kept"
umount "$dir"
rm -rf "$dir"
mv "$dir.kept" "$dir"
`
	cmd := exec.CommandContext(t.Context(), "unshare", "-rm", "sh", "-c", script)
	cmd.Dir, cmd.Env = m.clone, append(m.environ(), "dir="+m.team(folder))
	out, err := cmd.CombinedOutput()
	said := strings.ToLower(string(out))
	if err != nil || !strings.Contains(said, "no space left on device") && !strings.Contains(said, "the disk is full") {
		t.Fatalf("a full disk: %v\n%s", err, out)
	}
}
