package index_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/query"
)

// A team is a machine with a clone of a project and the mirror of what others share.
type team struct {
	t                 *testing.T
	home, app, mirror string
	key               string // of the project, a folder of the mirror
	store             *index.Store
	roots             []index.Root
	full              bool
}

func newTeam(t *testing.T) *team {
	t.Helper()
	home := resolved(t, t.TempDir())
	m := &team{t: t, home: home, app: filepath.Join(home, "webshop"), mirror: filepath.Join(home, ".local/share/handex/team/mirror")}
	m.key = filepath.Join(m.mirror, "github.com", "acme", "webshop")
	testkit.Git(t, home, "init", "-q", "--template=", "webshop")
	writeFile(t, "Unnamed", m.app, ".git", "description")
	store, err := index.Open(t.Context(), index.Options{
		Dir: filepath.Join(t.TempDir(), "index"), Now: time.Now, Archive: index.ArchiveOptions{Dir: filepath.Join(home, "archive"), KeepDays: 30},
	})
	noErr(t, err)
	t.Cleanup(func() { noErr(t, store.Close()) })
	m.store = store
	m.roots = []index.Root{{Path: filepath.Join(home, ".claude", "handoffs"), Mirror: m.mirror}, {Path: m.app, Mirror: m.mirror}, {Path: m.mirror, Mirror: m.mirror}}
	return m
}

// share writes what a member shares.
func (m *team) share(member, path, text string) string {
	m.t.Helper()
	return writeFile(m.t, text, m.key, member, "files", path)
}

// clone names the clone of the project.
func (m *team) clone(text string) {
	m.t.Helper()
	writeFile(m.t, text, m.key, "clone")
}

// list refreshes and returns a line for each handoff that a query finds, sorted.
func (m *team) list(text string) (lines []string) {
	m.t.Helper()
	_, err := m.store.Refresh(m.t.Context(), m.roots, index.RefreshOptions{Home: m.home, Full: m.full})
	noErr(m.t, err)
	q, err := query.Parse(text, query.Env{Now: time.Now()})
	noErr(m.t, err)
	found, err := m.store.Search(m.t.Context(), q, index.SearchOptions{NoSnippets: true, Roots: index.PathsOf(m.roots)})
	noErr(m.t, err)
	for _, h := range found.Hits {
		where := strings.TrimPrefix(h.Root, m.home+"/")
		lines = append(lines, cmp.Or(h.Member, "here")+" "+h.Project+" "+where+" "+h.Format+" "+filepath.Base(h.Path))
	}
	slices.Sort(lines)
	return lines
}

// check compares what is found with what a build from nothing finds, and with want.
func (m *team) check(want ...string) {
	m.t.Helper()
	got := m.list("-is:earlier limit:0")
	if diff := gocmp.Diff(want, got); diff != "" {
		m.t.Fatalf("handoffs (-want +got):\n%s", diff)
	}
	m.full = true
	if diff := gocmp.Diff(want, m.list("-is:earlier limit:0")); diff != "" {
		m.t.Fatalf("handoffs of a build (-want +got):\n%s", diff)
	}
	m.full = false
}

// What others share belongs to the project of the clone, or to one of the mirror's own,
// and follows the clone as it comes and goes.
func TestMirrorHasProjects(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	old := time.Now().Add(-time.Hour)
	for _, path := range []string{
		m.share("bob@desk", "docs/handoffs/2026-08-01-login.md", noteText+"bob\n"),
		m.share("bob@desk", "~/.claude/handoffs/-home-bob-webshop/x.md", noteText+"bob at home\n"),
		m.share("bob@desk", ".flow-guardian/handoff.yaml", "goal: Ship it\nstatus: in-progress\nnow: half way\ntimestamp: 2026-08-03T10:00:00Z\n"),
	} {
		noErr(t, os.Chtimes(path, old, old))
	}
	writeFile(t, `{"version":1}`, m.key, "bob@desk", "manifest.json")
	m.share("bob@desk", "node_modules/docs/handoffs/no.md", noteText)
	writeFile(t, noteText, m.key, "bob@desk", "handoff.md")              // not below files
	writeFile(t, noteText, m.key, "Eve@x", "files", "handoff.md")        // no member
	writeFile(t, noteText, m.key, "eve@x", "old", "files", "handoff.md") // not its files
	writeFile(t, noteText+"mine\n", m.app, "docs", "handoffs", "mine.md")
	own := ".local/share/handex/team/mirror/github.com/acme/webshop"
	flow, login, home := " flow-guardian handoff.yaml", " markdown 2026-08-01-login.md", " claude-suite x.md"
	for _, text := range []string{"", "relative\n", m.app + "-gone\n"} {
		if text != "" {
			m.clone(text)
		}
		m.check("bob@desk webshop "+own+home, "bob@desk webshop "+own+flow, "bob@desk webshop "+own+login, "here webshop webshop markdown mine.md")
	}
	m.clone(m.app + "\n")
	m.check("bob@desk webshop webshop"+home, "bob@desk webshop webshop"+flow, "bob@desk webshop webshop"+login, "here webshop webshop markdown mine.md")
	noErr(t, os.Rename(m.app, m.app+"2"))
	m.roots[1].Path += "2"
	m.check("bob@desk webshop "+own+home, "bob@desk webshop "+own+flow, "bob@desk webshop "+own+login, "here webshop2 webshop2 markdown mine.md")
	noErr(t, os.RemoveAll(m.key))
	m.check("here webshop2 webshop2 markdown mine.md")
}

