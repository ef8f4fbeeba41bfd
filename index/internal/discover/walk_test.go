package discover_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

// walkRoot returns what a walk finds, in its order, and its report with paths
// relative to the root.
func walkRoot(t *testing.T, root discover.Root, opt discover.Options) ([]string, discover.Report) {
	t.Helper()
	found := []string{}
	files, report, err := discover.Find(context.Background(), root, opt)
	for _, f := range files {
		found = append(found, f.Rel)
		if want := filepath.Join(root.Path, filepath.FromSlash(f.Rel)); f.Path != want {
			t.Errorf("path of %s is %s, want %s", f.Rel, f.Path, want)
		}
		info, err := os.Stat(f.Path)
		if err != nil || info.Size() != f.Stat.Size || info.ModTime().UnixNano() != f.Stat.MtimeNS || info.Mode() != f.Stat.Mode {
			t.Errorf("state of %s is %+v, os.Stat says %+v, %v", f.Rel, f.Stat, info, err)
		}
	}
	noErr(t, err)
	for i, s := range report.Skipped {
		report.Skipped[i].Path, report.Skipped[i].Reason = relPath(root.Path, s.Path), strings.ReplaceAll(s.Reason, root.Path, "ROOT")
	}
	for i, s := range report.Troubles {
		report.Troubles[i].Path = relPath(root.Path, s.Path)
	}
	return found, report
}

func relPath(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

func checkFound(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestWalkOrder(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "b/HANDOFF.md", "HANDOFF.md", "a/handoffs/2.md", "a/handoffs/10.md", "a/HANDOFF.md", "z-handoff.md", "Z/HANDOFF.md", "notes.md")
	for range 3 {
		got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
		checkFound(t, got, "HANDOFF.md", "z-handoff.md", "Z/HANDOFF.md", "a/HANDOFF.md", "a/handoffs/10.md", "a/handoffs/2.md", "b/HANDOFF.md")
		if report.Entries != 12 || len(report.Skipped)+len(report.Troubles) != 0 {
			t.Errorf("report is %+v, want 12 entries and nothing else", report)
		}
	}
}

// Handoffs are often in .gitignore: it is not asked.
func TestWalkIgnoresGitignore(t *testing.T) {
	t.Parallel()
	root := makeTree(t, ".git/HEAD", ".act/handoffs/latest.xml", ".git/HANDOFF.md", "HANDOFF.md")
	writeFile(t, "*\n.act/\n", root, ".gitignore")
	writeFile(t, "*\n", root, ".ignore")
	got, _ := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "HANDOFF.md", ".act/handoffs/latest.xml")
}

func TestWalkFolders(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, skipped string
		include       bool // found with include **
	}{
		{".git", "x/.git/HANDOFF.md", false},
		{"node_modules", "x/node_modules/pkg/handoffs/1.md", true},
		{"go module", "pkg/mod/ex.org/m@v1.2.3/HANDOFF.md", true},
		{"venv", ".venv/lib/HANDOFF.md", true},
		{"commands", ".claude/commands/handoff.md", true},
		{"skills", ".claude/skills/handoff/handoff.md", true},
		{"agents", ".claude/agents/handoff.md", true},
		{"plugins", ".claude/plugins/cache/x/handoffs/1.md", true},
		{"templates", "docs/handoffs/templates/handoff.md", true},
		{"prompts", ".github/prompts/handoff.md", true},
		{"fixtures", "tests/fixtures/handoffs/1.md", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := makeTree(t, tc.skipped, "HANDOFF.md")
			got, _ := walkRoot(t, discover.Root{Path: root}, discover.Options{})
			checkFound(t, got, "HANDOFF.md")
			got, _ = walkRoot(t, discover.Root{Path: root, Include: []string{"**"}}, discover.Options{})
			if tc.include {
				checkFound(t, got, "HANDOFF.md", tc.skipped)
			} else {
				checkFound(t, got, "HANDOFF.md")
			}
		})
	}
}

func TestWalkMarkedFolders(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "my-skill/SKILL.md", "my-skill/references/HANDOFF.md", "target/CACHEDIR.TAG", "target/doc/HANDOFF.md", "HANDOFF.md",
		"skill-repo/.git/", "skill-repo/SKILL.md", "skill-repo/HANDOFF.md",
		"src/handoff/.git/", "src/handoff/design.md", "src/handoff/HANDOFF.md")
	got, _ := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "HANDOFF.md", "skill-repo/HANDOFF.md", "src/handoff/HANDOFF.md")
}

