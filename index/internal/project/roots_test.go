package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
)

func rootEnv(home, work string, vars ...string) project.Env {
	return project.Env{Home: home, WorkDir: work, Getenv: func(name string) string {
		for _, v := range vars {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}}
}

// relPath is a path relative to base, or the path itself where it is not in it.
func relPath(base, path string) string {
	if rel, ok := fsx.Relative(path, base); ok {
		return rel
	}
	return path
}

func rootPaths(roots []discover.Root, base string) []string {
	list := []string{}
	for _, r := range roots {
		list = append(list, relPath(base, r.Path))
	}
	return list
}

func TestDefaultRoots(t *testing.T) {
	t.Parallel()
	base := resolved(t, makeTree(t,
		"home/.claude/handoffs/", "home/.claude/session-data/", "home/.bon/handoffs/", "home/.claude-handoffs/", "home/repos/a/.git/", "home/repos/a/sub/deep/",
		"home/repos/b/.planning/", "home/repos/plain/", "home/repos/a/node_modules/dep/.git/", "home/repos/a/nested/.git/", "cfg/handoffs/", "empty/", "file.md"))
	home := filepath.Join(base, "home")
	at := func(path string) string { return filepath.Join(base, path) }
	user := []string{"home/.claude/handoffs", "home/.claude/session-data", "home/.bon/handoffs", "home/.claude-handoffs"}
	for _, tc := range []struct {
		name  string
		env   project.Env
		known []string
		want  []string
	}{
		{"nothing there", rootEnv(at("empty"), at("empty")), nil, nil},
		{"the home folder is no project", rootEnv(home, home), []string{home, base, "/"}, user},
		{"a repository", rootEnv(home, at("home/repos/a")), nil, append(user[:4:4], "home/repos/a")},
		{"deep in a repository", rootEnv(home, at("home/repos/a/sub/deep")), nil, append(user[:4:4], "home/repos/a")},
		{"marked by a format", rootEnv(home, at("home/repos/b")), nil, append(user[:4:4], "home/repos/b")},
		{"marked by nothing", rootEnv(home, at("home/repos/plain")), nil, append(user[:4:4], "home/repos/plain")},
		{"known ones", rootEnv(home, home), []string{at("home/repos/b"), at("home/repos/a/sub"), at("gone"), at("file.md"), at("home/repos/b")}, append(user[:4:4], "home/repos/a", "home/repos/b")},
		{"one that another searches", rootEnv(home, home), []string{at("home/repos/a"), at("home/repos/a/nested")}, append(user[:4:4], "home/repos/a")},
		{"one that another leaves out", rootEnv(home, home), []string{at("home/repos/a"), at("home/repos/a/node_modules/dep")}, append(user[:4:4], "home/repos/a", "home/repos/a/node_modules/dep")},
		{"claude's folder moved", rootEnv(home, at("home/repos/b"), "CLAUDE_CONFIG_DIR="+at("cfg")), nil, append(append(user[:2:2], "cfg/handoffs"), append(user[2:], "home/repos/b")...)},
		{"no home", rootEnv("", at("home/repos/b"), "CLAUDE_CONFIG_DIR="+at("cfg")), nil, []string{"cfg/handoffs", "home/repos/b"}},
		{"relative", rootEnv("", "x", "CLAUDE_CONFIG_DIR=cfg"), []string{"y"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.env.DefaultRoots(tc.known)
			if diff := cmp.Diff(append([]string{}, tc.want...), rootPaths(got, base)); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
			for _, r := range got {
				if len(r.Include)+len(r.Exclude) > 0 {
					t.Errorf("root %v has globs", r)
				}
			}
		})
	}
}

func TestParseRoots(t *testing.T) {
	t.Parallel()
	sep := string(os.PathListSeparator)
	for _, tc := range []struct {
		list string
		want []string
	}{
		{"", nil},
		{"/a", []string{"/a"}},
		{"/a" + sep + "/b/../c" + sep + sep + "/a/", []string{"/a", "/c"}},
		{"~" + sep + "~/x" + sep + "~ann/x" + sep + "y", []string{"/home", "/home/x", "/desk/~ann/x", "/desk/y"}},
	} {
		var got []string
		for _, r := range rootEnv("/home", "/desk").ParseRoots(tc.list) {
			got = append(got, r.Path)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("ParseRoots(%q) (-want +got):\n%s", tc.list, diff)
		}
	}
}

func TestKnownFolders(t *testing.T) {
	t.Parallel()
	base := resolved(t, makeTree(t, "home/.claude/handoffs/email/", "home/.claude/projects/", "home/.claude/handoffs/-file.md",
		"code/my-app/", "code/my_app/", "code/my/app/", "code/café 🙂/", "code/other/", "code/.dot/x/", "cfg/handoffs/"))
	home := filepath.Join(base, "home")
	in := func(folder, path string) {
		noErr(t, os.MkdirAll(filepath.Join(home, ".claude", folder, project.EncodeV2(filepath.Join(base, path))), 0o755))
	}
	in("handoffs", "code/my-app")
	in("projects", "code/.dot/x")
	in("handoffs", "code/café 🙂")
	in("projects", "code/gone")
	in("projects", "code/lied")
	in("handoffs", "code/never")
	noErr(t, os.MkdirAll(filepath.Join(base, "cfg/handoffs", project.EncodeV2(filepath.Join(base, "code/other"))), 0o755))
	transcript := func(path, cwd string) {
		writeFile(t, "{\"type\":\"summary\"}\nnot json\n{\"cwd\":\"relative\"}\n"+fmt.Sprintf("{\"cwd\":%q}\n", filepath.Join(base, cwd)),
			home, ".claude/projects", project.EncodeV2(filepath.Join(base, path)), "0001.jsonl")
	}
	transcript("code/gone", "code/gone")
	transcript("code/lied", "code/else") // does not encode to the folder's name
	got := rootEnv(home, filepath.Join(base, "work"), "CLAUDE_CONFIG_DIR="+filepath.Join(base, "cfg")).KnownFolders()
	var rel []string
	for _, path := range got {
		rel = append(rel, relPath(base, path))
	}
	want := []string{"code/.dot/x", "code/café 🙂", "code/gone", "code/my-app", "code/my/app", "code/my_app", "code/other", "work"}
	if diff := cmp.Diff(want, rel); diff != "" {
		t.Errorf("known folders (-want +got):\n%s", diff)
	}
	// Three folders have the name: that is said, and none is chosen.
	name := project.EncodeV2(filepath.Join(base, "code/my-app"))
	p := project.Of(filepath.Join(home, ".claude/handoffs", name, "1.md"), filepath.Join(home, ".claude/handoffs"), project.NewKnownPaths(got))
	wantP := project.Project{Root: name, Name: name, Ambiguous: []string{filepath.Join(base, "code/my-app"), filepath.Join(base, "code/my/app"), filepath.Join(base, "code/my_app")}}
	if diff := cmp.Diff(wantP, p); diff != "" {
		t.Errorf("project (-want +got):\n%s", diff)
	}
}

// The other encodings that are on disks.
func TestKnownFoldersEncodings(t *testing.T) {
	t.Parallel()
	base := resolved(t, makeTree(t, "home/.claude/handoffs/", "code/my_app é🙂/sub_x/"))
	path := filepath.Join(base, "code/my_app é🙂/sub_x")
	for _, tc := range []struct{ name, suffix string }{
		{"first contract", "-code-my_app é🙂-sub_x"},
		{"bytes", "-code-my-app--------sub-x"},
		{"utf-16", "-code-my-app-----sub-x"},
		{"second contract", "-code-my-app----sub-x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			noErr(t, os.MkdirAll(filepath.Join(home, ".claude/handoffs", strings.ReplaceAll(base, "/", "-")+tc.suffix), 0o755))
			if diff := cmp.Diff([]string{path}, rootEnv(home, "").KnownFolders()); diff != "" {
				t.Errorf("known folders (-want +got):\n%s", diff)
			}
		})
	}
}

// Names made to be ambiguous at every dash cost no more than the folders that
// there are.
func TestKnownFoldersHostile(t *testing.T) {
	t.Parallel()
	base := resolved(t, t.TempDir())
	home := filepath.Join(base, "home")
	deep := base
	for range 12 {
		for _, name := range []string{"a", "a-a", "a-a-a", "a_a"} {
			noErr(t, os.MkdirAll(filepath.Join(deep, name), 0o755))
		}
		deep = filepath.Join(deep, "a")
	}
	for n := range 40 {
		noErr(t, os.MkdirAll(filepath.Join(home, ".claude/projects", project.EncodeV2(base)+strings.Repeat("-a", n+1)), 0o755))
	}
	for _, name := range []string{"-", "--", "-" + strings.Repeat("-", 200), "-" + strings.Repeat("a", 200), "C--", "C--x"} {
		noErr(t, os.MkdirAll(filepath.Join(home, ".claude/projects", name), 0o755))
	}
	start := time.Now()
	got := rootEnv(home, "").KnownFolders()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	if len(got) < 12 {
		t.Errorf("found %d folders, want at least the 12 nested ones", len(got))
	}
}
