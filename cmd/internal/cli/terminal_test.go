package cli_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withTree gives a machine the projects of testdata/tree.
func withTree(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	if err := os.CopyFS(m.work, os.DirFS("testdata/tree")); err != nil {
		t.Fatal(err)
	}
	if err := age(m.work); err != nil {
		t.Fatal(err)
	}
	m.env["HANDEX_ROOTS"] = m.work
	return m
}

var shortID = regexp.MustCompile(`h_[0-9a-f]{6}`)

func TestTerminal(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	m.width = 80
	got := shortID.ReplaceAllString(m.must(t, 0, "search", "token", "--color=never").stdout, "h_xxxxxx")
	want := "" +
		" 1  h_xxxxxx  yesterday   shop  open escalated  Token families are live; VAT is…\n" +
		"    done:7  Deployed the token families\n" +
		" 2  h_xxxxxx  5 days ago  shop  replaced        Shoppers stay logged in while t…\n" +
		"    done:7  Refresh the access token before it expires (shop-rotevi)\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for line := range strings.SplitSeq(got, "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}

// TestCountComesLast: how many of the hits are shown is told behind them.
func TestCountComesLast(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	m.width = 80
	for _, pager := range []string{"cat", "sed 's/^/|/'"} {
		m.env["HANDEX_PAGER"] = pager
		screen := m.screen(t, "search", "is:open", "limit:1", "--ids")
		mark := strings.Repeat("|", strings.Count(pager, "|"))
		want := mark + "h_xxxxxx\nhandex: 1 of 5 shown; limit:0 shows all\n"
		if got := handexID.ReplaceAllString(screen, "h_xxxxxx"); got != want {
			t.Errorf("%s: %q, want %q", pager, got, want)
		}
	}
}

func TestColorIsAChoice(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	tests := []struct {
		width int
		env   map[string]string
		flag  string
		want  bool
	}{
		{80, nil, "", true},
		{0, nil, "", false},
		{80, map[string]string{"NO_COLOR": "1"}, "", false},
		{80, map[string]string{"TERM": "dumb"}, "", false},
		{0, map[string]string{"FORCE_COLOR": "1"}, "", true},
		{0, map[string]string{"CLICOLOR_FORCE": "1"}, "", true},
		{0, map[string]string{"CLICOLOR_FORCE": "0"}, "", false},
		{0, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "", false},
		{80, map[string]string{"NO_COLOR": "1"}, "--color=always", true},
		{80, nil, "--color=never", false},
	}
	for _, test := range tests {
		m.width = test.width
		maps.Copy(m.env, test.env)
		args := []string{"search", "token"}
		if test.flag != "" {
			args = append(args, test.flag)
		}
		if got := strings.Contains(m.must(t, 0, args...).stdout, "\x1b["); got != test.want {
			t.Errorf("width %d, %v %s: colour is %t", test.width, test.env, test.flag, got)
		}
		for key := range test.env {
			delete(m.env, key)
		}
	}
}

