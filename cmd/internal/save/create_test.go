package save_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	want := map[string]string{}
	for i, name := range []string{"2026-02-02-1030.xml", "2026-02-02-1030-0001.xml", "2026-02-02-1030-0002.xml"} {
		got, err := f.Create(t.Context(), "h/2026-02-02-1030.xml", fmt.Append(nil, i))
		if err != nil || got != filepath.Join("h", name) {
			t.Fatalf("got %q %v, want %q", got, err, name)
		}
		want["h/"+name] = fmt.Sprint(i)
	}
	expect(t, dir, want)
}

// Whatever has the name, it is not written to.
func TestCreateBesideOthers(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	if err := os.Mkdir(filepath.Join(dir, "x.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "x-0001.md")); err != nil {
		t.Skip(err)
	}
	name, err := f.Create(t.Context(), "x.md", []byte("new"))
	if err != nil || name != "x-0002.md" {
		t.Errorf("got %q %v", name, err)
	}
	expect(t, dir, map[string]string{"x-0001.md": "-> nowhere", "x-0002.md": "new"})
}

func TestCreateRunsOut(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	put(t, filepath.Join(dir, "x"), "")
	for i := range 9999 {
		if err := os.Link(filepath.Join(dir, "x"), filepath.Join(dir, fmt.Sprintf("x-%04d", i+1))); err != nil {
			t.Skip(err)
		}
	}
	_, err := f.Create(t.Context(), "x", []byte("new"))
	want := "create " + filepath.Join(dir, "x") + ": 9999 files of this name: file already exists"
	if !errors.Is(err, fs.ErrExist) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if found := tree(t, dir); len(found) != 10000 {
		t.Errorf("%d files, want 10000", len(found))
	}
}

func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				if _, err := f.Create(t.Context(), "x.xml", fmt.Append(nil, i*10+j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, text := range tree(t, dir) {
		seen[text] = true
	}
	if len(seen) != 80 {
		t.Errorf("%d of 80 files are there", len(seen))
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	put(t, filepath.Join(dir, "h", "1.xml"), "1")
	put(t, filepath.Join(dir, "h", "2.xml"), "2")
	for _, name := range []string{"1.xml", "2.xml"} {
		if err := f.Link(t.Context(), "h/latest.xml", name); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "h", "latest.xml"))
		if err != nil || string(text) != strings.TrimSuffix(name, ".xml") {
			t.Errorf("latest holds %q %v", text, err)
		}
	}
	for _, to := range []string{"../1.xml", "/etc/passwd", "..", ""} {
		err := f.Link(t.Context(), "h/latest.xml", to)
		want := "link " + filepath.Join(dir, "h", "latest.xml") + ": the path leads out of the folder"
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", to, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "h", "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := "link " + filepath.Join(dir, "h", "folder") + ": it is not a regular file"
	if err := f.Link(t.Context(), "h/folder", "1.xml"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What killed writers left is removed by the next writer of the same file, and
// nothing else is.
func TestSweep(t *testing.T) {
	t.Parallel()
	f, dir := open(t)
	for _, name := range []string{
		".x1234567890123456789", ".x1234567890123456", ".x123456789012345", ".x20260202103000", ".xy1234567890123456789",
		".y1234567890123456789", "x1234567890123456789", ".handex-new1234567890123456789",
	} {
		put(t, filepath.Join(dir, name), "left")
	}
	put(t, filepath.Join(dir, ".x2222222222222222222", "file"), "kept")
	if err := replace(t.Context(), f, "x", []byte("new")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"x": "new", ".x123456789012345": "left", ".x20260202103000": "left", ".xy1234567890123456789": "left", ".y1234567890123456789": "left",
		"x1234567890123456789": "left", ".handex-new1234567890123456789": "left", ".x2222222222222222222/file": "kept",
	}
	expect(t, dir, want)
	if _, err := f.Create(t.Context(), "y", []byte("new")); err != nil {
		t.Fatal(err)
	}
	delete(want, ".handex-new1234567890123456789")
	want["y"] = "new"
	expect(t, dir, want)
}
