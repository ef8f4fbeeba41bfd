package cli_test

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/cli"
	"github.com/OWNER/handex/index"
)

// briefed runs handex brief and tells how long it took.
func (m *machine) briefed(t *testing.T, stdin io.Reader, args ...string) (output, time.Duration) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	began := time.Now()
	status := cli.Main(t.Context(), append([]string{"brief"}, args...), cli.Env{
		Stdin: stdin, Stdout: cli.Stream{Writer: &stdout}, Stderr: cli.Stream{Writer: &stderr},
		Now: time.Now, Zone: cmp.Or(m.zone, time.UTC), Places: m.places(".local/state"), CacheHome: filepath.Join(m.home, ".cache"),
	})
	return output{status, stdout.String(), stderr.String()}, time.Since(began)
}

const handoffText = "# Handoff: prices\n\n**Date**: 2026-02-01\n\n## Next steps\n- Write the price rules\n"

func (m *machine) save(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(m.work, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An index that another process works on for longer is not waited for: the project
// is read into one for the run.
func TestBriefLeavesABusyIndexBehind(t *testing.T) {
	m := newMachine(t)
	m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	m.save(t, "HANDOFF.md", handoffText)
	s, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(m.home, ".cache", "handex"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	working, end := make(chan bool), make(chan bool)
	ended := make(chan error, 1)
	go func() {
		first := true
		_, err := s.Refresh(t.Context(), []index.Root{{Path: m.work}}, index.RefreshOptions{Progress: func(index.Progress) {
			if first {
				first = false
				close(working)
				<-end
			}
		}})
		ended <- err
	}()
	<-working
	out, took := m.briefed(t, strings.NewReader(""), "--timeout", "3s", "--for", "codex")
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.stdout, "│- Write the price rules") || !strings.HasSuffix(out.stderr, ": another process is refreshing the index"+anewForThis) || took > 3*time.Second {
		t.Errorf("%+v after %v", out, took)
	}
}

// A git that never answers costs its facts, not the briefing.
func TestBriefLeavesAHangingGitBehind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for git is a shell script")
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("needs sleep")
	}
	m := newMachine(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexec "+sleep+" 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	hash := strings.Repeat("1", 40)
	m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	m.save(t, ".git/objects/info/packs", "")
	m.save(t, ".git/logs/HEAD", hash+" "+hash+" a <a@example.com> 1790000000 +0000\tpull: Fast-forward\n")
	m.save(t, "HANDOFF.md", handoffText)
	out, took := m.briefed(t, strings.NewReader(""), "--timeout", "5s")
	if out.status != 0 || !strings.Contains(out.stdout, "│- Write the price rules") || strings.Contains(out.stdout, " since") || took > 4*time.Second {
		t.Errorf("%+v after %v", out, took)
	}
}

// An agent that keeps the input open and says nothing is not waited for.
func TestBriefLeavesASilentAgentBehind(t *testing.T) {
	m := newMachine(t)
	m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	m.save(t, "HANDOFF.md", handoffText)
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	out, took := m.briefed(t, r, "--for", "claude", "--timeout", "20s")
	if out.status != 0 || !strings.Contains(out.stdout, "Write the price rules") || took > 10*time.Second {
		t.Errorf("%+v after %v", out, took)
	}
}
