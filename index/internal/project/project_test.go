package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/testkit"
)

// resolved is the path without links: temporary folders have some on some systems.
func TestProjectOf(t *testing.T) {
	t.Parallel()
	root := resolved(t, makeTree(t,
		"app/.git/HEAD", "app/docs/handoffs/1.md", "app/HANDOFF.md", "app/.bon/handoffs/2.md", "app/.claude/handoffs/3.md", "app/src/deep/HANDOFF.md",
		"app/packages/web/.flow-guardian/handoff.yaml", "app/packages/web/src/HANDOFF.md", "app/packages/api/HANDOFF.md",
		"app/sub/.git", "app/sub/HANDOFF.md",
		"examples/act/.act/handoffs/latest.xml", "examples/flow/.flow-guardian/handoff.yaml", "examples/company/meta/handoff.yaml",
		"examples/company/discussion/001-a-response.md", "examples/hl/thoughts/shared/handoffs/g/1.md", "examples/gsd/.planning/HANDOFF.json",
		"loose/HANDOFF.md", "loose/a/b/HANDOFF.md", "HANDOFF.md", "docs/HANDOFF.md", ".agent/handoff.md", "src/HANDOFF.md", "archive/handoffs/1.md"))
	for _, tc := range []struct{ file, scan, root, name string }{
		{"app/docs/handoffs/1.md", "", "app", "app"},
		{"app/HANDOFF.md", "", "app", "app"},
		{"app/.bon/handoffs/2.md", "", "app", "app"},
		{"app/.claude/handoffs/3.md", "app", "app", "app"},
		{"app/src/deep/HANDOFF.md", "", "app", "app"},
		{"app/src/deep/not-there/yet.md", "", "app", "app"},
		{"app/packages/web/.flow-guardian/handoff.yaml", "", "app/packages/web", "web"},
		{"app/packages/web/src/HANDOFF.md", "", "app/packages/web", "web"},
		{"app/packages/api/HANDOFF.md", "", "app", "app"},
		{"app/sub/HANDOFF.md", "", "app/sub", "sub"},
		{"examples/act/.act/handoffs/latest.xml", "", "examples/act", "act"},
		{"examples/flow/.flow-guardian/handoff.yaml", "examples", "examples/flow", "flow"},
		{"examples/company/meta/handoff.yaml", "", "examples/company", "company"},
		{"examples/company/discussion/001-a-response.md", "", "examples/company", "company"},
		{"examples/hl/thoughts/shared/handoffs/g/1.md", "", "examples/hl", "hl"},
		{"examples/gsd/.planning/HANDOFF.json", "", "examples/gsd", "gsd"},

		// Nothing tells: the first folder below the root, or the root.
		{"loose/HANDOFF.md", "", "loose", "loose"},
		{"loose/a/b/HANDOFF.md", "", "loose", "loose"},
		{"loose/a/b/HANDOFF.md", "loose", "loose/a", "a"},
		{"HANDOFF.md", "", "", "ROOT"},
		{"docs/HANDOFF.md", "", "", "ROOT"},
		{".agent/handoff.md", "", "", "ROOT"},
		{"src/HANDOFF.md", "", "", "ROOT"},
		{"archive/handoffs/1.md", "", "", "ROOT"},

		// Never above the root of the scan; the name is its project's still.
		{"app/docs/handoffs/1.md", "app/docs", "app/docs", "app"},
		{"app/.bon/handoffs/2.md", "app/.bon/handoffs", "app/.bon/handoffs", "app"},
		{"archive/handoffs/x/1.md", "archive/handoffs", "archive/handoffs", "ROOT"},
	} {
		want := project.Project{Root: filepath.Join(root, tc.root), Name: tc.name}
		if tc.name == "ROOT" {
			want.Name = filepath.Base(root)
		}
		got := project.Of(filepath.Join(root, tc.file), filepath.Join(root, tc.scan), project.KnownPaths{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("project of %s in a scan of %q (-want +got):\n%s", tc.file, tc.scan, diff)
		}
	}
}

// Outside of git, the nearest folder that looks like a project's is the
// project, and no folder of an archive.
func TestProjectWithoutGit(t *testing.T) {
	t.Parallel()
	root := resolved(t, makeTree(t,
		"app/go.mod", "app/docs/archive/v1.3.15/HANDOFF.md", "app/docs/archive/v1.3.15/README.md", "app/docs/README.md", "app/docs/handoff/HANDOFF.md",
		"app/web/package.json", "app/web/src/HANDOFF.md", "app/deep/er/HANDOFF.md", "app/src/CLAUDE.md", "app/src/HANDOFF.md",
		"group/tool/README.md", "group/tool/notes/HANDOFF.md", "group/agent/.claude/settings.json", "group/agent/HANDOFF.md",
		"group/net/Net.sln", "group/net/x/HANDOFF.md", "v1.3.15/HANDOFF.md", "2026-01-05/HANDOFF.md", "bare/x/HANDOFF.md",
		"home/.claude/projects/x", "home/README.md", "home/loose/HANDOFF.md", "home/src/tool/Makefile", "home/src/tool/HANDOFF.md"))
	for _, tc := range []struct{ file, scan, root string }{
		{"app/docs/archive/v1.3.15/HANDOFF.md", "", "app"},
		{"app/docs/archive/v1.3.15/HANDOFF.md", "app", "app"},
		{"app/docs/handoff/HANDOFF.md", "", "app"},
		{"app/web/src/HANDOFF.md", "", "app/web"},
		{"app/deep/er/HANDOFF.md", "", "app"},
		{"app/src/HANDOFF.md", "", "app"},
		{"group/tool/notes/HANDOFF.md", "", "group/tool"},
		{"group/agent/HANDOFF.md", "", "group/agent"},
		{"group/net/x/HANDOFF.md", "", "group/net"},
		{"v1.3.15/HANDOFF.md", "", ""},
		{"2026-01-05/HANDOFF.md", "", ""},
		{"bare/x/HANDOFF.md", "", "bare"},
		{"home/loose/HANDOFF.md", "home", "home/loose"},
		{"home/src/tool/HANDOFF.md", "home", "home/src/tool"},
		{"app/web/src/HANDOFF.md", "app/web/src", "app/web/src"}, // none above the root of the scan
	} {
		got := project.Of(filepath.Join(root, tc.file), filepath.Join(root, tc.scan), project.KnownPaths{})
		if want := filepath.Join(root, tc.root); got.Root != want {
			t.Errorf("project of %s in a scan of %q is %s, want %s", tc.file, tc.scan, got.Root, want)
		}
	}
}

// One finder for many files says the same as a new one for each.
func TestProjectsRemembers(t *testing.T) {
	t.Parallel()
	root := resolved(t, makeTree(t, "a/.git/", "a/x/1.md", "a/2.md", "b/3.md", "b/y/4.md", "5.md"))
	projects := project.NewFinder(project.NewKnownPaths(nil))
	for range 2 {
		for _, scan := range []string{"", "a", "b"} {
			for _, file := range []string{"a/x/1.md", "a/2.md", "b/3.md", "b/y/4.md", "5.md"} {
				path, scanRoot := filepath.Join(root, file), filepath.Join(root, scan)
				got, err := projects.Of(path, scanRoot)
				noErr(t, err)
				if diff := cmp.Diff(project.Of(path, scanRoot, project.KnownPaths{}), got); diff != "" {
					t.Errorf("project of %s in a scan of %q (-alone +remembered):\n%s", file, scan, diff)
				}
			}
		}
	}
}

func TestProjectEncoded(t *testing.T) {
	t.Parallel()
	base := resolved(t, t.TempDir())
	home := filepath.Join(base, "home")
	app, under, worktree := filepath.Join(base, "my-app"), filepath.Join(base, "my_app"), filepath.Join(base, "gone")
	noErr(t, os.MkdirAll(app, 0o755))
	noErr(t, os.MkdirAll(under, 0o755))
	handoffs := filepath.Join(home, ".claude", "handoffs")
	known := project.NewKnownPaths([]string{app, worktree, app})
	both := project.NewKnownPaths([]string{app, under})
	both.Home, known.Home = home, home
	v2 := project.EncodeV2(app)
	for _, tc := range []struct {
		name, folder, scan string
		known              project.KnownPaths
		want               project.Project
	}{
		{"known", v2, handoffs, known, project.Project{Root: app, Name: "my-app"}},
		{"known, whatever is scanned", v2, home, known, project.Project{Root: app, Name: "my-app"}},
		{"known but gone from the disk", project.EncodeV2(worktree), handoffs, known, project.Project{Root: worktree, Name: "gone"}},
		{"unknown", "-srv-what-ever", handoffs, known, project.Project{Root: "-srv-what-ever", Name: "-srv-what-ever"}},
		{"nothing known", v2, handoffs, project.KnownPaths{}, project.Project{Root: v2, Name: v2}},
		{"two have the name", v2, handoffs, both, project.Project{Root: v2, Name: v2, Ambiguous: []string{app, under}}},
		{"the first encoding tells them apart", project.EncodeV1(under), handoffs, both, project.Project{Root: under, Name: "my_app"}},
		{"drive of Windows", "C--Users-ann-app", handoffs, known, project.Project{Root: "C--Users-ann-app", Name: "C--Users-ann-app"}},
		{"email", "email", handoffs, known, project.Project{Root: handoffs, Name: ".claude/handoffs"}},
		{"no folder", "", handoffs, known, project.Project{Root: handoffs, Name: ".claude/handoffs"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := project.Of(filepath.Join(handoffs, tc.folder, "b4db9cba.md"), tc.scan, tc.known)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("project (-want +got):\n%s", diff)
			}
		})
	}
}

