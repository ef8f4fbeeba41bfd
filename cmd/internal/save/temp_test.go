package save_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/OWNER/handex/cmd/internal/save"
)

// Temporary folders that killed processes left are removed, and nothing else is.
func TestSweepTempDirs(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	running, err := save.NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	killed, err := save.NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(running.Path, "index.db"), "text")
	put(t, filepath.Join(killed.Path, "index.db"), "text")
	save.Kill(killed)
	want := []string{filepath.Base(filepath.Dir(running.Path))}
	keep := func(name string, mode os.FileMode, files ...string) {
		t.Helper()
		for _, file := range files {
			put(t, filepath.Join(tmp, name, file), "")
		}
		if err := os.Chmod(filepath.Join(tmp, name), mode); err != nil {
			t.Fatal(err)
		}
		want = append(want, name)
	}
	keep("handex-temp-begun", 0o700, "lock")
	keep("handex-temp-other", 0o700, "files/notes.txt")
	keep("handex-other", 0o700, "files/x", "lock")
	if runtime.GOOS != "windows" {
		keep("handex-temp-open", 0o755, "files/x", "lock")
		elsewhere := t.TempDir()
		put(t, filepath.Join(elsewhere, "files", "x"), "")
		put(t, filepath.Join(elsewhere, "lock"), "")
		if err := os.Chmod(elsewhere, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(tmp, "handex-temp-link")); err != nil {
			t.Fatal(err)
		}
		want = append(want, "handex-temp-link")
	}
	save.SweepTempDirs()
	entries, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	if err := running.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Dir(running.Path)); err == nil {
		t.Error("it is still there")
	}
}