func TestWalkIncludeExclude(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "a.md", "b.go", "sub/c.md", "sub/README.md", "sub/old/d.md", "HANDOFF.md", "handoffs/1.md", "handoffs/old/2.md")
	for _, tc := range []struct {
		name             string
		include, exclude []string
		want             []string
	}{
		{"everything", []string{"**"}, nil, []string{"HANDOFF.md", "a.md", "b.go", "handoffs/1.md", "handoffs/old/2.md", "sub/README.md", "sub/c.md", "sub/old/d.md"}},
		{"globs", []string{"sub/**/*.md", "*.go"}, nil, []string{"b.go", "sub/README.md", "sub/c.md", "sub/old/d.md"}},
		{"include and exclude", []string{"**/*.md"}, []string{"**/old/**", "HANDOFF.md"}, []string{"a.md", "handoffs/1.md", "sub/README.md", "sub/c.md"}},
		{"exclude a folder by name", nil, []string{"handoffs/old"}, []string{"HANDOFF.md", "handoffs/1.md"}},
		{"exclude files", nil, []string{"**/HANDOFF.md"}, []string{"handoffs/1.md", "handoffs/old/2.md"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := walkRoot(t, discover.Root{Path: root, Include: tc.include, Exclude: tc.exclude}, discover.Options{})
			checkFound(t, got, tc.want...)
		})
	}
}

func TestWalkBadGlob(t *testing.T) {
	t.Parallel()
	_, _, err := discover.Find(context.Background(), discover.Root{Path: "/r", Include: []string{"a", "b["}}, discover.Options{})
	if want := `/r: include "b[" is not a glob`; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	_, _, err = discover.Find(context.Background(), discover.Root{Path: "/r", Exclude: []string{"{a"}}, discover.Options{})
	if want := `/r: exclude "{a" is not a glob`; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

// Names that leave it open are decided by the first bytes.
func TestWalkReadsAmbiguous(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "docs/sessions/current.md")
	writeFile(t, promptText, root, "agents", "handoff.md")
	writeFile(t, "nothing", root, "handoffs", "x.txt")
	writeFile(t, "# Sessions\n\n## Usage\n\nCookies keep the session.\n", root, "docs", "sessions", "cookies.md")
	got, _ := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "docs/sessions/current.md")
}

func TestWalkLinks(t *testing.T) {
	t.Parallel()
	outside := makeTree(t, "HANDOFF.md", "handoffs/1.md")
	root := makeTree(t,
		".act/handoffs/2026-01-02-0304.xml", ".act/handoffs/latest.xml -> 2026-01-02-0304.xml",
		"HANDOFF.md -> plans/today.txt", "plans/today.txt", "plans/HANDOFF.md -> today.txt",
		"out/HANDOFF.md -> "+outside+"/HANDOFF.md",
		"broken/HANDOFF.md -> nowhere", "loop/HANDOFF.md -> HANDOFF.md", "dir/HANDOFF.md -> ..",
		"up -> ..", "self -> self", "handoffs -> "+outside+"/handoffs", "inner-handoffs -> plans",
		"git/HANDOFF.md -> ../.git/description", ".git/description",
		"etc/HANDOFF.md -> /etc/passwd")
	got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, ".act/handoffs/2026-01-02-0304.xml", "plans/today.txt")
	realOut, err := filepath.EvalSymlinks(outside)
	noErr(t, err)
	want := []discover.Skip{
		{Path: "handoffs", Reason: "a symbolic link to the folder " + realOut + "/handoffs, outside the root: add it as a root"},
		{Path: "broken/HANDOFF.md", Reason: "a broken symbolic link: no such file or directory"},
		{Path: "etc/HANDOFF.md", Reason: "a symbolic link to /etc/passwd, outside the root"},
		{Path: "git/HANDOFF.md", Reason: "a symbolic link to ROOT/.git/description, which is not searched"},
		{Path: "loop/HANDOFF.md", Reason: "a broken symbolic link: EvalSymlinks: too many links"},
		{Path: "out/HANDOFF.md", Reason: "a symbolic link to " + realOut + "/HANDOFF.md, outside the root"},
	}
	if diff := cmp.Diff(want, report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if len(report.Troubles) > 0 {
		t.Errorf("troubles: %v", report.Troubles)
	}
}

