package save_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/save"
)

// open is a new folder, and where it is. Its path has no symbolic link in it.
func open(t *testing.T) (*save.Folder, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return reopen(t, dir, filepath.Join(t.TempDir(), "state", "locks")), dir
}

func reopen(t *testing.T, dir, locks string) *save.Folder {
	t.Helper()
	f, err := save.Open(dir, locks)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tree lists what is in a folder: path, and for a file its text, for a link where
// it leads.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.Type() == fs.ModeSymlink {
			to, err := os.Readlink(path)
			found[filepath.ToSlash(rel)] = "-> " + to
			return err
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func expect(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// replace writes a file whatever it holds.
func replace(ctx context.Context, f *save.Folder, rel string, data []byte) error {
	return f.Edit(ctx, rel, func([]byte) ([]byte, error) { return append([]byte{}, data...), nil })
}

// remove removes a file, which must be there.
func remove(ctx context.Context, f *save.Folder, rel string) error {
	return f.Edit(ctx, rel, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, fs.ErrNotExist
		}
		return nil, nil
	})
}

func TestReplace(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	ctx := t.Context()
	for _, text := range []string{"one", "", "three\n"} {
		if err := replace(ctx, f, ".act/deep/x.xml", []byte(text)); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{".act/deep/x.xml": text})
	}
}

