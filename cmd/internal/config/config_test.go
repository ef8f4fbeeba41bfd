package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/index"
)

const userConfig = `# My settings: do not lose me.
color = "never" # trailing

[[roots]]
path = "/a" # first
include = [
  "**/*.md",
]

# The second one.
[[roots]]
path = "~/b"
exclude = ["old/**"]

[ui]
width = 80
text = """
[[roots]]
path = "/not-a-root"
"""
`

func TestLoadRoots(t *testing.T) {
	t.Parallel()
	p := placesOf(t, "")
	dir := filepath.Dir(p.File())
	for _, tc := range []struct {
		name, text string
		want       []index.Root
		err        string
	}{
		{"empty", "", nil, ""},
		{"none", "date = 'iso'\n", nil, ""},
		{"some", strings.NewReplacer("color", "pager").Replace(strings.Split(userConfig, "[ui]")[0]), []index.Root{{Path: "/a", Include: []string{"**/*.md"}}, {Path: filepath.Join(p.Home, "b"), Exclude: []string{"old/**"}}}, ""},
		{"inline", `roots = [{path = "x/../y"}]`, []index.Root{{Path: filepath.Join(dir, "y")}}, ""},
		{"no path", "[[roots]]\ninclude = []\n", nil, ": roots 1: no path"},
		{"misspelt", "[[roots]]\npath = \"/a\"\nexlude = [\"x\"]\n", nil, `:3:1: unknown key "roots.exlude"; the keys are path, include and exclude`},
		{"bad glob", "[[roots]]\npath = \"/a\"\n[[roots]]\npath = \"/b\"\ninclude = [\"[\"]\n", nil, `: roots 2: /b: include "[" is not a glob`},
		{"bad toml", "date = 'iso'\n[[roots]\n", nil, ":2:8: expected ']]' to close array table name"},
		{"wrong type", "[[roots]]\npath = 3\n", nil, ":2:8: cannot decode TOML integer into struct field config.rootTable.Path of type string"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			noErr(t, os.WriteFile(p.File(), []byte(tc.text), 0o600))
			c, err := p.Load()
			if text := fmt.Sprint(err); tc.err == "" && err != nil || tc.err != "" && text != p.File()+tc.err {
				t.Fatalf("error is %s, want %s%s", text, p.File(), tc.err)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tc.want, c.Roots); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddRoot(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before string
		root         index.Root
		after        string
	}{
		{"new file", "", index.Root{Path: "/a"}, "[[roots]]\npath = '/a'\n"},
		{"globs", "", index.Root{Path: "/a", Include: []string{"**"}, Exclude: []string{"x", "y"}}, "[[roots]]\npath = '/a'\ninclude = ['**']\nexclude = ['x', 'y']\n"},
		{"odd path", "", index.Root{Path: "/a'\n\"é"}, "[[roots]]\npath = \"/a'\\n\\\"é\"\n"},
		{"no newline at the end", "color = 1", index.Root{Path: "/a"}, "color = 1\n\n[[roots]]\npath = '/a'\n"},
		{"after the rest", userConfig, index.Root{Path: "/c"}, userConfig + "\n[[roots]]\npath = '/c'\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := placesOf(t, tc.before)
			added, err := p.AddRoot(t.Context(), tc.root)
			if err != nil || !added {
				t.Fatalf("added %v, %v", added, err)
			}
			checkConfig(t, p.File(), tc.after)
			added, err = p.AddRoot(t.Context(), tc.root)
			if err != nil || added {
				t.Errorf("added %v again, %v", added, err)
			}
			checkConfig(t, p.File(), tc.after)
		})
	}
}

func checkConfig(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	noErr(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", filepath.Base(path), diff)
	}
}

func TestRemoveRoot(t *testing.T) {
	t.Parallel()
	first := "[[roots]]\npath = \"/a\" # first\ninclude = [\n  \"**/*.md\",\n]\n"
	second := "[[roots]]\npath = \"~/b\"\nexclude = [\"old/**\"]\n"
	for _, tc := range []struct{ name, before, path, after string }{
		{"first", userConfig, "/a", strings.Replace(userConfig, "\n"+first, "", 1)},
		{"second, by its real name", userConfig, "HOME/b", strings.Replace(userConfig, second, "", 1)},
		{"only one", "[[roots]]\npath = '/a'\n", "/a", ""},
		{"a header in a text", "text = \"\"\"\n[[roots]]\n\"\"\"\n[[roots]]\npath = '/a'\n", "/a", "text = \"\"\"\n[[roots]]\n\"\"\"\n"},
		{"header with spaces", " [[ roots ]] # here\npath = '/a'\n", "/a", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := placesOf(t, tc.before)
			removed, err := p.RemoveRoot(t.Context(), strings.Replace(tc.path, "HOME", p.Home, 1))
			if err != nil || !removed {
				t.Fatalf("removed %v, %v", removed, err)
			}
			checkConfig(t, p.File(), tc.after)
			removed, err = p.RemoveRoot(t.Context(), strings.Replace(tc.path, "HOME", p.Home, 1))
			if err != nil || removed {
				t.Errorf("removed %v again, %v", removed, err)
			}
		})
	}
}

