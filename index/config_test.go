package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"handex/index"

	"github.com/google/go-cmp/cmp"
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
	dir := t.TempDir()
	for _, tc := range []struct {
		name, text string
		want       []index.Root
		err        string
	}{
		{"missing", "", nil, ""},
		{"none", "color = 1\n", nil, ""},
		{"some", userConfig, []index.Root{{Path: "/a", Include: []string{"**/*.md"}}, {Path: "/home/ann/b", Exclude: []string{"old/**"}}}, ""},
		{"inline", `roots = [{path = "x/../y"}]`, []index.Root{{Path: filepath.Join(dir, "y")}}, ""},
		{"no path", "[[roots]]\ninclude = []\n", nil, ": roots 1: no path"},
		{"misspelt", "[[roots]]\npath = \"/a\"\nexlude = [\"x\"]\n", nil, `: roots 1: unknown key "exlude"; there are path, include and exclude`},
		{"bad glob", "[[roots]]\npath = \"/a\"\n[[roots]]\npath = \"/b\"\ninclude = [\"[\"]\n", nil, `: roots 2: /b: include "[" is not a glob`},
		{"bad toml", "color = 1\n[[roots]\n", nil, ":2:8: expected ']]' to close array table name"},
		{"wrong type", "[[roots]]\npath = 3\n", nil, ":2:8: cannot decode TOML integer into struct field index.configRoot.Path of type string"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := filepath.Join(dir, "config.toml")
			_ = os.Remove(config)
			if tc.text != "" {
				noErr(t, os.WriteFile(config, []byte(tc.text), 0o600))
			}
			got, err := index.LoadRoots(config, rootEnv("/home/ann", "/work"))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
			if text := fmt.Sprint(err); tc.err == "" && err != nil || tc.err != "" && text != config+tc.err {
				t.Errorf("error is %s, want %s%s", text, config, tc.err)
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
			config := filepath.Join(t.TempDir(), "sub", "config.toml")
			if tc.before != "" {
				writeFile(t, tc.before, config)
			}
			added, err := index.AddRoot(config, tc.root, rootEnv("/home/ann", "/work"))
			if err != nil || !added {
				t.Fatalf("added %v, %v", added, err)
			}
			checkConfig(t, config, tc.after)
			added, err = index.AddRoot(config, tc.root, rootEnv("/home/ann", "/work"))
			if err != nil || added {
				t.Errorf("added %v again, %v", added, err)
			}
			checkConfig(t, config, tc.after)
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
		{"second, by its real name", userConfig, "/home/ann/b", strings.Replace(userConfig, second, "", 1)},
		{"only one", "[[roots]]\npath = '/a'\n", "/a", ""},
		{"a header in a text", "text = \"\"\"\n[[roots]]\n\"\"\"\n[[roots]]\npath = '/a'\n", "/a", "text = \"\"\"\n[[roots]]\n\"\"\"\n"},
		{"header with spaces", " [[ roots ]] # here\npath = '/a'\n", "/a", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := writeFile(t, tc.before, t.TempDir(), "config.toml")
			removed, err := index.RemoveRoot(config, tc.path, rootEnv("/home/ann", "/work"))
			if err != nil || !removed {
				t.Fatalf("removed %v, %v", removed, err)
			}
			checkConfig(t, config, tc.after)
			removed, err = index.RemoveRoot(config, tc.path, rootEnv("/home/ann", "/work"))
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
			config := writeFile(t, tc.text, t.TempDir(), "config.toml")
			var err error
			if tc.add != "" {
				_, err = index.AddRoot(config, index.Root{Path: tc.add}, rootEnv("/h", "/w"))
			} else {
				_, err = index.RemoveRoot(config, tc.remove, rootEnv("/h", "/w"))
			}
			if fmt.Sprint(err) != config+tc.err {
				t.Errorf("error is %v, want %s%s", err, config, tc.err)
			}
			checkConfig(t, config, tc.text)
		})
	}
}

// A link stays a link, and a file keeps its rights.
func TestConfigLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := writeFile(t, "color = 1\n", dir, "dotfiles", "handex.toml")
	noErr(t, os.Chmod(file, 0o640))
	config := filepath.Join(dir, "config.toml")
	noErr(t, os.Symlink(file, config))
	_, err := index.AddRoot(config, index.Root{Path: "/a"}, rootEnv("/h", "/w"))
	noErr(t, err)
	checkConfig(t, file, "color = 1\n\n[[roots]]\npath = '/a'\n")
	info, err := os.Lstat(config)
	noErr(t, err)
	if info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
}

// Writers at the same time lose nothing of each other, and leave nothing behind.
func TestConfigWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := writeFile(t, userConfig, dir, "config.toml")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 5 {
				path := fmt.Sprintf("/w%d/%d", i, k)
				if added, err := index.AddRoot(config, index.Root{Path: path}, rootEnv("/h", "/w")); err != nil || !added {
					t.Errorf("adding %s: %v, %v", path, added, err)
				}
				if k%2 == 1 {
					if removed, err := index.RemoveRoot(config, path, rootEnv("/h", "/w")); err != nil || !removed {
						t.Errorf("removing %s: %v, %v", path, removed, err)
					}
				}
			}
		})
	}
	wg.Wait()
	roots, err := index.LoadRoots(config, rootEnv("/h", "/w"))
	noErr(t, err)
	if len(roots) != 2+8*3 {
		t.Errorf("%d roots, want %d", len(roots), 2+8*3)
	}
	names, err := os.ReadDir(dir)
	noErr(t, err)
	if len(names) != 2 || names[1].Name() != "config.toml.lock" {
		t.Errorf("left behind: %v", names)
	}
}
