package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A desk is a machine at work in a project.
type desk struct{ *machine }

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{newMachine(t)}
	d.env["HANDEX_ROOTS"] = d.work
	return d
}

// wrote runs the program and returns what it wrote.
func (d *desk) wrote(t *testing.T, args ...string) string {
	t.Helper()
	return strings.TrimSpace(d.must(t, 0, args...).stdout)
}

// refuse runs the program, which must end with a status, and returns what it says.
func (d *desk) refuse(t *testing.T, status int, args ...string) string {
	t.Helper()
	return d.must(t, status, args...).stderr
}

func (d *desk) read(t *testing.T, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.work, rel))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// names lists a folder, hidden files too.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

const guardian = ".flow-guardian/handoff.yaml"

// The test plan of flow-guardian's specification, by the names it gives.
func TestFlowGuardianSpecification(t *testing.T) {
	t.Parallel()
	t.Run("test_load_nonexistent", func(t *testing.T) {
		d := newDesk(t)
		d.refuse(t, 1, "latest", "--path")
		d.refuse(t, 1, "clear")
		if got := names(t, d.work); len(got) > 0 {
			t.Errorf("looking for a handoff made %v", got)
		}
	})
	t.Run("test_save_creates_directory", func(t *testing.T) {
		d := newDesk(t)
		got := d.wrote(t, "write", "--as", "flow-guardian", "--save", "--set", "goal=g", "--set", "status=in_progress", "--set", "now=n")
		if want := filepath.Join(d.work, guardian); got != want || d.read(t, guardian) == "" {
			t.Errorf("saved as %s, want %s", got, want)
		}
	})
	t.Run("test_save_validates_required", func(t *testing.T) {
		d := newDesk(t)
		all := map[string]string{"goal": "g", "status": "blocked", "now": "n"}
		for missing := range all {
			args := []string{"write", "--as", "flow-guardian", "--save"}
			for key, value := range all {
				if key != missing {
					args = append(args, "--set", key+"="+value)
				}
			}
			want := "handex: not a valid flow-guardian handoff: no " + missing + "\n"
			if told := d.refuse(t, 2, args...); told != want {
				t.Errorf("%q, want %q", told, want)
			}
		}
		if told := d.refuse(t, 2, "write", "--as", "flow-guardian", "--save", "--set", "goal=g", "--set", "status=done", "--set", "now=n"); !strings.Contains(told, `"done"`) {
			t.Errorf("a status that is none: %q", told)
		}
		if got := names(t, d.work); len(got) > 0 {
			t.Errorf("a refusal made %v", got)
		}
	})
	t.Run("test_update_merges", func(t *testing.T) {
		d := newDesk(t)
		d.save(t, guardian, "goal: g\nstatus: in_progress\nnow: n\nown: kept\ntimestamp: 2026-01-17T10:30:00Z\n")
		d.wrote(t, "update", "now=m", "hypothesis=h")
		want := "goal: g\nstatus: in_progress\nnow: m\nown: kept\ntimestamp: \"2026-02-10T12:00:00Z\"\nhypothesis: h\n"
		if got := d.read(t, guardian); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	for name, mark := range map[string]string{"test_find_project_root_git": ".git", "test_find_project_root_flow_guardian": ".flow-guardian", "pyproject": "pyproject.toml"} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.save(t, mark+"/x", "")
			d.save(t, "src/deep/x", "")
			want := filepath.Join(d.work, guardian)
			if got := d.wrote(t, "path", "--as", "flow-guardian", filepath.Join(d.work, "src", "deep")); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// ACT's specification on storage and retention.
func TestACTSpecification(t *testing.T) {
	t.Parallel()
	save := func(t *testing.T, d *desk, minute string) string {
		t.Helper()
		var err error
		if d.now, err = time.Parse(time.DateTime, "2026-02-02 "+minute+":00"); err != nil {
			t.Fatal(err)
		}
		return d.wrote(t, "write", "--as", "act", "--save", "--set", "session=s", "--set", "goal=at "+minute,
			"--section", "done=- d", "--section", "next=- n", "--section", "state=s")
	}
	expect := func(t *testing.T, d *desk, latest string, want ...string) {
		t.Helper()
		folder := filepath.Join(d.work, ".act", "handoffs")
		if got := strings.Join(names(t, folder), " "); got != strings.Join(want, " ") {
			t.Errorf("the folder holds %s, want %s", got, strings.Join(want, " "))
		}
		if to, err := os.Readlink(filepath.Join(folder, want[len(want)-1])); err != nil || to != latest {
			t.Errorf("the link leads to %s, want %s: %v", to, latest, err)
		}
	}
	t.Run("storage", func(t *testing.T) {
		d := newDesk(t)
		if got, want := save(t, d, "10:30"), filepath.Join(d.work, ".act/handoffs/2026-02-02-1030.xml"); got != want {
			t.Errorf("saved as %s, want %s", got, want)
		}
		save(t, d, "14:00")
		expect(t, d, "2026-02-02-1400.xml", "2026-02-02-1030.xml", "2026-02-02-1400.xml", "latest.xml")
	})
	t.Run("retention of 5 by default", func(t *testing.T) {
		d := newDesk(t)
		for _, minute := range []string{"10:00", "10:01", "10:02", "10:03", "10:04", "10:05", "10:06"} {
			save(t, d, minute)
		}
		expect(t, d, "2026-02-02-1006.xml", "2026-02-02-1002.xml", "2026-02-02-1003.xml", "2026-02-02-1004.xml", "2026-02-02-1005.xml", "2026-02-02-1006.xml", "latest.xml")
	})
	t.Run("retention and format as configured", func(t *testing.T) {
		d := newDesk(t)
		d.save(t, ".act/config.yaml", "handoff:\n  maxFiles: 2\n  format: md\n  autoSave: true\n")
		for _, minute := range []string{"10:00", "10:01", "10:02"} {
			save(t, d, minute)
		}
		expect(t, d, "2026-02-02-1002.md", "2026-02-02-1001.md", "2026-02-02-1002.md", "latest.md")
	})
	t.Run("the clock set back", func(t *testing.T) {
		d := newDesk(t)
		d.save(t, ".act/config.yaml", "handoff:\n  maxFiles: 1\n")
		save(t, d, "10:30")
		save(t, d, "09:00")
		expect(t, d, "2026-02-02-0900.xml", "2026-02-02-0900.xml", "latest.xml")
	})
}