// What cannot be edited as text without a doubt is left alone.
func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	const hint = ": its roots are not written as [[roots]] tables: edit it by hand"
	inline := "roots = [{path = '/a'}]\ncolor = 1\n"
	for _, tc := range []struct{ name, text, add, remove, err string }{
		{"add to an inline list", inline, "/b", "", hint},
		{"remove from an inline list", inline, "", "/a", hint},
		{"broken", "[[roots]\n", "/b", "", ":1:8: expected ']]' to close array table name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := placesOf(t, tc.text)
			var err error
			if tc.add != "" {
				_, err = p.AddRoot(t.Context(), index.Root{Path: tc.add})
			} else {
				_, err = p.RemoveRoot(t.Context(), tc.remove)
			}
			if fmt.Sprint(err) != p.File()+tc.err {
				t.Errorf("error is %v, want %s%s", err, p.File(), tc.err)
			}
			checkConfig(t, p.File(), tc.text)
		})
	}
}

// A link stays a link, and a file keeps its rights.
func TestConfigLink(t *testing.T) {
	t.Parallel()
	p := placesOf(t, "color = 1\n")
	file := filepath.Join(p.Home, "dotfiles.toml")
	noErr(t, os.Rename(p.File(), file))
	noErr(t, os.Chmod(file, 0o640))
	noErr(t, os.Symlink(file, p.File()))
	_, err := p.AddRoot(t.Context(), index.Root{Path: "/a"})
	noErr(t, err)
	checkConfig(t, file, "color = 1\n\n[[roots]]\npath = '/a'\n")
	info, err := os.Lstat(p.File())
	noErr(t, err)
	if info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
}

