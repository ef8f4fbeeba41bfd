package author_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/config"
)

// A world is a project that keeps two handoffs, and what happened in it.
type world struct {
	env      author.Env
	project  string
	now      time.Time
	said     []string
	archived []string
	refuse   error // of the archive
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{project: filepath.Join(base, "shop"), now: time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)}
	if err := os.MkdirAll(filepath.Join(w.project, ".act"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.project, ".act", "config.yaml"), []byte("handoff:\n  maxFiles: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.env = author.Env{
		Now: func() time.Time { return w.now }, Zone: time.UTC,
		Places: config.Places{Home: base, StateHome: filepath.Join(base, "state"), Getenv: func(string) string { return "" }},
		Say:    func(text string) { w.said = append(w.said, text) },
		Archive: func(_, path string) error {
			w.archived = append(w.archived, filepath.Base(path))
			return w.refuse
		},
	}
	return w
}

// write saves a handoff at a time and returns the names that there are then.
func (w *world) write(t *testing.T, now time.Time) []string {
	t.Helper()
	w.now = now
	h, err := w.env.Compose(t.Context(), author.NewDraft("act"), w.project, author.Options{Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Save(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(h.At.Path())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, strings.TrimSuffix(e.Name(), ".xml"))
		}
	}
	return names
}

// The oldest makes room, when the archive has it.
func TestRetention(t *testing.T) {
	w := newWorld(t)
	for range 2 {
		w.write(t, w.now.Add(time.Hour))
	}
	if diff := cmp.Diff([]string{"2026-02-10-1400", "2026-02-10-1500"}, w.write(t, w.now.Add(time.Hour))); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2026-02-10-1300.xml"}, w.archived); diff != "" {
		t.Errorf("archived (-want +got):\n%s", diff)
	}
}

// A handoff that was written by a clock in the future does not make all others the
// oldest: while there is one, nothing is removed.
func TestRetentionAfterClockJump(t *testing.T) {
	w := newWorld(t)
	now := w.now
	w.write(t, now)
	w.write(t, now.AddDate(5, 0, 0))
	got := w.write(t, now.Add(time.Minute))
	if want := []string{"2026-02-10-1200", "2026-02-10-1201", "2031-02-10-1200"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(w.said) == 0 || !strings.Contains(w.said[len(w.said)-1], "nothing is removed") {
		t.Errorf("it says %q", w.said)
	}
}

// What the archive cannot keep is not removed.
func TestRetentionWithoutArchive(t *testing.T) {
	w := newWorld(t)
	w.refuse = errors.New("disk full")
	for range 2 {
		w.write(t, w.now.Add(time.Hour))
	}
	if got := w.write(t, w.now.Add(time.Hour)); len(got) != 3 {
		t.Errorf("%v is left of three", got)
	}
	if want := "note: the earlier text of " + w.project + "/.act/handoffs/2026-02-10-1300.xml is not archived: disk full"; !slices.Contains(w.said, want) {
		t.Errorf("it says %q, want %q", w.said, want)
	}
}

// A handoff that the archive cannot keep is neither changed nor removed.
func TestNoChangeWithoutArchive(t *testing.T) {
	w := newWorld(t)
	update := func(value string) error {
		var keys author.Keys
		keys.Add("goal", value)
		_, err := w.env.Update(t.Context(), w.project, keys, "", false)
		return err
	}
	if err := update("pears"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.project, ".flow-guardian", "handoff.yaml")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w.refuse = errors.New("disk full")
	_, cleared := w.env.Clear(t.Context(), w.project, false)
	for what, err := range map[string]error{"update": update("plums"), "clear": cleared} {
		if !errors.Is(err, w.refuse) {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file says %q, %v", after, err)
	}
}
