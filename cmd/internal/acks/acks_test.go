package acks_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/acks"
)

func at(hour int) time.Time { return time.Date(2026, 2, 10, hour, 0, 0, 0, time.UTC) }

func event(id string, hour int) acks.Event {
	return acks.Event{Target: acks.Target{ID: id, Digest: -1}, At: at(hour)}
}

func undo(id string, hour int) acks.Event {
	e := event(id, hour)
	e.Undo = true
	return e
}

func TestHolding(t *testing.T) {
	changed := event("h_a", 3)
	changed.Digest = 7
	noted := event("h_a", 2)
	noted.Note = "again"
	for _, c := range []struct {
		name         string
		events, want []acks.Event
	}{
		{"none", nil, nil},
		{"newest first", []acks.Event{event("h_a", 1), event("h_b", 2)}, []acks.Event{event("h_b", 2), event("h_a", 1)}},
		{"undone", []acks.Event{event("h_a", 1), undo("h_a", 2)}, nil},
		{"undone before", []acks.Event{undo("h_a", 2), event("h_a", 1)}, nil},
		{"again", []acks.Event{event("h_a", 1), undo("h_a", 2), event("h_a", 3)}, []acks.Event{event("h_a", 3)}},
		{"at once", []acks.Event{undo("h_a", 1), event("h_a", 1)}, nil},
		{"a new note", []acks.Event{event("h_a", 1), noted}, []acks.Event{noted}},
		{"of two texts", []acks.Event{event("h_a", 1), changed}, []acks.Event{changed, event("h_a", 1)}},
		{"one text undone", []acks.Event{event("h_a", 1), changed, undo("h_a", 4)}, []acks.Event{changed}},
	} {
		if diff := cmp.Diff(c.want, acks.Holding(c.events)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A clock that was set back does not make an event count for nothing.
func TestAfter(t *testing.T) {
	known := []acks.Event{event("h_a", 5), undo("h_a", 7), event("h_b", 9)}
	got := acks.After(known, event("h_a", 1))
	if want := at(7).Add(1); !got.At.Equal(want) {
		t.Errorf("at %v, want %v", got.At, want)
	}
	if got := acks.After(known, event("h_a", 8)); !got.At.Equal(at(8)) {
		t.Errorf("at %v", got.At)
	}
}

// Files are merged by putting their lines together: neither the order of the
// lines nor that some stand twice changes what holds.
func TestMergeByUnion(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) acks.Event {
		return acks.Event{
			Target: acks.Target{ID: rapid.SampledFrom([]string{"h_a", "h_b"}).Draw(t, "id"), Digest: rapid.Int64Range(0, 1).Draw(t, "digest")},
			At:     at(rapid.IntRange(0, 3).Draw(t, "hour")),
			Undo:   rapid.Bool().Draw(t, "undo"),
			Note:   rapid.SampledFrom([]string{"", "x"}).Draw(t, "note"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(draw, 0, 12).Draw(t, "events")
		merged := rapid.Permutation(slices.Concat(events, events[:len(events)/2])).Draw(t, "merged")
		for i := range events {
			if events[i].Undo {
				events[i].Note = ""
			}
		}
		for i := range merged {
			if merged[i].Undo {
				merged[i].Note = ""
			}
		}
		if diff := cmp.Diff(acks.Holding(events), acks.Holding(merged)); diff != "" {
			t.Fatalf("(-in order +merged):\n%s", diff)
		}
	})
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "handex", "acks.jsonl")
	if events, bad, err := acks.Read(path); events != nil || bad != nil || err != nil {
		t.Fatalf("no file: %v, %v, %v", events, bad, err)
	}
	first := event("h_a", 1)
	first.Note = "rotated \"it\"\nat last\x1b[2J"
	if err := acks.Append(t.Context(), path, first, event("h_b", 2)); err != nil {
		t.Fatal(err)
	}
	if err := acks.Append(t.Context(), path, undo("h_b", 3)); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"at":"2026-02-10T01:00:00Z","ack":"h_a","digest":"ffffffffffffffff","note":"rotated \"it\"\nat last\u001b[2J"}
{"at":"2026-02-10T02:00:00Z","ack":"h_b","digest":"ffffffffffffffff"}
{"at":"2026-02-10T03:00:00Z","unack":"h_b","digest":"ffffffffffffffff"}
`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	events, bad, err := acks.Read(path)
	if diff := cmp.Diff([]acks.Event{first, event("h_b", 2), undo("h_b", 3)}, events); diff != "" || bad != nil || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", bad, err, diff)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// What was cut short, or is no event, is told and costs nothing else.
func TestBadLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "acks.jsonl")
	const good = `{"at":"2026-02-10T01:00:00Z","ack":"h_a","digest":"ffffffffffffffff"}`
	text := strings.Join([]string{
		good, "", "null", "{}", `{"ack":"h_a","digest":"ffffffffffffffff"}`, `{"at":"2026-02-10T01:00:00Z","ack":"h_a","unack":"h_a","digest":"00"}`,
		`{"at":"2026-02-10T01:00:00Z","ack":"h_a","digest":"zz"}`, strings.Repeat("x", 200_000), "\xff\xfe", `{"at":"2026-02-10T01:00:00Z","ack":"h_`,
	}, "\r\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := acks.Append(t.Context(), path, event("h_b", 2)); err != nil {
		t.Fatal(err)
	}
	events, bad, err := acks.Read(path)
	if diff := cmp.Diff([]acks.Event{event("h_a", 1), event("h_b", 2)}, events); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	const neither = "neither an acknowledgement nor the end of one"
	want := []acks.BadLine{
		{3, neither},
		{4, neither},
		{5, neither},
		{6, neither},
		{7, `strconv.ParseUint: parsing "zz": invalid syntax`},
		{8, "longer than 65536 bytes"},
		{9, `invalid character 'ÿ' looking for beginning of value`},
		{10, "unexpected end of JSON input"},
	}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAppendRefuses(t *testing.T) {
	dir := t.TempDir()
	long := event("h_a", 1)
	long.Note = strings.Repeat("x", 4097)
	path := filepath.Join(dir, "acks.jsonl")
	if err := acks.Append(t.Context(), path, event("h_b", 1), long); err == nil || err.Error() != "the note is 4097 bytes long; the limit is 4096" {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
	if _, _, err := acks.Read(dir); err == nil {
		t.Error("a folder was read")
	}
}

// Nobody's line is lost, or mixed with another's.
func TestAppendAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "acks.jsonl")
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 25 {
				if err := acks.Append(t.Context(), path, acks.Event{Target: acks.Target{ID: "h_a", Digest: int64(w*25 + i)}, At: at(1)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	events, bad, err := acks.Read(path)
	if held := acks.Holding(events); len(held) != 200 || len(events) != 200 || bad != nil || err != nil {
		t.Errorf("%d lines, %d hold, %v, %v", len(events), len(held), bad, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"at":"2026-02-10T01:00:00Z","ack":"h_a","digest":"ffffffffffffffff"}` + "\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "acks.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		before, _, err := acks.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := acks.Append(t.Context(), path, event("h_new", 1)); err != nil {
			t.Fatal(err)
		}
		after, _, err := acks.Read(path)
		if diff := cmp.Diff(append(before, event("h_new", 1)), after); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}
