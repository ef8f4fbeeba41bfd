package faults_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A disk that is slow does not keep a session from being told: what cannot be looked
// at again in time is read as far as it is new, or told as the index has it.
func TestBriefOnASlowDisk(t *testing.T) {
	needStrace(t)
	if testing.Short() {
		t.Skip("waits for what is slow")
	}
	t.Parallel()
	d := newDesk(t)
	d.put(t, ".git/HEAD", "ref: refs/heads/main\n")
	args := []string{"-f", "--seccomp-bpf", "-qq", "-o", filepath.Join(d.home, "trace")}
	for i := range 60 {
		dir := fmt.Sprintf("docs/handoffs/%02d", i)
		d.put(t, dir+"/2026-02-01-prices.md", "# Handoff: prices\n\n**Date**: 2026-02-01\n\n## Next steps\n- Write the price rules\n")
		args = append(args, "-P", filepath.Join(d.project, dir))
	}
	d.must(t, "index")
	for _, c := range []struct{ calls, note string }{
		{"?lstat,?newfstatat", "it takes longer than there is time for; the newest handoffs of the project are read anew for this run\n"},
		{"?lstat,?newfstatat,openat", "it takes longer than there is time for; this is from the index as it was\n"},
	} {
		program := d.command(t, "brief", "--timeout", "8s", d.project)
		cmd := exec.CommandContext(t.Context(), "strace", append(append(args, "-e", "trace="+c.calls, "-e", "inject="+c.calls+":delay_enter=200000"), program.Args...)...)
		var stdout, stderr bytes.Buffer
		cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = program.Env, program.Dir, &stdout, &stderr
		began := time.Now()
		err := cmd.Run()
		if took := time.Since(began); err != nil || !strings.Contains(stdout.String(), "│ Write the price rules") || !strings.HasSuffix(stderr.String(), c.note) || took > 12*time.Second {
			t.Errorf("%s: %v after %v\n%s%s", c.calls, err, took, &stdout, &stderr)
		}
	}
}