// A folder found by its encoded name and by its own files is one project.
func TestProjectOneForAllFormats(t *testing.T) {
	t.Parallel()
	base := resolved(t, makeTree(t, "app/.git/", "app/.act/handoffs/latest.xml", "app/meta/handoff.yaml", "link -> app"))
	app := filepath.Join(base, "app")
	projects := project.NewFinder(project.NewKnownPaths([]string{filepath.Join(base, "link")}))
	for _, tc := range []struct{ file, scan string }{
		{"app/.act/handoffs/latest.xml", "app"},
		{"link/meta/handoff.yaml", "link"},
		{"home/.claude/handoffs/" + project.EncodeV2(filepath.Join(base, "link")) + "/1.md", "home/.claude/handoffs"},
	} {
		if got, _ := projects.Of(filepath.Join(base, tc.file), filepath.Join(base, tc.scan)); got.Root != app || got.Name != "app" {
			t.Errorf("project of %s is %+v, want %s", tc.file, got, app)
		}
	}
}

// What agents keep in the home folder does not make it a project.
func TestProjectHome(t *testing.T) {
	t.Parallel()
	home := resolved(t, makeTree(t, ".claude/handoffs/x.md", ".bon/handoffs/1.md", "loose/HANDOFF.md", "app/.git/", "app/HANDOFF.md"))
	known := project.KnownPaths{Home: home}
	if got := project.Of(filepath.Join(home, "loose/HANDOFF.md"), home, known); got.Root != filepath.Join(home, "loose") {
		t.Errorf("project of loose is %+v", got)
	}
	if got := project.Of(filepath.Join(home, "app/HANDOFF.md"), home, known); got.Root != filepath.Join(home, "app") {
		t.Errorf("project of app is %+v", got)
	}
	// Transcripts tell a home where none is given.
	noErr(t, os.MkdirAll(filepath.Join(home, ".claude/projects"), 0o755))
	if got := project.Of(filepath.Join(home, "loose/HANDOFF.md"), home, project.KnownPaths{}); got.Root != filepath.Join(home, "loose") {
		t.Errorf("project of loose is %+v", got)
	}
}