// The first edit makes the file and its folder, for their owner alone.
func TestConfigNew(t *testing.T) {
	p := config.Places{Home: "/home/ann", ConfigHome: t.TempDir()}
	if removed, err := p.RemoveRoot(t.Context(), "/a"); err != nil || removed {
		t.Fatalf("removed %v, %v", removed, err)
	}
	if _, err := os.Stat(p.File()); !os.IsNotExist(err) {
		t.Errorf("an edit that changes nothing made the file: %v", err)
	}
	_, err := p.SaveQuery(t.Context(), "mine", "is:open")
	noErr(t, err)
	checkConfig(t, p.File(), "[queries]\nmine = 'is:open'\n")
	if info, err := os.Stat(p.File()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	if _, err := (config.Places{}).SaveQuery(t.Context(), "mine", "is:open"); !errors.Is(err, config.ErrNoFile) {
		t.Errorf("error without a folder is %v", err)
	}
}

// Writers at the same time lose nothing of each other, and leave nothing behind.
func TestConfigWriters(t *testing.T) {
	t.Parallel()
	p := placesOf(t, strings.Split(userConfig, "[ui]")[0])
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 5 {
				path := fmt.Sprintf("/w%d/%d", i, k)
				if added, err := p.AddRoot(t.Context(), index.Root{Path: path}); err != nil || !added {
					t.Errorf("adding %s: %v, %v", path, added, err)
				}
				if k%2 == 1 {
					if removed, err := p.RemoveRoot(t.Context(), path); err != nil || !removed {
						t.Errorf("removing %s: %v, %v", path, removed, err)
					}
				}
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(p.File())
	noErr(t, err)
	if n := strings.Count(string(text), "[[roots]]"); n != 2+8*3 {
		t.Errorf("%d roots, want %d", n, 2+8*3)
	}
	names, err := os.ReadDir(filepath.Dir(p.File()))
	noErr(t, err)
	if len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

// placesOf are folders of a test, with a config file of this text.
func placesOf(t *testing.T, text string) config.Places {
	t.Helper()
	dir := t.TempDir()
	p := config.Places{Home: filepath.Join(dir, "ann"), ConfigHome: filepath.Join(dir, "config"), StateHome: filepath.Join(dir, "state")}
	noErr(t, os.MkdirAll(filepath.Dir(p.File()), 0o700))
	noErr(t, os.Mkdir(p.Home, 0o700))
	noErr(t, os.WriteFile(p.File(), []byte(text), 0o600))
	return p
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Of a file that is too large no more is read than tells so: a project's comes with
// a clone.
func TestHugeFile(t *testing.T) {
	p := placesOf(t, "")
	p.WorkDir = filepath.Join(p.Home, "clone")
	file := filepath.Join(p.WorkDir, ".handex.toml")
	noErr(t, os.Mkdir(p.WorkDir, 0o700))
	noErr(t, os.WriteFile(file, nil, 0o600))
	noErr(t, os.Truncate(file, 1<<36)) // more than there is memory
	want := "read config: " + file + " is larger than 262144 bytes"
	c, err := p.Load()
	noErr(t, err)
	if fmt.Sprint(c.ProjectFault) != want {
		t.Errorf("fault is %v, want %s", c.ProjectFault, want)
	}
}

// What is wrong with a project's file is told, and the rest of it is used.
func TestProjectFault(t *testing.T) {
	t.Parallel()
	p := placesOf(t, "[queries]\nmine = 'is:open'\n")
	p.WorkDir = filepath.Join(p.Home, "clone")
	file := filepath.Join(p.WorkDir, ".handex.toml")
	noErr(t, os.Mkdir(p.WorkDir, 0o700))
	const queries = "[queries]\nyours = 'pear'\n"
	both := map[string]string{"mine": "is:open", "yours": "pear"}
	one := map[string]string{"mine": "is:open"}
	for _, tc := range []struct {
		text, fault string
		want        map[string]string
	}{
		{queries, "<nil>", both},
		{"date = 'iso'\n" + queries, file + `:1:1: unknown key "date"`, both},
		{"stale_after = '9'\n" + queries, file + `: stale_after: "9" is not a time span such as 36h, 7d or 2w`, both},
		{queries + "x = = 1\n", file + ":3:5: unexpected character U+003D '=' at start of value", one},
	} {
		noErr(t, os.WriteFile(file, []byte(tc.text), 0o600))
		c, err := p.Load()
		noErr(t, err)
		if fmt.Sprint(c.ProjectFault) != tc.fault {
			t.Errorf("%s: fault is %v, want %s", tc.text, c.ProjectFault, tc.fault)
		}
		if diff := cmp.Diff(tc.want, c.SavedQueries()); diff != "" {
			t.Errorf("%s: queries (-want +got):\n%s", tc.text, diff)
		}
	}
}
