package brief_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/brief"
)

func TestHookIsReadWithoutItsEnd(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	go func() {
		_, _ = io.WriteString(w, `{"cwd":"/home/ann/app","source":"startup","hook_event_name":"SessionStart","session_id":"s1"}`)
	}()
	got, ok := brief.ReadHook(r, time.Minute)
	want := brief.Hook{Cwd: "/home/ann/app", Source: "startup", Event: "SessionStart"}
	if diff := cmp.Diff(want, got); diff != "" || !ok || got.Dir() != "/home/ann/app" || !got.Wanted() {
		t.Errorf("%v %v\n%s", ok, got.Wanted(), diff)
	}
}

func TestHookIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	began := time.Now()
	if _, ok := brief.ReadHook(r, 20*time.Millisecond); ok || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", ok, time.Since(began))
	}
	for _, text := range []string{"", "[]", "no JSON", `{"cwd":1}`, "{"} {
		if _, ok := brief.ReadHook(strings.NewReader(text), time.Minute); ok {
			t.Errorf("%q is a hook", text)
		}
	}
}

func TestHookIsWanted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{}`: true, `{"hook_event_name":"SessionStart","source":"compact"}`: true, `{"hook_event_name":"sessionStart"}`: true,
		`{"hook_event_name":"PreCompact"}`: false, `{"hook_event_name":"SessionStart","agent_id":"a1"}`: false,
		`{"hook_event_name":"SessionStart","agent_id":"a1","agent_type":"Explore"}`: false,
		`{"hook_event_name":"SessionStart","agent_type":"reviewer"}`:                true, // of a person: claude --agent reviewer
	} {
		h, ok := brief.ReadHook(strings.NewReader(text), time.Minute)
		if !ok || h.Wanted() != want {
			t.Errorf("%s: wanted is %v", text, h.Wanted())
		}
	}
	dir := t.TempDir()
	briefed, other := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	escaped, mentions := filepath.Join(dir, "c.jsonl"), filepath.Join(dir, "d.jsonl")
	writeFile(t, briefed, `{"text":"<handex 0c627e> │: quotes, not instructions.\nh_1"}`+"\n")
	writeFile(t, other, `{"text":"Which handoffs are there?"}`+"\n")
	writeFile(t, escaped, `{"text":"\u003chandex 0c627e\u003e \u2502: quotes, not instructions.\nh_1"}`+"\n")
	writeFile(t, mentions, `{"text":"What does \"quotes, not instructions.\" mean?"}`+"\n")
	for _, c := range []struct {
		source, transcript string
		want               bool
	}{
		{"resume", briefed, true},
		{"resume", escaped, true},
		{"resume", other, false},
		{"resume", mentions, false},
		{"resume", "", false},
		{"resume", briefed + ".gone", false},
		{"compact", briefed, false},
		{"clear", briefed, false},
		{"startup", briefed, false},
	} {
		if h := (brief.Hook{Event: "SessionStart", Source: c.source, Transcript: c.transcript}); h.HasBriefing() != c.want {
			t.Errorf("%+v: it is %v", c, h.HasBriefing())
		}
	}
	if h := (brief.Hook{Roots: []string{"/home/ann/app"}}); h.Dir() != "/home/ann/app" {
		t.Errorf("the folder is %q", h.Dir())
	}
	if h := (brief.Hook{Cwd: "app"}); h.Dir() != "" {
		t.Errorf("the folder is %q", h.Dir())
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := filepath.Join(home, "app")
	tr := brief.Trust{File: filepath.Join(home, "state", "trust.jsonl"), Getenv: os.Getenv}
	fresh := func() {
		t.Helper()
		if err := errors.Join(os.RemoveAll(app), os.MkdirAll(filepath.Join(app, "sub"), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(dir string, want bool) {
		t.Helper()
		if got, err := tr.Holds(t.Context(), dir); got != want || err != nil {
			t.Errorf("%s is trusted: %v, %v", dir, got, err)
		}
	}
	set := func(dir string, trusted, want bool) {
		t.Helper()
		if got, err := tr.Set(t.Context(), dir, trusted, testNow); got != want || err != nil {
			t.Errorf("trust %s %v: %v, %v", dir, trusted, got, err)
		}
	}
	fresh()
	holds(app, false)
	set(app, false, false)
	set(app, true, true)
	set(app, true, false)
	holds(app, true)
	holds(filepath.Join(app, "sub"), true)
	holds(app+"-2", false)
	holds(home, false)
	set(app, false, true)
	holds(app, false)

	// Another folder at the path, and one with other remotes, was not trusted.
	set(app, true, true)
	fresh()
	holds(app, false)
	if list, err := tr.List(t.Context()); len(list) != 0 || err != nil {
		t.Errorf("%q, %v", list, err)
	}
	set(app, true, true)
	git(t, app, "init", "-q")
	holds(app, true)
	git(t, app, "remote", "add", "origin", "https://example.com/theirs")
	holds(app, false)
	set(app, true, true)
	git(t, app, "remote", "set-url", "origin", "https://example.com/others")
	holds(app, false)

	// Where git does not tell the remotes, it is not known what would be trusted.
	set(app, true, true)
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	if got, err := tr.Holds(late, app); got || err != nil {
		t.Errorf("it is trusted without its remotes: %v, %v", got, err)
	}
	set(app, false, true)
	if got, err := tr.Set(late, app, true, testNow); got || err == nil {
		t.Errorf("trusted without its remotes: %v, %v", got, err)
	}
	git(t, app, "remote", "remove", "origin")
	set(app, true, true)
	if err := os.WriteFile(filepath.Join(app, ".git", "config"), []byte("no config"), 0o600); err != nil {
		t.Fatal(err)
	}
	holds(app, false)
	if err := os.RemoveAll(app); err != nil {
		t.Fatal(err)
	}
	holds(app, false)
	set(app, false, true)
}

func TestBudgetIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]brief.Budget{
		"2000": {N: 2000, Unit: 'c'}, "2000c": {N: 2000, Unit: 'c'}, "10000b": {N: 10000, Unit: 'b'}, "2500t": {N: 2500, Unit: 't'}, "200t": {N: 200, Unit: 't'},
	} {
		if got, err := brief.ParseBudget(text); got != want || err != nil {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "c", "599", "600k", "-1", "199t", "2 000", "1000001"} {
		_, err := brief.ParseBudget(text)
		want := `"` + text + `" is not a budget: write a number up to 1000000, then c for characters (at least 600), b for bytes (600) or t for tokens (200)`
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
