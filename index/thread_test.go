package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestThreads says which handoffs of a project are open: of each case the files
// and the lines of their frontmatter, oldest first.
func TestThreads(t *testing.T) {
	t.Parallel()
	type file struct{ name, lines string }
	for _, c := range []struct {
		name  string
		files []file
		open  []string
	}{
		{"no status", []file{{"login.md", "branch: a"}, {"bills.md", "branch: b"}}, []string{"bills.md"}},
		{"done", []file{{"login.md", "status: completed"}, {"bills.md", "status: sent"}}, nil},
		{"each status", []file{
			{"a.md", "status: pending"}, {"b.md", "status: in-progress"}, {"c.md", "status: blocked"}, {"d.md", "status: failed"}, {"e.md", "status: completed"},
		}, []string{"a.md", "b.md", "c.md", "d.md"}},
		{"branch", []file{
			{"a.md", "status: pending\nbranch: login"}, {"b.md", "status: pending\nbranch: bills"}, {"c.md", "status: completed\nbranch: login"},
		}, []string{"b.md"}},
		{"work item", []file{
			{"a.md", "status: pending\nwork_queue_items: SHOP-7"}, {"b.md", "status: pending\nwork_queue_items: SHOP-8"}, {"c.md", "work_queue_items: shop-7"},
		}, []string{"b.md", "c.md"}},
		{"session", []file{
			{"a.md", "status: blocked\nsession_id: aaaa1111"}, {"b.md", "status: blocked\nsession_id: bbbb2222"}, {"c.md", "session_id: aaaa1111"},
		}, []string{"b.md", "c.md"}},
		{"name", []file{
			{"2026-02-01-login.md", "status: blocked"}, {"2026-02-02-bills.md", "status: blocked"}, {"2026-02-03-login.md", ""},
		}, []string{"2026-02-02-bills.md", "2026-02-03-login.md"}},
		{"names without a topic", []file{{"HANDOFF-1.md", "status: blocked"}, {"HANDOFF-2.md", ""}}, []string{"HANDOFF-2.md"}},
		{"names without a topic, two branches", []file{
			{"HANDOFF-1.md", "status: blocked\nbranch: login"}, {"HANDOFF-2.md", "branch: bills"},
		}, []string{"HANDOFF-1.md", "HANDOFF-2.md"}},
		{"names without a topic, one branch", []file{
			{"HANDOFF-1.md", "status: blocked"}, {"HANDOFF-2.md", "branch: bills"},
		}, []string{"HANDOFF-2.md"}},
		{"names without a topic, two work items", []file{
			{"HANDOFF-1.md", "status: blocked\nwork_queue_items: SHOP-7"}, {"HANDOFF-2.md", "work_queue_items: SHOP-8"},
		}, []string{"HANDOFF-1.md", "HANDOFF-2.md"}},
		{"names without a topic, two sessions", []file{
			{"HANDOFF-1.md", "status: blocked\nsession_id: aaaa1111"}, {"HANDOFF-2.md", "session_id: bbbb2222"},
		}, []string{"HANDOFF-2.md"}},
		{"a newer one of another topic", []file{{"login.md", "status: in-progress"}, {"HANDOFF.md", ""}}, []string{"HANDOFF.md", "login.md"}},
		{"an older one does not close", []file{{"login-1.md", ""}, {"login-2.md", "status: pending"}, {"bills.md", ""}}, []string{"bills.md", "login-2.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			h.write("app/.git/HEAD", "ref: refs/heads/main\n")
			var want []string
			for i, f := range c.files {
				// A refresh after each: the marks must follow.
				h.write("app/docs/handoffs/"+f.name, threadFile(i, f.lines))
				h.refresh()
			}
			for _, name := range c.open {
				want = append(want, "app/docs/handoffs/"+name)
			}
			h.expect("is:open", want...)
			h.expect("is:open is:closed")
			h.whole()
			h.compareWithBuild(t)
		})
	}
}

// threadFile is a handoff of the day i of a month.
func threadFile(i int, lines string) string {
	return "---\ndate: 2026-02-1" + string(rune('0'+i)) + "\n" + lines + "\n---\n\n# Handoff\n\n## Next\n\n- go on\n"
}

// TestThreadGoesOn closes a handoff and opens it again as newer ones come and go.
func TestThreadGoesOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	dir := "app/docs/handoffs/"
	h.write("app/.git/HEAD", "ref: refs/heads/main\n")
	h.write(dir+"login.md", threadFile(1, "status: blocked\nbranch: login"))
	h.write(dir+"bills.md", threadFile(2, "branch: bills"))
	step := func(want ...string) {
		t.Helper()
		h.refresh()
		h.expect("is:open", want...)
		h.whole()
	}
	step(dir+"login.md", dir+"bills.md")
	h.write(dir+"more.md", threadFile(3, "status: completed\nbranch: login"))
	step()
	h.write(dir+"more.md", threadFile(3, "status: completed\nbranch: bills"))
	step(dir + "login.md")
	h.write(dir+"bills.md", threadFile(2, "branch: login"))
	step()
	h.remove(dir + "bills.md")
	h.remove(dir + "more.md")
	step(dir + "login.md")
	if diff := cmp.Diff([]string{"open", "blocked", "latest", "stale"}, h.search("is:open").Hits[0].States); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(one, note("2026-02-01", "aaaa1111", "login form", "HUMAN REVIEW NEEDED: the keys"))
	h.write(two, note("2026-02-03", "bbbb2222", "login page", "go on"))
	h.write("app/HANDOFF.md", "# Handoff\n\n## Owner actions\n\n- approve the plan\n")
	h.refresh()
	h.expect("is:waiting", one, "app/HANDOFF.md")
	h.expect("is:waiting is:open", "app/HANDOFF.md")
	h.expect("human:approve", "app/HANDOFF.md")
	h.expect("has:human", "app/HANDOFF.md")
	if diff := cmp.Diff([]string{"closed", "escalated", "waiting", "superseded"}, h.search("is:escalated").Hits[0].States); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}