// A handoff that git and the mirror bring counts once, as long as the clone is searched.
func TestMirrorHasNoCopies(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	m.clone(m.app + "\n")
	m.share("bob@desk", "docs/handoffs/login.md", noteText)
	m.share("bob@desk", "~/.claude/handoffs/-home-ann-webshop/x.md", noteText+"home\n")
	theirs := []string{"bob@desk webshop webshop claude-suite x.md", "bob@desk webshop webshop markdown login.md"}
	m.check(theirs...)
	writeFile(t, noteText, m.app, "docs", "handoffs", "login.md")
	writeFile(t, noteText+"home\n", m.home, ".claude", "handoffs", "-home-ann-webshop", "x.md")
	one := []string{"here -home-ann-webshop -home-ann-webshop claude-suite x.md", "here webshop webshop markdown login.md"}
	m.check(one...)
	all := m.roots
	m.roots = []index.Root{all[2]}
	m.check(theirs...)
	m.roots = all
	m.check(one...)
	writeFile(t, noteText+"changed\n", m.app, "docs", "handoffs", "login.md")
	m.check(theirs[1], one[0], one[1])
	m.roots = all[1:2] // without the mirror
	writeFile(t, noteText, m.app, "docs", "handoffs", "login.md")
	m.list("limit:0")
	m.roots = all
	m.check(one...)
	noErr(t, os.Rename(filepath.Join(m.app, "docs", "handoffs", "login.md"), filepath.Join(m.app, "docs", "handoffs", "moved.md")))
	m.check(theirs[1], one[0], "here webshop webshop markdown moved.md")
}

// Each member has a latest handoff, which stands until a newer one of its thread follows,
// whoever wrote that. All that others share is foreign, and none of it is archived.
func TestLatestOfMembers(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	m.clone(m.app + "\n")
	note := func(date, branch string) string {
		return "# Handoff\n\nDate: " + date + "\nBranch: " + branch + "\nStatus: in-progress\n\n## Next steps\n- merge\n"
	}
	writeFile(t, note("2026-08-01", "main"), m.app, "docs", "handoffs", "2026-08-01-a.md")
	writeFile(t, note("2026-08-02", "main"), m.app, "docs", "handoffs", "2026-08-02-a.md")
	m.share("bob@desk", "docs/handoffs/2026-08-03-b.md", note("2026-08-03", "side"))
	m.share("eve@x", "docs/handoffs/2026-08-02-c.md", note("2026-08-02", "side"))
	m.share("eve@x", "docs/handoffs/handoff.md", note("2026-08-01", "old"))
	mine, bob, eve := "here webshop webshop markdown 2026-08-02-a.md", "bob@desk webshop webshop markdown 2026-08-03-b.md", "eve@x webshop webshop markdown 2026-08-02-c.md"
	old := "eve@x webshop webshop markdown handoff.md"
	for text, want := range map[string][]string{
		"is:latest": {bob, eve, mine}, "is:open": {bob, old, mine}, "member:eve@x": {eve, old}, "member:ev*": {eve, old},
	} {
		if diff := gocmp.Diff(want, m.list(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	found, err := m.store.Latest(t.Context(), m.app)
	noErr(t, err)
	foreign := index.Foreign(t.Context(), found, func(string) string { return m.home })
	for _, h := range found {
		if foreign[h.ID] != (h.Member != "") {
			t.Errorf("%s of %q: foreign %v", h.Path, h.Member, foreign[h.ID])
		}
	}
	m.share("eve@x", "docs/handoffs/handoff.md", note("2026-08-01", "other"))
	m.check(bob, eve, old, "here webshop webshop markdown 2026-08-01-a.md", mine)
	if names, err := os.ReadDir(filepath.Join(m.home, "archive")); err == nil && len(names) > 0 {
		t.Errorf("the archive has %v", names)
	}
}

// A refresh of one project looks at what others share of it, new members too.
func TestMirrorOfOneProject(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	m.clone(m.app + "\n")
	m.share("bob@desk", "docs/handoffs/login.md", noteText)
	writeFile(t, noteText, m.mirror, "github.com", "acme", "other", "bob@desk", "files", "handoff.md")
	for n, want := range []int{1, 2} {
		_, err := m.store.Refresh(t.Context(), m.roots, index.RefreshOptions{Home: m.home, Only: m.app})
		noErr(t, err)
		recent, err := m.store.Recent(t.Context(), m.app, 5)
		noErr(t, err)
		if len(recent.Handoffs) != want {
			t.Errorf("refresh %d: %d handoffs, want %d", n, len(recent.Handoffs), want)
		}
		m.share("eve@x", "docs/handoffs/new.md", noteText)
	}
	if got := m.list("limit:0"); len(got) != 3 {
		t.Errorf("all: %v", got)
	}
}