func TestProjectWorkTrees(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	base := resolved(t, t.TempDir())
	noErr(t, os.MkdirAll(filepath.Join(base, "app"), 0o755))
	testkit.Git(t, filepath.Join(base, "app"), "init", "-q")
	testkit.Git(t, filepath.Join(base, "app"), "commit", "-q", "--allow-empty", "-m", "x")
	testkit.Git(t, filepath.Join(base, "app"), "worktree", "add", "-q", "../app-feature")
	testkit.Git(t, filepath.Join(base, "app"), "worktree", "add", "-q", "inside")
	testkit.Git(t, base, "clone", "-q", "app", "lib")
	testkit.Git(t, filepath.Join(base, "app"), "submodule", "--quiet", "add", "../lib", "lib")
	testkit.Git(t, base, "clone", "-q", "--bare", "app", "bare.git")
	testkit.Git(t, filepath.Join(base, "bare.git"), "worktree", "add", "-q", "../bare-main")
	testkit.Git(t, base, "clone", "-q", "--bare", "app", "hidden/.bare")
	testkit.Git(t, filepath.Join(base, "hidden/.bare"), "worktree", "add", "-q", "../one")
	for _, tc := range []struct{ dir, scan, root, name string }{
		{"app", "app", "app", "app"},
		{"app-feature", "app-feature", "app", "app"},
		{"app-feature/docs", "", "app", "app"},
		{"app/inside", "app", "app", "app"},
		{"app/lib", "app", "app/lib", "lib"},
		{"bare-main", "bare-main", "bare.git", "bare"},
		{"hidden/one", "hidden", "hidden", "hidden"},
	} {
		got := project.Of(filepath.Join(base, tc.dir, "HANDOFF.md"), filepath.Join(base, tc.scan), project.KnownPaths{})
		if diff := cmp.Diff(project.Project{Root: filepath.Join(base, tc.root), Name: tc.name}, got); diff != "" {
			t.Errorf("project of %s in a scan of %s (-want +got):\n%s", tc.dir, tc.scan, diff)
		}
	}
	// The folder an encoded name stands for may be a work tree.
	feature := filepath.Join(base, "app-feature")
	got := project.Of(filepath.Join(base, "h/handoffs", project.EncodeV2(feature), "1.md"), filepath.Join(base, "h/handoffs"), project.NewKnownPaths([]string{feature}))
	if got.Root != filepath.Join(base, "app") {
		t.Errorf("project of the work tree's encoded folder is %+v", got)
	}
}

// A .git file in a download cannot claim to belong to another project.
func TestProjectForgedWorkTree(t *testing.T) {
	t.Parallel()
	base := resolved(t, makeTree(t, "victim/.git/worktrees/x/HEAD", "evil/1.md"))
	private := filepath.Join(base, "victim/.git/worktrees/x")
	writeFile(t, "../..\n", private, "commondir")
	writeFile(t, filepath.Join(base, "elsewhere/.git")+"\n", private, "gitdir")
	for _, text := range []string{
		"gitdir: " + private + "\n", "gitdir: ../victim/.git/worktrees/x", "gitdir: /etc", "gitdir: ", "garbage", "", "gitdir: a\nb", "gitdir: \x00",
		"gitdir: " + strings.Repeat("x", 20000),
	} {
		writeFile(t, text, base, "evil", ".git")
		if got := project.Of(filepath.Join(base, "evil/1.md"), base, project.KnownPaths{}); got.Root != filepath.Join(base, "evil") {
			t.Errorf(".git of %.40q: project is %+v", text, got)
		}
	}
}
