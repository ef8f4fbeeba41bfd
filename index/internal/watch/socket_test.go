package watch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index/internal/watch"
)

// A socket is asked by its path, however long that is, and taken over from the dead.
func TestListen(t *testing.T) {
	for _, name := range []string{"s", strings.Repeat("long", 40)} {
		if len(name) > 1 && runtime.GOOS != "linux" {
			continue // there a long path cannot be an address
		}
		dir := filepath.Join(t.TempDir(), name)
		path := filepath.Join(dir, "socket")
		if _, err := watch.Listen(t.Context(), path, nil); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: without a folder: %v", name, err)
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		l := listen(t, path)
		go func() {
			for q := range l.Questions() {
				q.Answer([]byte(`["answer"]`))
			}
		}()
		l.Publish([]byte(`["second"]`))
		if state, answer := ask(t, path); state != "second" || answer != "answer" {
			t.Errorf("%s: the state is %q, the answer %q", name, state, answer)
		}
		if _, err := watch.Listen(t.Context(), path, nil); !errors.Is(err, watch.ErrTaken) {
			t.Errorf("%s: two listen at once: %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if l.Stands() {
			t.Errorf("%s: stands without its socket", name)
		}
		next := listen(t, path)
		l.Close()
		if !next.Stands() {
			t.Errorf("%s: the one before took the socket along", name)
		}
		next.Close()
		if _, err := watch.Dial(t.Context(), path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: after the end: %v", name, err)
		}
	}
}

func listen(t *testing.T, path string) *watch.Listener {
	t.Helper()
	l, err := watch.Listen(t.Context(), path, []byte(`["first"]`))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func ask(t *testing.T, path string) (state, answer string) {
	t.Helper()
	c, err := watch.Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var first, second []string
	if err := errors.Join(c.State(&first), c.Ask(&second)); err != nil {
		t.Fatal(err)
	}
	return strings.Join(first, " "), strings.Join(second, " ")
}

// Whoever is not answered does not wait longer than he wants to.
func TestAskInVain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l := listen(t, path)
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	c, err := watch.Dial(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var text []string
	if err := errors.Join(c.State(&text), c.Ask(&text)); err == nil {
		t.Errorf("answered %q", text)
	}
}