func TestModeIsKept(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	f, dir := open(t)
	path := filepath.Join(dir, "x")
	for _, want := range []fs.FileMode{0o600, 0o664, 0o755, 0o444} {
		put(t, path, "old")
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		if err := replace(t.Context(), f, "x", []byte("new")); err != nil {
			t.Fatal(err)
		}
		if got := mode(t, path); got != want {
			t.Errorf("mode %o, want %o", got, want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNewModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	f, dir := open(t)
	for _, c := range []struct {
		private      bool
		file, folder fs.FileMode
	}{{false, 0o644, 0o755}, {true, 0o600, 0o700}} {
		f.Private = c.private
		sub := fmt.Sprint(c.private)
		if err := replace(t.Context(), f, sub+"/x", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Create(t.Context(), sub+"/y", nil); err != nil {
			t.Fatal(err)
		}
		// The umask may take rights of others away, never of the owner.
		for name, most := range map[string]fs.FileMode{"x": c.file, "y": c.file, ".": c.folder} {
			got := mode(t, filepath.Join(dir, sub, name))
			if got&^most != 0 || got&0o700 != most&0o700 {
				t.Errorf("private %v: %s has mode %o, want %o", c.private, name, got, most)
			}
		}
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	add := func(text string) func([]byte) ([]byte, error) {
		return func(old []byte) ([]byte, error) {
			return fmt.Appendf(nil, "%s%s(%v)", old, text, old != nil), nil
		}
	}
	for _, text := range []string{"a", "b"} {
		if err := f.Edit(t.Context(), "d/x", add(text)); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, dir, map[string]string{"d/x": "a(false)b(true)"})
}

// An edit that fails or changes nothing leaves the very file, and none where there
// was none.
func TestEditWithoutChange(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	put(t, filepath.Join(dir, "x"), "old")
	before, err := os.Stat(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	refusal := errors.New("goal is missing")
	refuse := func([]byte) ([]byte, error) { return []byte("new"), refusal }
	if err := f.Edit(t.Context(), "x", refuse); err != refusal { //nolint:errorlint // as it is
		t.Errorf("Edit: %v", err)
	}
	if err := f.Edit(t.Context(), "new/x", refuse); err != refusal { //nolint:errorlint // as it is
		t.Errorf("Edit: %v", err)
	}
	if err := f.Edit(t.Context(), "x", func(old []byte) ([]byte, error) { return slices.Clone(old), nil }); err != nil {
		t.Error(err)
	}
	after, err := os.Stat(filepath.Join(dir, "x"))
	if err != nil || !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
		t.Errorf("the file was written anew: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused edit made a folder: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	ctx := t.Context()
	put(t, filepath.Join(dir, "real"), "real")
	put(t, filepath.Join(dir, "folder", "y"), "y")
	outside := t.TempDir()
	put(t, filepath.Join(outside, "secret"), "secret")
	put(t, filepath.Join(dir, "big"), strings.Repeat("x", save.MaxFile+1))
	for name, to := range map[string]string{"link": "real", "dangling": "nowhere", "out": outside, "up": "../" + filepath.Base(outside)} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	before, beforeOut := tree(t, dir), tree(t, outside)
	join := func(rel string) string { return filepath.Join(dir, rel) }
	const link = ": it is not a regular file: symbolic links are not followed"
	cases := []struct {
		rel  string
		want error  // wrapped; nil if the system's own
		text string // behind the path; "" if the system's own
	}{
		{"link", save.ErrNotRegular, link},
		{"dangling", save.ErrNotRegular, link},
		{"folder", save.ErrNotRegular, ": it is not a regular file"},
		{"out/secret", nil, ""},
		{"up/secret", nil, ""},
		{"real/x", nil, ""},
		{"../x", save.ErrOutside, ": the path leads out of the folder"},
		{"folder/../../x", save.ErrOutside, ": the path leads out of the folder"},
		{filepath.Join(outside, "x"), save.ErrOutside, ": the path leads out of the folder"},
		{"", save.ErrOutside, ": the path leads out of the folder"},
		{".", save.ErrOutside, ": the path leads out of the folder"},
	}
	for _, c := range cases {
		_, readErr := f.Read(c.rel)
		switch {
		case readErr == nil:
			t.Errorf("read %q: no error", c.rel)
		case c.want != nil && (!errors.Is(readErr, c.want) || readErr.Error() != "read "+join(c.rel)+c.text):
			t.Errorf("read %q: %v", c.rel, readErr)
		case c.want == nil && !strings.HasPrefix(readErr.Error(), "read "+join(c.rel)+": "):
			t.Errorf("read %q: %v", c.rel, readErr)
		}
		if err := remove(ctx, f, c.rel); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("remove %q: %v", c.rel, err)
		}
		if err := replace(ctx, f, c.rel, []byte("new")); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("edit %q: %v", c.rel, err)
		}
	}
	if _, err := f.Read("big"); !errors.Is(err, save.ErrTooLarge) {
		t.Errorf("read big: %v", err)
	}
	if err := f.Edit(ctx, "big", func([]byte) ([]byte, error) { return nil, nil }); !errors.Is(err, save.ErrTooLarge) {
		t.Errorf("edit big: %v", err)
	}
	if err := remove(ctx, f, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("remove none: %v", err)
	}
	if _, err := f.Create(ctx, "out/x", nil); err == nil {
		t.Error("create out/x: no error")
	}
	expect(t, dir, before)
	expect(t, outside, beforeOut)
}

// A folder that is a symbolic link within the root is followed, and a lock is of
// the file it leads to.
func TestLinkedFolder(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	put(t, filepath.Join(dir, "real", "x"), "0")
	if err := os.Symlink("real", filepath.Join(dir, "alias")); err != nil {
		t.Skip(err)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			count(t, f, []string{"real/x", "alias/x"}[i%2])
		})
	}
	all.Wait()
	expect(t, dir, map[string]string{"alias": "-> real", "real/x": "20"})
}

// count adds one to the number in a file.
func count(t *testing.T, f *save.Folder, rel string) {
	t.Helper()
	err := f.Edit(t.Context(), rel, func(old []byte) ([]byte, error) {
		n := 0
		if _, err := fmt.Sscan(string(old), &n); err != nil {
			return nil, err
		}
		return fmt.Append(nil, n+1), nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	put(t, filepath.Join(dir, "a", "x"), "x")
	if err := remove(t.Context(), f, "a/x"); err != nil {
		t.Fatal(err)
	}
	expect(t, dir, map[string]string{})
	nothing := func([]byte) ([]byte, error) { return nil, nil }
	if err := f.Edit(t.Context(), "new/x", nothing); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{})
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := save.Open(filepath.Join(dir, "none"), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	want := "open x with locks in " + dir + ": both must be absolute paths"
	if _, err := save.Open("x", dir); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLockWaits(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	unlock, err := f.Lock(t.Context(), "d/x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- replace(ctx, f, "d/x", []byte("new")) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait: %v", err)
	}
	expect(t, dir, map[string]string{})
	// Neither other files nor the folder are held.
	if err := replace(t.Context(), f, "d/y", nil); err != nil {
		t.Error(err)
	}
	if _, err := f.Create(t.Context(), "d/x", nil); err != nil {
		t.Error(err)
	}
	unlock()
	if err := replace(t.Context(), f, "d/x", []byte("new")); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{"d/x": "new", "d/y": ""})
}

// A writer does not wait for ever.
func TestLockIsBusy(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	save.SetPatience(f, 20*time.Millisecond)
	unlock, err := f.Lock(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	err = replace(t.Context(), f, "x", nil)
	want := "write " + filepath.Join(dir, "x") + ": another process is writing it (waited 20ms)"
	if !errors.Is(err, save.ErrBusy) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	expect(t, dir, map[string]string{})
}

// A folder of locks that cannot be used is told by its own name.
func TestNoLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "")
	f := reopen(t, dir, filepath.Join(dir, "file", "locks"))
	err := replace(t.Context(), f, "x", nil)
	want := "write " + filepath.Join(dir, "x") + ": lock: mkdir " + filepath.Join(dir, "file") + ": not a directory"
	if err == nil || runtime.GOOS != "windows" && err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	expect(t, dir, map[string]string{"file": ""})
}
