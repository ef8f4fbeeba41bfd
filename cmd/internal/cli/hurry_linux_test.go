package cli_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A disk that is slow does not keep a session from being told: what cannot be looked
// at again in time is read as far as it is new.
func TestBriefOnASlowDisk(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is needed to slow system calls down")
	}
	if testing.Short() {
		t.Skip("waits for what is slow")
	}
	t.Parallel()
	d := newDesk(t)
	d.put(t, ".git/HEAD", "ref: refs/heads/main\n")
	args := []string{"-f", "--seccomp-bpf", "-qq", "-o", filepath.Join(d.home, "trace")}
	for i := range 60 {
		dir := fmt.Sprintf("docs/handoffs/%02d", i)
		d.put(t, dir+"/2026-02-01-prices.md", handoffText)
		args = append(args, "-P", filepath.Join(d.project, dir))
	}
	d.must(t, "index")
	const calls = "?lstat,?newfstatat"
	program := d.command(t, "brief", "--timeout", "8s", d.project)
	cmd := exec.CommandContext(t.Context(), "strace", append(append(args, "-e", "trace="+calls, "-e", "inject="+calls+":delay_enter=200000"), program.Args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = program.Env, program.Dir, &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	if strings.Contains(stderr.String(), "PTRACE") {
		t.Skipf("strace cannot trace here: %s", &stderr)
	}
	note := "it takes longer than there is time for" + anewForThis
	if took := time.Since(began); err != nil || !strings.Contains(stdout.String(), "│ Write the price rules") || !strings.HasSuffix(stderr.String(), note) || took > 12*time.Second {
		t.Errorf("%v after %v\n%s%s", err, took, &stdout, &stderr)
	}
}

// An index that cannot be written does not make a session wait for what it lacks.
func TestBriefFromAReadOnlyPlace(t *testing.T) {
	p := newPlace(t, "4m")
	p.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	p.search(3, "")
	p.remount(syscall.MS_RDONLY)
	p.save(t, "HANDOFF.md", handoffText)
	out, _ := p.briefed(t, strings.NewReader(""), "--timeout", "20s", "--index", p.index)
	if !strings.Contains(out.stdout, "│ Write the price rules") || out.stderr != "handex: note: refresh index: "+p.index+" cannot be written"+anewForThis {
		t.Errorf("%+v", out)
	}
}
