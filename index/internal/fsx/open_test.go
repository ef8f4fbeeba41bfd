package fsx_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tc := range []struct {
		name  string
		size  int
		limit int64
		err   error
	}{
		{"empty", 0, 10, nil},
		{"small", 5, 10, nil},
		{"at the limit", 10, 10, nil},
		{"over the limit", 11, 10, fsx.ErrTooLarge},
		{"nothing allowed", 1, 0, fsx.ErrTooLarge},
		{"large", 3 << 20, 4 << 20, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := bytes.Repeat([]byte("x"), tc.size)
			path := filepath.Join(dir, tc.name)
			noErr(t, os.WriteFile(path, text, 0o644))
			got, st, err := fsx.ReadFile(path, tc.limit)
			if !errors.Is(err, tc.err) || st.Size != int64(tc.size) {
				t.Fatalf("error %v, size %d; want %v, %d", err, st.Size, tc.err, tc.size)
			}
			if err == nil && !bytes.Equal(got, text) {
				t.Errorf("read %d bytes, want %d", len(got), len(text))
			}
		})
	}
}

func TestReadFileErrors(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "a/file.md", "link.md -> a/file.md", "dangling.md -> nowhere")
	for path, want := range map[string]error{
		"a":           fsx.ErrNotRegular,
		"link.md":     fsx.ErrNotRegular,
		"dangling.md": fsx.ErrNotRegular,
		"gone.md":     fs.ErrNotExist,
	} {
		if _, _, err := fsx.ReadFile(filepath.Join(root, path), 1<<20); !errors.Is(err, want) {
			t.Errorf("reading %s: %v, want %v", path, err, want)
		}
	}
	path := writeFile(t, "0123456789", root, "ten.md")
	_, _, err := fsx.ReadFile(path, 4)
	if want := path + ": file is too large: 10 bytes, the limit is 4"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

// A terabyte that takes no room on the disk must take no time either.
func TestReadFileSparse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "handoff.yaml")
	noErr(t, os.WriteFile(path, nil, 0o644))
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err)
	}
	start := time.Now()
	if _, st, err := fsx.ReadFile(path, 1<<20); !errors.Is(err, fsx.ErrTooLarge) || st.Size != 1<<40 {
		t.Errorf("error %v, size %d", err, st.Size)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("took %v", took)
	}
}

// Whatever a writer does meanwhile, a read is one of the states there were, or
// says that the file changed.
func TestReadFileWhileWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "HANDOFF.md")
	noErr(t, os.WriteFile(path, nil, 0o644))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			// One byte at a time, then from the start.
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, _ = f.Write([]byte{'a' + byte(n%26)})
				_ = f.Close()
			}
			if n%5000 == 0 {
				_ = os.Truncate(path, 0)
			}
		}
	}()
	changed, fine := 0, 0
	for range 1000 {
		text, st, err := fsx.ReadFile(path, 1<<20)
		switch {
		case errors.Is(err, fsx.ErrChanged):
			changed++
		case err != nil:
			t.Fatal(err)
		case int64(len(text)) != st.Size:
			t.Fatalf("read %d bytes of a file of %d", len(text), st.Size)
		default:
			fine++
		}
	}
	close(stop)
	<-done
	t.Logf("%d changed, %d fine", changed, fine)
}
