package fsx_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/OWNER/handex/index/internal/fsx"
)

func TestKindOf(t *testing.T) {
	if got, want := fsx.KindOf("/proc"), (fsx.Kind{Name: "proc"}); got != want {
		t.Errorf("/proc is %+v, want %+v", got, want)
	}
	if got, want := fsx.KindOf(filepath.Join(t.TempDir(), "gone")), (fsx.Kind{SharedMemory: true}); got != want {
		t.Errorf("a folder that is not there is on %+v, want %+v", got, want)
	}
	cache := fsx.Cache{7: {Name: "remembered"}}
	if got := cache.Of("/proc", 7).Name; got != "remembered" {
		t.Errorf("a device that is known is %q", got)
	}
	if got := cache.Of("/proc", 8).Name; got != "proc" || cache[8].Name != "proc" {
		t.Errorf("a device that was not is %q, then %+v", got, cache)
	}
}

func TestMounts(t *testing.T) {
	dir := t.TempDir()
	below, beside := filepath.Join(dir, "a b", `c\d`), filepath.Join(dir, "a bc")
	for _, path := range []string{below, beside} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	folders := []string{filepath.Dir(below), "/nowhere"}
	before := fsx.Mounts(folders)
	mount(t, beside)
	if got := fsx.Mounts(folders); got != before {
		t.Errorf("a mount elsewhere gives %q, before %q", got, before)
	}
	mount(t, below)
	if fsx.Mounts(folders) == before {
		t.Error("a mount is not seen")
	}
	if err := unix.Unmount(below, 0); err != nil {
		t.Fatal(err)
	}
	if got := fsx.Mounts(folders); got != before {
		t.Errorf("after unmounting %q, before %q", got, before)
	}
}

func mount(t *testing.T, path string) {
	t.Helper()
	err := unix.Mount("none", path, "tmpfs", 0, "size=1m")
	if errors.Is(err, unix.EPERM) {
		t.Skip("mounting needs rights")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(path, unix.MNT_DETACH) })
}
