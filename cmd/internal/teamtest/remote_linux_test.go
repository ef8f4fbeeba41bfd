package teamtest_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A remote is a bare repository, and how machines reach it.
type remote struct {
	dir, url  string
	env       []string // that the users' programs need to reach it
	gitConfig string   // that the users' git needs
	line      *line    // the network on the way; nil if there is none
}

// tracked is a handoff that came with the repository, written by somebody else.
const tracked = "docs/handoffs/2026-01-01-tracked.md"

// newRemote returns a repository with one commit on main, reached by a file URL.
func newRemote(tb testing.TB) *remote {
	tb.Helper()
	dir := filepath.Join(realTemp(tb), "acme", "webshop.git")
	r := &remote{dir: dir, url: "file://" + dir}
	plainGit(tb, "/", nil, "init", "-q", "--bare", "-b", "main", dir)
	plainGit(tb, dir, nil, "config", "http.receivepack", "true")
	f := forge{tb, dir}
	docs := f.tree(entry{"40000", "docs", f.tree(entry{"40000", "handoffs", f.tree(entry{"100644", filepath.Base(tracked), f.blob([]byte(note(1, 0, "tracked")))})})},
		entry{"100644", "README.md", f.blob([]byte("# Shop\n"))})
	f.ref("refs/heads/main", f.commit(docs))
	return r
}

// transports are the ways to a remote.
var transports = []struct {
	name string
	by   func(*remote, testing.TB)
}{
	{"file", func(*remote, testing.TB) {}}, //nolint:thelper // as the methods below
	{"http", (*remote).overHTTP},
	{"ssh", (*remote).overSSH},
}

// overHTTP has a server of HTTP stand before the remote; it wants a password, which the
// user's helper for credentials knows.
func (r *remote) overHTTP(tb testing.TB) {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "git", "--exec-path").Output()
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, missing := os.Stat(backend); err != nil || missing != nil {
		tb.Skipf("git http-backend is not installed: %v %v", err, missing)
	}
	root := filepath.Dir(filepath.Dir(r.dir))
	program := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null"}, InheritEnv: []string{"PATH"}, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if user, password, _ := req.BasicAuth(); user != "team" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="acme"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		// The program of the server cannot read a body without a length.
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		req.Body, req.ContentLength, req.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		program.ServeHTTP(w, req)
	}))
	tb.Cleanup(server.Close)
	r.line = newLine(tb, func() (io.ReadWriteCloser, error) {
		return (&net.Dialer{}).DialContext(tb.Context(), "tcp", server.Listener.Addr().String())
	})
	r.url = "http://" + r.line.address() + "/acme/webshop.git"
	r.gitConfig = "[credential]\nhelper = \"!f() { echo username=team; echo password=secret; }; f\"\n"
}

const sshdConfig = `HostKey %[1]s/host
AuthorizedKeysFile %[1]s/user.pub
PasswordAuthentication no
StrictModes no
UsePAM no
MaxStartups 100
PidFile none
`

const sshConfig = `Host *
IdentityFile %[1]s/user
IdentitiesOnly yes
UserKnownHostsFile %[1]s/known
BatchMode yes
`

// overSSH has sshd stand before the remote: one for each connection, as inetd does it.
func (r *remote) overSSH(tb testing.TB) {
	tb.Helper()
	sshd, ssh := needProgram(tb, "sshd"), needProgram(tb, "ssh")
	dir := realTemp(tb)
	for _, name := range []string{"host", "user"} {
		if out, err := exec.CommandContext(tb.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			tb.Skipf("ssh-keygen: %v\n%s", err, out)
		}
	}
	r.line = newLine(tb, func() (io.ReadWriteCloser, error) {
		return startPiped(exec.CommandContext(tb.Context(), sshd, "-i", "-f", filepath.Join(dir, "sshd_config")))
	})
	host, err := os.ReadFile(filepath.Join(dir, "host.pub"))
	if err != nil {
		tb.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(r.line.address())
	// ssh looks for its settings in the home folder of the account, whatever HOME says.
	for name, text := range map[string]string{
		"sshd_config": fmt.Sprintf(sshdConfig, dir), "ssh_config": fmt.Sprintf(sshConfig, dir),
		"known": fmt.Sprintf("[127.0.0.1]:%s %s", port, host), "bin/ssh": fmt.Sprintf("#!/bin/sh\nexec %s -F %s/ssh_config \"$@\"\n", ssh, dir),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	r.env = []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")}
	r.url = "ssh://" + r.line.address() + r.dir
	probe := exec.CommandContext(tb.Context(), filepath.Join(dir, "bin", "ssh"), "-p", port, "127.0.0.1", "git --version")
	if out, err := probe.CombinedOutput(); err != nil {
		tb.Skipf("sshd does not serve this user: %v\n%s", err, out)
	}
}

func needProgram(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	if err != nil {
		tb.Skip(name + " is not installed")
	}
	return path
}

// refs returns the refs of the remote with their commits.
func (r *remote) refs(tb testing.TB) map[string]string {
	tb.Helper()
	refs := map[string]string{}
	for line := range strings.Lines(plainGit(tb, r.dir, nil, "for-each-ref", "--format=%(refname) %(objectname)")) {
		name, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs[name] = commit
	}
	return refs
}
