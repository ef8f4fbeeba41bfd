package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
)

// Rewrites that leave the size, and in some ways the times, as they were: the
// number is always written with six digits.
var rewrites = []struct {
	name string
	do   func(path, text string) error
}{
	{"in place", func(path, text string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		return errors.Join(err, f.Close())
	}},
	{"replaced", func(path, text string) error {
		return errors.Join(os.WriteFile(path+".new", []byte(text), 0o644), os.Rename(path+".new", path))
	}},
	{"with the old time", func(path, text string) error {
		at := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
		return errors.Join(os.WriteFile(path+".new", []byte(text), 0o644), os.Chtimes(path+".new", at, at), os.Rename(path+".new", path))
	}},
}

// disks are folders on file systems with clocks of different grain.
var disks = []struct {
	name string
	dir  func(*testing.T) string
}{
	{"the usual one", func(t *testing.T) string { t.Helper(); return realTemp(t) }},
	{"in memory", memoryDisk},
	{"whole seconds", secondsDisk},
}

func memoryDisk(t *testing.T) string {
	t.Helper()
	const tmpfs = 0x01021994
	var st syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &st); err != nil || st.Type != tmpfs {
		t.Skip("/dev/shm is no tmpfs")
	}
	dir, err := os.MkdirTemp("/dev/shm", "handex-racy-") //nolint:usetesting // t.TempDir is elsewhere
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// secondsDisk is an ext4 with small inodes, which hold no parts of seconds.
func secondsDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk of whole seconds")
	}
	image, dir := filepath.Join(realTemp(t), "image"), realTemp(t)
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 32<<20)); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"mkfs.ext4", "-q", "-F", "-I", "128", image},
		{"mount", "-o", "loop", image, dir},
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v %s", strings.Join(command, " "), err, out)
		}
	}
	t.Cleanup(func() {
		// The test's context has ended by now.
		if out, err := exec.CommandContext(context.Background(), "umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	file := filepath.Join(dir, "probe")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.ModTime().Nanosecond() != 0 {
		t.Skipf("the disk has parts of seconds: %v", err)
	}
	return dir
}

// However a file is rewritten while and just after a refresh looks at it, the next
// refresh sees the last text; of the ledger beside it, too.
func TestRacyRewrites(t *testing.T) {
	t.Parallel()
	n := testkit.Rounds(t, 24, 2000) // eight of each way
	for _, d := range disks {
		t.Run(d.name, func(t *testing.T) {
			h := &house{t: t, root: filepath.Join(d.dir(t), "home"), dir: filepath.Join(realTemp(t), "ix"), zone: time.UTC}
			s, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			h.Store = s
			defer func() { _ = s.Close() }()
			missed := 0
			for i := range n {
				if !h.racedRewrite(i) {
					missed++
				}
			}
			t.Logf("%d rewrites, %d missed", n, missed)
			if missed > 0 {
				t.Fail()
			}
		})
	}
}

// racedRewrite rewrites a handoff or its ledger, in turn, while the index is
// refreshed, and reports whether the refresh after that saw it.
func (h *house) racedRewrite(i int) bool {
	h.t.Helper()
	goal, mark := fmt.Sprintf("goal%06d", i/2), int64((i+1)/2%2)
	path, text := h.path(one), note("2026-02-01", "aaaa1111", goal, "go on")
	if i == 0 {
		h.write(one, text)
	}
	if i%2 == 1 {
		path = filepath.Join(filepath.Dir(path), "LEDGER.md")
		text = "- [" + []string{" ", "x"}[mark] + "] 2026-02-01 [aaaa1111.md](aaaa1111.md) - login\n"
	}
	way := rewrites[i/8%len(rewrites)] // several of a kind, as they are alike then
	done := make(chan error)
	go func() {
		time.Sleep(rand.N(3 * time.Millisecond))
		done <- way.do(path, text)
	}()
	h.refresh()
	if err := <-done; err != nil {
		h.t.Fatal(err)
	}
	h.refresh()
	hits := h.search("*").Hits
	if len(hits) != 1 || hits[0].Goal != goal {
		h.t.Logf("rewrite %d, %s: %+v", i, way.name, hits)
		return false
	}
	st, err := h.Status(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if got := rawRows(h.t, st.Path, "SELECT processed FROM handoff")[0]["processed"]; i > 0 && got != mark {
		h.t.Logf("rewrite %d, %s: the ledger says %d, the index %v", i, way.name, mark, got)
		return false
	}
	return true
}
