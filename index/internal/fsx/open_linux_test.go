package fsx_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/testkit"
)

// What is no file must be refused at once, never waited for.
func TestReadFileNotRegular(t *testing.T) {
	root := makeTree(t, "x/")
	t.Chdir(root)
	noErr(t, unix.Mkfifo("pipe", 0o644))
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", "socket")
	noErr(t, err)
	defer func() { _ = l.Close() }()
	for _, path := range []string{filepath.Join(root, "pipe"), filepath.Join(root, "socket"), "/dev/null", "/dev/zero", "/dev/tty"} {
		start := time.Now()
		_, _, err := fsx.ReadFile(path, 1<<20)
		if !errors.Is(err, fsx.ErrNotRegular) {
			t.Errorf("reading %s: %v, want %v", path, err, fsx.ErrNotRegular)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s took %v", path, took)
		}
	}
}

func TestReadFileForbidden(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "HANDOFF.md")
	noErr(t, os.Chmod(root, 0o755))
	noErr(t, os.Chmod(filepath.Dir(root), 0o755))
	path := filepath.Join(root, "HANDOFF.md")
	noErr(t, os.Chmod(path, 0))
	testkit.AsNobody(t, func() {
		if _, _, err := fsx.ReadFile(path, 1<<20); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error is %v, want %v", err, fs.ErrPermission)
		}
	})
}

// Some files of /proc say that they are empty and are not: what is read is not
// what the file said, so it is refused rather than cut.
func TestReadFileLies(t *testing.T) {
	t.Parallel()
	if _, _, err := fsx.ReadFile("/proc/self/status", 1<<20); !errors.Is(err, fsx.ErrChanged) {
		t.Errorf("error is %v, want %v", err, fsx.ErrChanged)
	}
	if _, _, err := fsx.ReadFile("/proc/self/status", 8); !errors.Is(err, fsx.ErrTooLarge) {
		t.Errorf("error is %v, want %v", err, fsx.ErrTooLarge)
	}
}
