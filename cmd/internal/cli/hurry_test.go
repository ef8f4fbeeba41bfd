package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// anewForThis ends the note of a briefing that the index could not be had for.
const anewForThis = "; for this run, the newest handoffs of the project are read from the disk\n"

// project makes the working folder a project with a handoff, in a tree of others.
func (m *machine) project(t *testing.T) {
	t.Helper()
	tree := m.work
	for i := range 30 {
		m.work = filepath.Join(tree, fmt.Sprintf("p%02d", i))
		m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
		m.save(t, "HANDOFF.md", strings.ReplaceAll(handoffText, "Write", fmt.Sprintf("Write (%d)", i)))
	}
	m.env["HANDEX_ROOTS"] = tree
}

// generations are the files of the index.
func (m *machine) generations(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(m.home, ".cache", "handex", "index-v*.db"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	return texts
}

// indexed is how many handoffs the index holds as it is.
func (m *machine) indexed(t *testing.T) int {
	t.Helper()
	s, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(m.home, ".cache", "handex"), Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	status, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return status.Handoffs
}

// expectBriefing runs handex brief and looks for a line of it and the end of what it
// says on standard error.
func (m *machine) expectBriefing(t *testing.T, line, stderr string) {
	t.Helper()
	out, _ := m.briefed(t, strings.NewReader(""), "--timeout", "20s")
	said := out.stderr == stderr || stderr != "" && strings.HasSuffix(out.stderr, stderr) && strings.Count(out.stderr, "\n") == 1
	if out.status != 0 || !strings.Contains(out.stdout, "│"+line+"\n") || !said {
		t.Errorf("%+v, want the line %q and the note %q", out, line, stderr)
	}
}

// Without an index, or with that of another version of the program, a session is
// told of its project, and nobody else's files are read for it.
func TestBriefWithoutAnIndex(t *testing.T) {
	m := newMachine(t)
	m.project(t)
	old := filepath.Join(m.home, ".cache", "handex")
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"CURRENT-v1": "index-v1-0001.db\n", "index-v1-0001.db": "old"} {
		if err := os.WriteFile(filepath.Join(old, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.expectBriefing(t, "- Write (29) the price rules", "")
	if n := m.indexed(t); n != 1 {
		t.Errorf("%d handoffs are indexed for it", n)
	}
	if got := m.generations(t)[filepath.Join(old, "index-v1-0001.db")]; got != "old" {
		t.Errorf("the index of another version is now %q", got)
	}
	m.must(t, 0, "search", "price")
	if n := m.indexed(t); n != 30 {
		t.Errorf("a search finds %d handoffs", n)
	}
	m.expectBriefing(t, "- Write (29) the price rules", "")
}

// Of a project with more files than there is time for the newest are read first, and
// the others in the next sessions.
func TestBriefOfManyFiles(t *testing.T) {
	m := newMachine(t)
	m.save(t, ".git/HEAD", "ref: refs/heads/main\n")
	const files = 300
	for i := range files {
		name := fmt.Sprintf("docs/handoffs/2026-02-01-%03d.md", i)
		m.save(t, name, strings.ReplaceAll(handoffText, "Write", fmt.Sprintf("Write (%d)", i)))
		at := time.Date(2026, 2, 1, 0, i, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(m.work, filepath.FromSlash(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		note    string
		indexed int
	}{{"handex: note: 44 older files of the project are left for the next run\n", 256}, {"", files}, {"", files}} {
		m.expectBriefing(t, "- Write (299) the price rules", c.note)
		if n := m.indexed(t); n != c.indexed {
			t.Errorf("%d handoffs are indexed, want %d", n, c.indexed)
		}
	}
}

// A session that comes by damage is told from an index for the run and sets the
// damaged one aside: the next sessions index their project, the next search all.
func TestBriefWithADamagedIndex(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"no database": func(string) string { return "no database at all, but not empty either" },
		"a word":      func(text string) string { return strings.ReplaceAll(text, "the price rules", "the prize rules") },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.project(t)
			m.must(t, 0, "search", "price")
			damaged := map[string]string{}
			for path, text := range m.generations(t) {
				if damaged[path] = damage(text); damaged[path] == text {
					t.Fatalf("nothing to damage in %s", path)
				}
				if err := os.WriteFile(path, []byte(damaged[path]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			m.expectBriefing(t, "- Write (29) the price rules", anewForThis)
			m.expectBriefing(t, "- Write (29) the price rules", "")
			if n := m.indexed(t); n != 1 {
				t.Errorf("%d handoffs are indexed anew for the sessions", n)
			}
			m.must(t, 0, "search", "price")
			m.expectBriefing(t, "- Write (29) the price rules", "")
		})
	}
}

// In another zone a session is told what is new without anything else being read
// anew, which the next search does.
func TestBriefInAnotherZone(t *testing.T) {
	m := newMachine(t)
	m.project(t)
	manifest := func(goal, hour string) string {
		return "goal: " + goal + "\nstatus: in_progress\nnow: " + goal + "\ntimestamp: 2026-02-01T" + hour + ":00:00\n"
	}
	m.save(t, "../p00/.flow-guardian/handoff.yaml", manifest("prices", "10"))
	hours := func() string {
		return m.must(t, 0, "search", "--no-refresh", "format:flow-guardian", "--format", "{{.goal}} {{.date}}").stdout
	}
	m.must(t, 0, "search", "price")
	m.zone = time.FixedZone("travel", 5*3600)
	built := m.generations(t)
	m.expectBriefing(t, "- Write (29) the price rules", "")
	m.save(t, ".flow-guardian/handoff.yaml", manifest("taxes", "18"))
	m.expectBriefing(t, "taxes", "")
	for path := range m.generations(t) {
		if _, ok := built[path]; !ok {
			t.Errorf("%s was built for a briefing", path)
		}
	}
	if got, want := hours(), "taxes 2026-02-01T18:00:00+05:00\nprices 2026-02-01T15:00:00+05:00\n"; got != want {
		t.Errorf("before a search %q, want %q", got, want)
	}
	m.must(t, 0, "search", "price")
	if got, want := hours(), "taxes 2026-02-01T18:00:00+05:00\nprices 2026-02-01T10:00:00+05:00\n"; got != want {
		t.Errorf("after a search %q, want %q", got, want)
	}
}
