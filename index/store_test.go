package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	schema "github.com/OWNER/handex/sql"
)

var pointerName = fmt.Sprintf("CURRENT-v%d", schema.Version)

func generationName(n int) string { return fmt.Sprintf("index-v%d-%04d.db", schema.Version, n) }

// names lists the index folder.
func (h *house) names() []string {
	h.t.Helper()
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "-wal") && !strings.HasSuffix(e.Name(), "-shm") {
			list = append(list, e.Name())
		}
	}
	return list
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	if diff := cmp.Diff([]string{pointerName, generationName(1), "index.lock"}, h.names()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	other, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: func() time.Time { return h.now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if list, err := other.Find(t.Context(), "aaaa1111", "/"); err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	h.remove(one)
	h.refreshWith(index.RefreshOptions{Full: true})
	if diff := cmp.Diff([]string{pointerName, generationName(2), "index.lock"}, h.names()); diff != "" {
		t.Errorf("files after a build (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(filepath.Join(h.dir, generationName(7)), []byte("half a build"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.refresh()
	if diff := cmp.Diff([]string{pointerName, generationName(2), "index.lock"}, h.names()); diff != "" {
		t.Errorf("files after the next refresh (-want +got):\n%s", diff)
	}
	// Whoever had the old generation open follows.
	if list, err := other.Find(t.Context(), "aaaa1111", "/"); err == nil {
		t.Errorf("the other process still finds %v", list)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	check := func(path string, want os.FileMode) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has %o, want %o", path, got, want)
		}
	}
	check(h.dir, 0o700)
	for _, name := range h.names() {
		check(filepath.Join(h.dir, name), 0o600)
	}
	if err := os.Chmod(h.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: time.Now})
	if err == nil || err.Error() != "open index "+h.dir+": other users can write to the folder" {
		t.Errorf("a folder for all: %v", err)
	}
}

func TestDamagedIndexIsRebuilt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
	}{
		{"cut", func(b []byte) []byte { return b[:len(b)/2] }},
		{"empty", func([]byte) []byte { return nil }},
		{"no database", func(b []byte) []byte { return []byte(strings.Repeat("no database ", len(b)/12)) }},
		{"pages overwritten", func(b []byte) []byte {
			for i := 4096; i < len(b); i++ {
				b[i] = 0xa5
			}
			return b
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			h.reopen()
			path := filepath.Join(h.dir, generationName(1))
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, c.damage(b), 0o600); err != nil {
				t.Fatal(err)
			}
			report := h.refresh()
			if report.Added != 2 {
				t.Errorf("report: %+v", report)
			}
			h.expect("login", one, two)
			h.whole()
			notices := h.Notices()
			if len(notices) != 1 || !strings.Contains(notices[0], "the index was damaged (") || !strings.HasSuffix(notices[0], ") and is being rebuilt; the damaged file was moved to "+filepath.Join(h.dir, "broken-"+generationName(1))) {
				t.Errorf("notices: %q", notices)
			}
		})
	}
}

func TestForeignFileIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(h.dir, generationName(1))
	makeForeign(t, path)
	if err := os.WriteFile(filepath.Join(h.dir, pointerName), []byte(generationName(1)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := h.Refresh(t.Context(), h.roots(), index.RefreshOptions{})
	var e *index.Error
	if !errors.Is(err, index.ErrForeign) || !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("refresh: %v", err)
	}
	if got := rawRows(t, path, "SELECT note FROM diary"); len(got) != 1 || got[0].Text("note") != "dear diary" {
		t.Errorf("the diary says %q", got)
	}
}

func TestPointerToNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", generationName(9) + "\n", "../../etc/passwd\n", fmt.Sprintf("index-v%d-0001.db", schema.Version+1)} {
		h := twoNotes(t)
		h.reopen()
		if err := os.WriteFile(filepath.Join(h.dir, pointerName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		h.expect("login")
		if report := h.refresh(); report.Added != 2 {
			t.Errorf("%q: %+v", text, report)
		}
		h.expect("login", one, two)
	}
}

func TestBusy(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	lock := flock.New(filepath.Join(h.dir, "index.lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	_, err := h.Refresh(t.Context(), h.roots(), index.RefreshOptions{})
	if want := "refresh index " + h.dir + ": another process is refreshing the index"; !errors.Is(err, index.ErrBusy) || err.Error() != want {
		t.Errorf("busy: %v", err)
	}
	h.expect("login", one, two)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Refresh(ctx, h.roots(), index.RefreshOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Many refresh and search at once: nobody sees an error or half a state.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i := range 40 {
		h.write(".claude/handoffs/-work-shop/"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+".md", note("2026-02-01", "s", "login form", "test"))
	}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			s, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: func() time.Time { return h.now }, LockWait: time.Minute})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = s.Close() }()
			for range 4 {
				if _, err := s.Refresh(t.Context(), h.roots(), index.RefreshOptions{Full: i == 0}); err != nil {
					t.Error(err)
				}
				st, err := s.Status(t.Context())
				if err != nil || st.Handoffs != 40 || len(st.Formats) != 1 || st.Formats[0].Count != 40 {
					t.Errorf("status: %+v %v", st, err)
				}
			}
		})
	}
	wg.Wait()
	h.whole()
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	before := h.names()
	s, err := index.Open(t.Context(), index.Options{Dir: h.dir, Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Find(t.Context(), "aaaa1111", "/"); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, h.names()); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.write("shop/.flow-guardian/handoff.yaml", "goal: [\n")
	h.refresh()
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Path != filepath.Join(h.dir, generationName(1)) || st.Bytes == 0 || st.Schema != schema.Version || st.Files != 3 || st.Handoffs != 3 || !st.RefreshedAt.Equal(h.now) {
		t.Errorf("status: %+v", st)
	}
	if len(st.Roots) != 1 || st.Roots[0].Path != h.root || st.Roots[0].Files != 3 || st.Roots[0].Handoffs != 3 {
		t.Errorf("roots: %+v", st.Roots)
	}
	if len(st.Formats) != 2 || st.Formats[0].Count != 2 || len(st.Projects) != 2 || len(st.Problems) == 0 {
		t.Errorf("formats %v, projects %v, problems %v", st.Formats, st.Projects, st.Problems)
	}
	// Before 3.51.3 two processes could lose what one of them had committed. Later
	// releases mend what damaged files and long statements can do.
	var major, minor, patch int
	if _, err := fmt.Sscanf(st.SQLite, "%d.%d.%d", &major, &minor, &patch); err != nil || major<<16|minor<<8|patch < 3<<16|54<<8|1 {
		t.Errorf("SQLite %q: %v", st.SQLite, err)
	}
}

// A connection that reads can do nothing else.
func TestReadersOnlyRead(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	for _, statement := range []string{
		"ATTACH ':memory:' AS other", "DELETE FROM handoff", "PRAGMA user_version = 9", "SELECT length(zeroblob(300000000))",
	} {
		if err := h.ReadWith(t.Context(), statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
	h.whole()
}
