package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/index/testkit"
)

// seen is what the JSON of show and status says of a file.
type seen struct {
	Problems []struct{ Rule, Message string }
	Skipped  []struct{ Path, Reason string }
	Hits     []struct{ Path string }
}

func decode(t *testing.T, text string) seen {
	t.Helper()
	var s seen
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return s
}

// Every hostile file is told as a problem or a skip, every good one is found,
// and it takes no time to speak of.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	const slow = 20 * time.Second // some fifty files, on a slow machine under the race detector
	m := newMachine(t)
	cases := hostile.Write(t, m.work)
	started := time.Now()
	m.must(t, 0, "index", "--root", m.work)
	if took := time.Since(started); took > slow {
		t.Errorf("indexing took %v", took)
	}
	skipped := decode(t, m.must(t, 0, "status", "--json", "--root", m.work).stdout).Skipped
	for _, c := range testkit.Some(cases, 3) {
		t.Run(fmt.Sprintf("%.40q", filepath.Base(c.Path)), func(t *testing.T) {
			reason := regexp.MustCompile(c.Reason)
			if c.Want == hostile.Skip {
				told := slices.ContainsFunc(skipped, func(s struct{ Path, Reason string }) bool { return s.Path == c.Path && reason.MatchString(s.Reason) })
				if !told && !isFolder(c.Path) {
					t.Errorf("no skip with a reason that matches %s", c.Reason)
				}
				return
			}
			checkShown(t, m, c, reason)
			checkFound(t, m, c)
		})
	}
}

// isFolder reports whether path leads to a folder: a link to one within the
// root is passed by without a word, since all below is found by its own name.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func checkShown(t *testing.T, m *machine, c hostile.Case, reason *regexp.Regexp) {
	t.Helper()
	shown := decode(t, m.must(t, 0, "show", "--json", "--no-refresh", "--root", m.work, "--", c.Path).stdout)
	var said []string
	for _, p := range shown.Problems {
		said = append(said, p.Rule+": "+p.Message)
	}
	switch {
	case c.Want == hostile.OK && c.Reason != "" && len(said) > 0:
		t.Errorf("problems %q, want none", said)
	case c.Want == hostile.Problem && !slices.ContainsFunc(said, reason.MatchString):
		t.Errorf("problems %q, want one that matches %s", said, c.Reason)
	}
}

func checkFound(t *testing.T, m *machine, c hostile.Case) {
	t.Helper()
	if c.Word == "" {
		return
	}
	found := decode(t, m.must(t, 0, "search", "--json", "--no-refresh", "--root", m.work, c.Word).stdout)
	// JSON has no bytes that are not UTF-8.
	path := strings.Map(func(r rune) rune { return r }, c.Path)
	if len(found.Hits) == 0 || found.Hits[0].Path != path {
		t.Errorf("a search for %s finds %v", c.Word, found.Hits)
	}
}

var ownColor = regexp.MustCompile(`\x1b\[[0-9;]*[mK]`)

// Whatever stands in a file, nothing that could act on a terminal is written,
// but the program's own colours.
func TestNothingActsOnTheTerminal(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	hostile.Write(t, m.work)
	m.lay(t, map[string]string{"docs/handoffs/\x1b[2J\n::error::\u202e.json": "{\x1b]0;x\a \u202e ::error::"})
	m.must(t, 0, "index", "--root", m.work)
	commands := [][]string{ // those that write for a person
		{"search", "--limit=0"},
		{"search", "--limit=0", "--format=short", "hostile*"},
		{"search", "--limit=0", "--format=full"},
		{"search", "--limit=0", "group-by:project,session"},
		{"search", "count-by:session,branch"},
		{"values", "file"},
		{"status"},
		{"index"},
		{"search", "\x1b]0;x\a \u202e is:opne\x9b"},
		{"show", "\x1b[2J"},
		{"why", "\x1b[2J\n"},
		{"check", m.work},
		{"check", "is:invalid"},
		{"check", "\x1b[2J/x.md"},
		{"help", "\x1b[2J"},
		{"\x1b[2J"},
	}
	programs := [][]string{ // those that write the same whatever the width
		{"search", "--limit=0", "--plain"},
		{"search", "--limit=0", "--format=csv"},
		{"search", "--limit=0", "--format=md"},
		{"search", "--limit=0", "--paths"},
		{"search", "--limit=0", "--json"},
		{"search", "--limit=0", "--jsonl"},
		{"search", "--limit=0", "--format={{.path}} {{.text}} {{.title}}"},
		{"index", "--full"},
		{"check", m.work, "--github"},
		{"check", m.work, "--sarif"},
		{"check", m.work, "--plain"},
		{"check", m.work, "--json"},
	}
	for _, width := range []int{0, 80} {
		m.width = width
		list := slices.Concat(commands, programs)
		if !testkit.Long() && width > 0 {
			list = commands
		} else if !testkit.Long() {
			list = programs
		}
		for _, args := range list {
			out := m.run(t.Context(), append(args, "--color=always", "--no-refresh", "--root", m.work)...)
			text := ownColor.ReplaceAllString(out.stdout+out.stderr, "")
			if i := strings.IndexFunc(text, acts); i >= 0 {
				t.Errorf("%q at width %d writes %q", args, width, text[max(i-20, 0):min(i+20, len(text))])
			}
			if out.stdout+out.stderr == "" {
				t.Errorf("%q writes nothing", args)
			}
		}
	}
}

// acts reports whether a terminal could take a character for a command, or a
// person not see it.
func acts(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7F && r < 0xA0 || r == 0x202E || r == 0x200B || r >= 0xE0000 && r < 0xE0080
}
