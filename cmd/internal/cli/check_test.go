package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/hostile"
)

// lay writes files below the working folder of a machine.
func (m *machine) lay(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(m.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	validFlow = "goal: x\nstatus: blocked\nnow: y\ntimestamp: 2026-01-17T10:30:00Z\n"
	legacy    = "source_file: notes.md\nfrom: a\nto: a\n"
)

func TestCheckStatus(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.lay(t, map[string]string{
		"good/.flow-guardian/handoff.yaml": validFlow,
		"warned/meta/handoff.yaml":         legacy,
		"bad/.flow-guardian/handoff.yaml":  "goal: x\n",
		"none/notes.txt":                   "nothing",
		"deep/a/b/c/HANDOFF.md":            "# Handoff\n\n- [ ] a\n",
	})
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{"good"}},
		{0, []string{"good/.flow-guardian/handoff.yaml", "deep"}},
		{0, []string{"warned"}},
		{1, []string{"warned", "--strict"}},
		{0, []string{"good", "--strict"}},
		{1, []string{"bad"}},
		{1, []string{"bad", "good", "--sarif"}},
		{1, []string{"bad", "--github"}},
		{1, []string{"bad", "--json"}},
		{0, []string{"none"}},
		{1, []string{"--root", m.work}},
		{0, []string{"--root", filepath.Join(m.work, "good")}},
		{2, []string{"--root", filepath.Join(m.work, "nowhere")}},
		{2, []string{"nowhere/handoff.yaml"}},
		{2, []string{"nowhere.md", "good"}},
		{2, []string{"good", "--as", "goof"}},
		{2, []string{"good", "--paths"}},
		{2, []string{"is:nothing", "--root", m.work}},
		{2, []string{"good", "is:open", "projct:x", "--root", m.work}},
		{1, []string{"format:flow-guardian", "--root", m.work}},
		{0, []string{"is:warned", "--root", m.work}},
		{1, []string{"is:warned", "--root", m.work, "--strict"}},
		{0, []string{"goal:zebra", "--root", m.work}},
		{0, []string{"path:good/.flow-guardian/handoff.yaml", "--root", m.work}},
		{0, []string{"/zebra[0-9]/", "--root", m.work}},
		{0, []string{`"zebra/x.md"`, "--root", m.work}},
	} {
		t.Run(fmt.Sprint(c.args), func(t *testing.T) { m.must(t, c.status, append([]string{"check"}, c.args...)...) })
	}
}

// A limit that is asked for holds; otherwise all are checked, however many.
func TestCheckHasNoLimit(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("p%02d/.flow-guardian/handoff.yaml", i)] = "goal: x\n"
	}
	m.lay(t, files)
	for args, want := range map[string]int{"is:invalid": 60, "is:invalid limit:7": 7} {
		if got := m.checked(t, 1, args, "--root", m.work); got.Files != want || got.Errors != 3*want {
			t.Errorf("%s: %d files, %d errors", args, got.Files, got.Errors)
		}
	}
}

// What JSON says of a check.
type checkedJSON struct {
	Files, Errors, Warnings int
	Findings                []struct {
		Path, ID, Severity, Rule, Message string
		Entry, Line, Column               int
	}
	Unread []struct{ Path, Reason string }
}

func (m *machine) checked(t *testing.T, status int, args ...string) checkedJSON {
	t.Helper()
	var out checkedJSON
	if err := json.Unmarshal([]byte(m.must(t, status, append([]string{"check", "--json"}, args...)...).stdout), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// broken is a tree in which most rules of the specifications are broken.
func broken(t *testing.T, m *machine) {
	t.Helper()
	hostile.Write(t, m.work)
	m.lay(t, map[string]string{
		"a/.flow-guardian/handoff.yaml": "goal:\nstatus: done\ntimestamp: noon\nfiles: x\n",
		"b/.flow-guardian/handoff.yaml": "goal: [\n",
		"c/.flow-guardian/handoff.yaml": validFlow,
		"a/meta/handoff.yaml":           "version: 2\nsource_file: x\ngenerated_at: noon\nfrom: a\nto: a\nstatus: x\nfiles_changed: [/x]\n",
		"b/meta/handoff.yaml":           legacy,
		"c/meta/handoff.yaml":           "version: 1\nsource_file: discussion/001-x-response.md\ngenerated_at: 2026-01-01\nfrom: a\nto: b\nstatus: sent\nwork_queue_items: [x]\n",
		"c/meta/collaboration.yaml":     "participants: [{id: a}]\n",
		"a/.act/handoffs/x.xml":         "<context_handoff>\n<current_state>\nPhase: 9/6\n</current_state>\n</context_handoff>\n",
		"a/.bon/handoffs/x.md":          "# Handoff\n\npurpose: x\n",
		"a/docs/handoffs/log.md":        "# Log\n\n## 2026-01-01\n\n- a\n\n## 2026-01-02\n\n- b\n\n## 2026-01-03\n\n```\nopen\n",
	})
}

// What check says of a tree, the index knows as well.
func TestCheckIsWhatTheIndexKnows(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	broken(t, m)
	checked := m.checked(t, 2, m.work)
	byHandoff := map[string][2]map[string]bool{} // rules, and those that are errors
	for _, f := range checked.Findings {
		key := fmt.Sprintf("%s %d", f.Path, f.Entry)
		if byHandoff[key][0] == nil {
			byHandoff[key] = [2]map[string]bool{{}, {}}
		}
		byHandoff[key][0][f.Rule] = true
		if f.Severity == "error" {
			byHandoff[key][1][f.Rule] = true
		}
	}
	all, invalid := map[string]int{}, map[string]int{}
	for _, rules := range byHandoff {
		for rule := range rules[0] {
			all[rule]++
			if len(rules[1]) > 0 {
				invalid[rule]++
			}
		}
	}
	if len(all) < 30 || len(invalid) < 8 {
		t.Fatalf("%d rules are broken, %d beside an error: too few to tell", len(all), len(invalid))
	}
	for query, want := range map[string]map[string]int{"": all, "is:invalid": invalid} {
		if diff := cmp.Diff(want, m.counted(t, query)); diff != "" {
			t.Errorf("count-by:problem of %q (-check +search):\n%s", query, diff)
		}
	}
	if byQuery := m.checked(t, 1, "(is:invalid OR is:warned)", "--root", m.work); byQuery.Errors != checked.Errors || byQuery.Warnings != checked.Warnings {
		t.Errorf("by a query %d errors, %d warnings; from the disk %d, %d", byQuery.Errors, byQuery.Warnings, checked.Errors, checked.Warnings)
	}
}

// counted is how many handoffs of a query break each rule, as the index has it.
func (m *machine) counted(t *testing.T, query string) map[string]int {
	t.Helper()
	var answer struct {
		Buckets []struct {
			Values []string
			Count  int
		}
	}
	text := m.must(t, 0, "search", "--json", "--limit=0", "--root", m.work, query+" count-by:problem").stdout
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, b := range answer.Buckets {
		if b.Values[0] != "" {
			got[b.Values[0]] = b.Count
		}
	}
	return got
}
