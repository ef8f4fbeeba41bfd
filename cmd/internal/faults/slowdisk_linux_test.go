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
// at again in time is read as far as it is new.
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
	const calls = "?lstat,?newfstatat"
	program := d.command(t, "brief", "--timeout", "8s", d.project)
	args = append(args, "-e", "trace="+calls, "-e", "inject="+calls+":delay_enter=200000")
	cmd := exec.CommandContext(t.Context(), "strace", append(args, program.Args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = program.Env, program.Dir, &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	// Which of the two is left undone depends on how many files were looked at in time.
	const (
		anew = "it takes longer than the time limit allows; for this run, the newest handoffs of the project are read from the disk\n"
		left = " older files of the project are left for the next run\n"
	)
	noted := strings.HasSuffix(stderr.String(), anew) || strings.HasSuffix(stderr.String(), left)
	if took := time.Since(began); err != nil || !strings.Contains(stdout.String(), "Write the price rules\n") || !noted || took > 12*time.Second {
		t.Errorf("%v after %v\n%s%s", err, took, &stdout, &stderr)
	}
}
