package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
)

func inspector(format string) *index.Inspector {
	return &index.Inspector{Now: time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC), Zone: time.UTC, Format: format}
}

// rulesOf inspects a file below dir and lists the rules it breaks.
func rulesOf(t *testing.T, format, dir, name string) []string {
	t.Helper()
	read, err := inspector(format).Inspect(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, d := range read.Documents {
		for _, p := range d.Problems {
			rules = append(rules, fmt.Sprintf("%s %d", p.Rule, p.Line))
		}
	}
	return rules
}

func TestInspect(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const manifest = "version: 1\nsource_file: discussion/058-codex-response.md\ngenerated_at: 2026-02-09\nfrom: codex\nto: claude\nstatus: pending\n"
	h.write("p/meta/handoff.yaml", manifest)
	h.write("p/meta/collaboration.yaml", "participants: [{id: codex}, {id: claude}]\n")
	h.write("p/discussion/058-codex-response.md", "## Done\n\n- x\n")
	h.write("q/meta/handoff.yaml", manifest)
	h.write("q/elsewhere.md", "# Goals\n")
	dir := h.roots()[0].Path
	for _, c := range []struct {
		name, format string
		want         []string
	}{
		{"p/meta/handoff.yaml", "", nil},
		{"q/meta/handoff.yaml", "", []string{"company.source-missing 2", "company.collaboration-missing 4"}},
		{"q/elsewhere.md", "", nil},
		{"q/elsewhere.md", "claude-suite", []string{"claude-suite.title-line 1", "claude-suite.session-id 1", "claude-suite.purpose 1", "claude-suite.sections 1"}},
		{"q/elsewhere.md", "no such format", nil},
	} {
		if diff := cmp.Diff(c.want, rulesOf(t, c.format, dir, c.name)); diff != "" {
			t.Errorf("%s as %q (-want +got):\n%s", c.name, c.format, diff)
		}
	}
}

// A manifest leads nowhere outside of its project.
func TestInspectStaysInside(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	h := newHouse(t)
	h.write("p/meta/handoff.yaml", "version: 1\nsource_file: discussion/058-codex-response.md\ngenerated_at: 2026-02-09\nfrom: codex\nto: claude\nstatus: pending\n")
	h.write("p/meta/collaboration.yaml", "participants: [codex, claude]\n")
	h.write("p/discussion/README.md", "# x\n")
	h.write("secret.md", "## Done\n\n- secret\n")
	dir := h.roots()[0].Path
	if err := os.Symlink(filepath.Join(dir, "secret.md"), filepath.Join(dir, "p/discussion/058-codex-response.md")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"company.source-missing 2"}, rulesOf(t, "", dir, "p/meta/handoff.yaml")); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestInspectTellsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := filepath.Join(dir, "large.md")
	if err := os.WriteFile(large, []byte(strings.Repeat("x", 4<<20+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		large:                          "too large: 4194305 bytes, the limit is 4194304",
		dir:                            "not a regular file",
		filepath.Join(dir, "nowhere"):  "no such file or directory",
		filepath.Join(large, "x.yaml"): "not a directory",
	} {
		_, err := inspector("").Inspect(path)
		own, ok := errors.AsType[*index.Error](err)
		if !ok || own.Path != path || !strings.Contains(own.Err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}

func TestProjectFolders(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "my_shop")
	encoded := filepath.Join(home, ".claude", "handoffs", index.EncodeV2(project))
	inside := filepath.Join(home, ".claude", "handoffs", index.EncodeV2(filepath.Join(project, "api")))
	other := filepath.Join(home, ".claude", "handoffs", index.EncodeV2(filepath.Join(home, "other")))
	for _, dir := range []string{filepath.Join(project, "api"), encoded, inside, other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := index.RootEnv{Home: home, WorkDir: project}
	want := []string{encoded, inside, project}
	if diff := cmp.Diff(want, index.ProjectFolders(project, env, []string{filepath.Join(project, "api")})); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const log, first, second = "p/meta/handoff-log.yaml",
		"  - {source_file: discussion/001-a.md, from: a, to: b, status: sent, generated_at: 2026-01-03}\n",
		"  - {source_file: discussion/001-a.md, from: b, to: a, status: sent, generated_at: 2026-01-04}\n"
	h.write(log, "version: 1\nentries:\n"+first+second)
	h.refresh()
	hits := h.search("*").Hits
	if len(hits) != 2 {
		t.Fatalf("%d handoffs, want 2", len(hits))
	}
	for _, hit := range hits {
		d, err := inspector("").Explain(&hit.Summary)
		if err != nil || d.Entry != hit.Entry || !d.Date.Time.Equal(hit.Date) {
			t.Errorf("entry %d: %+v %v", hit.Entry, d, err)
		}
	}
	path := h.path(log)
	refused := func(want string) {
		t.Helper()
		if _, err := inspector("").Explain(&hits[0].Summary); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	h.write(log, "version: 1\nentries:\n"+second+first)
	refused("explain " + path + ": the file has changed since it was indexed")
	h.remove(log)
	refused("read " + path + ": open " + path + ": no such file or directory")
}