func TestRawIsMadeSafeForATerminal(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	path := filepath.Join(m.work, "shop/.bon/handoffs/2026-02-09-bbbb2222.md")
	if err := os.WriteFile(path, []byte("# Handoff\n\npurpose: \x1b[2Jx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := m.must(t, 0, "show", "--raw", path).stdout; got != "# Handoff\n\npurpose: \x1b[2Jx\n" {
		t.Errorf("to a pipe: %q", got)
	}
	m.width = 80
	out := m.must(t, 0, "show", "--raw", path)
	if want := "# Handoff\n\npurpose: ^[[2Jx\n"; out.stdout != want {
		t.Errorf("to a terminal: %q, want %q", out.stdout, want)
	}
	if want := "handex: note: control characters are made visible; a file or pipe gets the exact bytes\n"; out.stderr != want {
		t.Errorf("%q, want %q", out.stderr, want)
	}
}

func TestPager(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	m.width = 80
	seen := filepath.Join(t.TempDir(), "seen")
	m.env["HANDEX_PAGER"] = "tee " + seen
	m.must(t, 0, "search", "token")
	text, err := os.ReadFile(seen)
	if err != nil || !strings.Contains(string(text), "Token families") {
		t.Errorf("the pager saw %q, %v", text, err)
	}
	// less alone would show escape sequences as text, and stay for one line.
	for less, want := range map[string]string{"": "FRX", "-S": os.Getenv("LESS")} {
		m.env["LESS"], m.env["HANDEX_PAGER"] = less, `cat >/dev/null; printf %s "$LESS" >`+seen
		m.must(t, 0, "search", "token")
		if text, err := os.ReadFile(seen); err != nil || string(text) != want {
			t.Errorf("with LESS=%s the pager is told %q, %v", less, text, err)
		}
	}
	m.env["HANDEX_PAGER"] = "tee " + seen
	for _, args := range [][]string{{"search", "nosuchword"}, {"search", "token", "--no-pager"}, {"search", "token", "--json"}} {
		_ = os.Remove(seen)
		m.run(t.Context(), args...)
		if _, err := os.Stat(seen); err == nil {
			t.Errorf("%v starts the pager", args)
		}
	}
	// One that is left early, or fails, leaves the answer's status.
	m.env["HANDEX_PAGER"] = "exit 3"
	m.must(t, 0, "search", "token", "--format=full")
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := m.run(ctx, "search", "token")
	if out.status != 130 || out.stdout != "" {
		t.Errorf("status %d, %q, %q", out.status, out.stdout, out.stderr)
	}
}

// TestHomeOnTerminal: the hits of both lists are numbered as one.
func TestHomeOnTerminal(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	m.width = 80
	got := shortID.ReplaceAllString(m.must(t, 0, "--color=never").stdout, "h_xxxxxx")
	for _, want := range []string{"Latest handoff of all projects\n 1  h_xxxxxx  ", "\nOpen escalations\n 2  h_xxxxxx  "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestHitsAreNumbered: a number is the place of a hit in the last list on a terminal.
func TestHitsAreNumbered(t *testing.T) {
	t.Parallel()
	m := withTree(t)
	ids := strings.Fields(m.must(t, 0, "search", "--ids").stdout)
	if out := m.must(t, 2, "show", "1"); !strings.Contains(out.stderr, "no list was shown yet") {
		t.Errorf("before any list: %q", out.stderr)
	}
	m.width = 80
	m.must(t, 0, "search")
	m.width = 0
	m.must(t, 0, "search", "limit:1") // to a pipe: the list stays
	m.must(t, 0, "find", "limit:1", "--json")
	for n, id := range ids {
		if got := strings.TrimSpace(m.must(t, 0, "show", strconv.Itoa(n+1), "--ids").stdout); got != id {
			t.Errorf("%d is %s, want %s", n+1, got, id)
		}
	}
	m.must(t, 0, "ack", "2")
	if got := strings.TrimSpace(m.must(t, 0, "search", "is:acked", "--ids").stdout); got != ids[1] {
		t.Errorf("acknowledged %s, want %s", got, ids[1])
	}
	for _, n := range []string{"0", "7", "99"} {
		want := "handex: no hit " + n + ": the last list has 6 handoffs\n"
		if out := m.must(t, 2, "show", n); out.stderr != want {
			t.Errorf("%q, want %q", out.stderr, want)
		}
	}
	// A list that cannot be kept is still shown, and no older one is taken for it.
	m.width = 80
	list := filepath.Join(m.home, ".state/handex/list")
	if err := errors.Join(os.Remove(list), os.Mkdir(list, 0o700)); err != nil {
		t.Fatal(err)
	}
	m.must(t, 0, "search", "limit:1", "--format=table")
	m.must(t, 2, "show", "1")
}
