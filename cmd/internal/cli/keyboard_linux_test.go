package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCompletionAtTheKeyboard types command lines into real shells, presses Tab
// and looks at what the finished command was.
func TestCompletionAtTheKeyboard(t *testing.T) {
	t.Parallel()
	tests := []struct{ typed, want string }{
		{"handex explain --tree project:cr\t", "(project crew)"},
		{"handex explain --tree project:my\t", `(project = "my shop")`},
		{"handex explain --tree 'project:cr\t", "(project crew)"},
		{"handex explain --tree -is:escal\t", "(not (is escalated))"},
		{"handex expl\t--tr\t statu\tblocked,pen\t", "(or (status blocked) (status pending))"},
		{"handex explain --tree token project:'s\t", "(and (word token) (project shop))"},
	}
	for _, shell := range []struct{ name, start, flags string }{
		{"bash", "source <(handex completion bash)", "--noprofile --norc -i"},
		{"zsh", "autoload -U compinit; compinit -u; source <(handex completion zsh)", "-f -i"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			path, err := exec.LookPath(shell.name)
			if err != nil {
				t.Skip(shell.name + " is not here")
			}
			k := openKeyboard(t, path, strings.Fields(shell.flags)...)
			k.enter(t, shell.start+"; echo rea''dy", "ready")
			for _, test := range tests {
				k.enter(t, test.typed, test.want)
			}
		})
	}
}

// TestBatchFromTheKeyboard: nobody types queries into a search.
func TestBatchFromTheKeyboard(t *testing.T) {
	t.Parallel()
	k := openKeyboard(t, "/bin/sh", "-i")
	k.enter(t, "handex search - ; echo rc=$?", "use | or <, with one query per line: handex search - < queries.txt\r\nrc=2")
}

// TestWatchShowsTheFirstBuild: the bar goes before anything else is told.
func TestWatchShowsTheFirstBuild(t *testing.T) {
	t.Parallel()
	k := openKeyboard(t, "/bin/sh", "-i")
	k.enter(t, "handex watch --index fresh token", "] 7 of 7\r\x1b[Khandex: note: watching ")
}

// TestPick chooses with keys: the second of those that a word leaves, several, one
// to open, and none.
func TestPick(t *testing.T) {
	t.Parallel()
	k := openKeyboard(t, "/bin/sh", "-i")
	k.enter(t, "export TERM=xterm EDITOR=\"grep -h purpose\"; echo rea''dy", "ready")
	k.enter(t, "handex pick token sort:date --format '{{.goal}}'; echo rc=$?", "rc=2")
	k.enter(t, "handex pick token; echo rc=$?", "Enter: print its id")
	k.enter(t, "\r", "rc=0")
	k.enter(t, "handex pick token --paths; echo rc=$?", "Enter: print its id")
	k.enter(t, "\r", "-bbbb2222.md\r\n")
	k.enter(t, "handex pick count-by:project; echo rc=$?", "remove what counts or groups them")
	k.enter(t, "handex pick proj:nothere; echo rc=$?", "rc=1")
	k.enter(t, "handex pick token; echo rc=$?", "Enter: print its id")
	k.enter(t, "Shoppers\x0f", "rc=0")
	k.enter(t, "handex pick token; echo rc=$?", "Enter: print its id")
	k.enter(t, "\x03", "rc=130")
}

// TestNamesAndTextsAtTheTerminal: text of files and names of folders are shown, also on a
// terminal that says it is 0 cells wide.
func TestNamesAndTextsAtTheTerminal(t *testing.T) {
	t.Parallel()
	k := openKeyboard(t, "/bin/sh", "-i")
	k.enter(t, `d=$(printf 'pear\033]52;c;eA==\007'); mkdir "$d"; cd "$d"; echo rea''dy`, "ready")
	k.enter(t, `printf '# Handoff\n\npurpose: x\n\n## Next\n\n- \033]52;c;eA==\007\n' >HANDOFF.md; echo rea''dy`, "ready")
	for _, size := range []string{"80", "0"} {
		k.enter(t, "stty cols "+size+" rows "+size+"; echo rea''dy", "ready")
		for _, command := range []string{
			"path --as flow-guardian", "show --raw HANDOFF.md --root .", "update now=x", "search --root . -0",
			"search --root . --paths", "search --root . --jq '.hits[0].path'", "search --root . --jsonl",
		} {
			want := "^[]52;c;eA==^G"
			if strings.Contains(command, "jsonl") {
				want = `\u001b]52;c;eA==\u0007`
			}
			k.enter(t, "handex "+command, want)
		}
	}
}

// keyboard is a terminal with a shell behind it.
type keyboard struct {
	tty  *os.File
	seen chan string
}

// openKeyboard starts a shell where the projects of testdata/tree and one with
// a blank in its name are indexed.
func openKeyboard(t *testing.T, shell string, flags ...string) *keyboard {
	t.Helper()
	work, home := t.TempDir(), t.TempDir()
	if err := os.CopyFS(work, os.DirFS("testdata/tree")); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(work, "my shop", "handoffs")
	for _, dir := range []string{odd, filepath.Join(work, "my shop", ".git"), filepath.Join(work, "shop", ".git"), filepath.Join(work, "crew", ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(odd, "2026-02-01-cccc3333.md"), []byte("# Handoff\n\npurpose: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "HANDEX_ROOTS="+work,
		"PS1=$ ", "TERM=dumb", "HANDEX_PAGER=cat", "TZ=UTC")
	index := exec.CommandContext(t.Context(), "handex", "search", "-q")
	index.Env = env
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return startTerminal(t, env, shell, flags...)
}

func startTerminal(t *testing.T, env []string, shell string, flags ...string) *keyboard {
	t.Helper()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	if err := unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 200}); err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, flags...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = end, end, end, env, t.TempDir()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = end.Close()
	k := &keyboard{tty, make(chan string, 1000)}
	go k.look()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
	})
	return k
}

// look reads the screen until the shell ends.
func (k *keyboard) look() {
	defer close(k.seen)
	text := make([]byte, 4096)
	for {
		n, err := k.tty.Read(text)
		if err != nil {
			return
		}
		k.seen <- string(text[:n])
	}
}

// enter types a line and waits until the screen shows what is wanted.
func (k *keyboard) enter(t *testing.T, typed, want string) {
	t.Helper()
	for _, key := range strings.SplitAfter(typed, "\t") {
		if _, err := k.tty.WriteString(key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := k.tty.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	limit := time.After(20 * time.Second)
	var screen strings.Builder
	for !strings.Contains(screen.String(), want) {
		select {
		case text, ok := <-k.seen:
			if !ok {
				t.Fatalf("typed %q: the shell ended; the screen shows %q", typed, screen.String())
			}
			screen.WriteString(text)
		case <-limit:
			t.Fatalf("typed %q: want %q, the screen shows %q", typed, want, screen.String())
		}
	}
}