// A root that is a link, as ~/.claude often is, is searched.
func TestWalkLinkedRoot(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "real/handoffs/1.md", "link -> real", "real/handoffs/latest.md -> 1.md")
	got, _ := walkRoot(t, discover.Root{Path: filepath.Join(root, "link")}, discover.Options{})
	checkFound(t, got, "handoffs/1.md")
}

func TestWalkHardLinks(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "a/HANDOFF.md", "b/")
	noErr(t, os.Link(filepath.Join(root, "a/HANDOFF.md"), filepath.Join(root, "b/HANDOFF.md")))
	noErr(t, os.Symlink("../b/HANDOFF.md", filepath.Join(root, "a/handoff-latest.md")))
	got, _ := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "a/HANDOFF.md")
}

func TestWalkNotRegular(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sockets in folders")
	}
	root := makeTree(t, "handoff.yaml/HANDOFF.md")
	t.Chdir(root) // a socket's path has a small limit
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", "HANDOFF.md")
	noErr(t, err)
	defer func() { _ = l.Close() }()
	got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	checkFound(t, got, "handoff.yaml/HANDOFF.md")
	if diff := cmp.Diff([]discover.Skip{{Path: "HANDOFF.md", Reason: "it is a socket"}}, report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// The index's own files must not even be opened: closing them would drop the
// database's locks.
func TestWalkLeavesOutOwnFiles(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "state/HANDOFF.md", "state/deep/HANDOFF.md", "HANDOFF.md", "handoffs/latest.md -> ../state/deep/HANDOFF.md", "handoffs/index.db")
	noErr(t, os.Link(filepath.Join(root, "handoffs/index.db"), filepath.Join(root, "db-handoff.md")))
	noErr(t, os.Symlink("../handoffs/index.db", filepath.Join(root, "handoffs/db.md")))
	var ignore []fsx.FileID
	for _, path := range []string{"state", "handoffs/index.db"} {
		id, err := fsx.IDOf(filepath.Join(root, path))
		noErr(t, err)
		ignore = append(ignore, id)
	}
	if ignore[0] == (fsx.FileID{}) {
		t.Skip("the system does not number files")
	}
	for _, include := range [][]string{nil, {"**"}} {
		got, report := walkRoot(t, discover.Root{Path: root, Include: include}, discover.Options{Ignore: ignore})
		checkFound(t, got, "HANDOFF.md")
		if want := []discover.Skip{{Path: "handoffs/latest.md", Reason: "a symbolic link to ROOT/state/deep/HANDOFF.md, which is not searched"}}; cmp.Diff(want, report.Skipped) != "" {
			t.Errorf("skipped %v, want %v", report.Skipped, want)
		}
	}
}

func TestWalkLimits(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "1/2/3/HANDOFF.md", "many/a-handoff.md", "many/b-handoff.md", "many/c-handoff.md", "HANDOFF.md")
	for _, tc := range []struct {
		name     string
		opt      discover.Options
		found    int
		troubles []discover.Trouble
	}{
		{"none", discover.Options{}, 5, nil},
		{"at the depth", discover.Options{MaxDepth: 3}, 5, nil},
		{"too deep", discover.Options{MaxDepth: 2}, 4, nil},
		{"at the entries of a folder", discover.Options{MaxDirEntries: 3}, 5, nil},
		{"too many in a folder", discover.Options{MaxDirEntries: 2}, 0, []discover.Trouble{{Path: ".", Reason: "more than 2 entries: the rest was not searched"}}},
		{"at the entries", discover.Options{MaxEntries: 9}, 5, nil},
		{"too many", discover.Options{MaxEntries: 8}, 0, []discover.Trouble{{Path: ".", Reason: "more than 8 files and folders: the rest was not searched"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, report := walkRoot(t, discover.Root{Path: root}, tc.opt)
			if len(tc.troubles) == 0 && len(got) != tc.found || tc.name == "too deep" && len(got) != tc.found {
				t.Errorf("found %v, want %d files", got, tc.found)
			}
			if tc.name == "too many in a folder" {
				report.Troubles = report.Troubles[:1] // which other folders are met is the disk's order
			}
			if diff := cmp.Diff(tc.troubles, report.Troubles); diff != "" {
				t.Errorf("troubles (-want +got):\n%s", diff)
			}
			deep := []discover.Skip{{Path: "1/2/3", Reason: "more than 2 folders deep", Folder: true}}
			if diff := cmp.Diff(deep, report.Skipped); tc.name == "too deep" && diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if tc.opt.MaxEntries > 0 && report.Entries > tc.opt.MaxEntries {
				t.Errorf("looked at %d entries, limit %d", report.Entries, tc.opt.MaxEntries)
			}
		})
	}
}

func TestWalkMissingRoot(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "file.md")
	for path, want := range map[string]string{"gone": "no such file or directory", "file.md": "not a directory"} {
		got, report := walkRoot(t, discover.Root{Path: filepath.Join(root, path)}, discover.Options{})
		checkFound(t, got)
		if diff := cmp.Diff([]discover.Trouble{{Path: ".", Reason: want}}, report.Troubles); diff != "" {
			t.Errorf("troubles of %s (-want +got):\n%s", path, diff)
		}
	}
}

func TestWalkStops(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "a/HANDOFF.md", "b/HANDOFF.md")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w, err := discover.NewWalk(ctx, discover.Root{Path: root}, discover.Options{})
	noErr(t, err)
	folders := 0
	for f := range w.Folders() {
		folders++
		_, err = f.List(nil)
		noErr(t, err)
		cancel()
	}
	_, _, err = discover.Find(ctx, discover.Root{Path: root}, discover.Options{})
	if folders != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d folders, want one; error is %v, want %v", folders, err, context.Canceled)
	}
}

// Names are bytes: any of them is found and stays as it is.
func TestWalkOddNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems forbid or change such names")
	}
	names := []string{
		"handoff\nnew line.md", "handoff\x1b[31m.md", "handoff\xff.md", "handoff-cafe\u0301.md", "handoff-caf\u00e9.md",
		"handoff \u202e.md", "-handoff.md", "handoff'\"$(x).md", "handoff;rm -rf.md", "HANDOFF .md", "*handoff[1].md", strings.Repeat("h", 244) + "handoff.md",
	}
	root := t.TempDir()
	for _, name := range names {
		writeFile(t, noteText, root, name)
	}
	got, report := walkRoot(t, discover.Root{Path: root}, discover.Options{})
	seen := map[string]bool{}
	for _, name := range got {
		seen[name] = true
	}
	for _, name := range names {
		if !seen[name] {
			t.Errorf("%q was not found", name)
		}
	}
	if len(got) != len(names) || len(report.Troubles) != 0 {
		t.Errorf("found %d of %d, troubles %v", len(got), len(names), report.Troubles)
	}
}

// Files and folders that come and go during a walk are no troubles.
func TestWalkChurn(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile(t, noteText, root, "stays", "HANDOFF.md")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			path := filepath.Join(root, fmt.Sprintf("d%d", i%4))
			_ = os.MkdirAll(filepath.Join(path, "handoffs"), 0o755)
			_ = os.WriteFile(filepath.Join(path, "handoffs", "1.md"), []byte(noteText), 0o644)
			_ = os.WriteFile(filepath.Join(path, "HANDOFF.md"), []byte(noteText), 0o644)
			_ = os.RemoveAll(path)
			_ = os.WriteFile(path, nil, 0o644) // a folder becomes a file
			_ = os.Remove(path)
		}
	}()
	for range 300 {
		stays := false
		found, report, err := discover.Find(context.Background(), discover.Root{Path: root}, discover.Options{})
		for _, f := range found {
			stays = stays || f.Rel == "stays/HANDOFF.md"
		}
		noErr(t, err)
		if !stays || len(report.Troubles)+len(report.Skipped) > 0 {
			t.Fatalf("found what stays: %v; report %+v", stays, report)
		}
	}
	close(stop)
	<-done
}

func BenchmarkWalk(b *testing.B) {
	root := b.TempDir()
	for p := range 100 {
		for d := range 5 {
			dir := filepath.Join(root, fmt.Sprintf("p%d/docs/handoffs/s%d", p, d))
			noErr(b, os.MkdirAll(dir, 0o755))
			for k := range 20 {
				noErr(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("2026-08-%02d-note.md", k+1)), []byte(noteText), 0o644))
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		found, _, err := discover.Find(b.Context(), discover.Root{Path: root}, discover.Options{})
		if err != nil || len(found) != 10_000 {
			b.Fatalf("found %d, %v", len(found), err)
		}
	}
}
