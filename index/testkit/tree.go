package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// NoteText reads like a handoff, PromptText asks for one.
const (
	NoteText   = "# Handoff\n\nDate: 2026-08-01\nBranch: main\n\n## Done\n- fixed it\n\n## Next steps\n- merge\n"
	PromptText = "---\nname: handoff\ndescription: Write a handoff\n---\nSummarise the session: branch, status, next " +
		"steps, blockers.\n"
)

// MakeTree makes files below a new folder. A path that ends in a slash is a folder,
// "a -> b" a symbolic link; the text of a file is NoteText.
func MakeTree(t *testing.T, paths ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, path := range paths {
		name, target, isLink := strings.Cut(path, " -> ")
		full := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(full)
		if strings.HasSuffix(name, "/") {
			dir = full
		}
		NoErr(t, os.MkdirAll(dir, 0o755))
		switch {
		case isLink:
			NoErr(t, os.Symlink(strings.ReplaceAll(target, "ROOT", root), full))
		case dir != full:
			NoErr(t, os.WriteFile(full, []byte(NoteText), 0o644))
		}
	}
	return root
}

// NoErr fails the test if there is an error.
func NoErr(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// WriteFile writes a file with the folders that lead to it, and returns its path.
func WriteFile(t *testing.T, text string, path ...string) string {
	t.Helper()
	full := filepath.Join(path...)
	NoErr(t, os.MkdirAll(filepath.Dir(full), 0o755))
	NoErr(t, os.WriteFile(full, []byte(text), 0o644))
	return full
}

// Resolved returns a path without symbolic links.
func Resolved(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	NoErr(t, err)
	return path
}

// quietGit makes git do only what it is asked to do: no maintenance afterwards, no
// samples of hooks, no waiting for the disk.
var quietGit = []string{
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_TEMPLATE_DIR=", "GIT_CONFIG_COUNT=3",
	"GIT_CONFIG_KEY_0=gc.auto", "GIT_CONFIG_VALUE_0=0", "GIT_CONFIG_KEY_1=maintenance.auto",
	"GIT_CONFIG_VALUE_1=false", "GIT_CONFIG_KEY_2=core.fsync", "GIT_CONFIG_VALUE_2=none",
}

// GitEnv returns the environment of git without anybody's configuration, and more.
func GitEnv(more ...string) []string {
	return slices.Concat(os.Environ(), quietGit, more)
}

// Git runs git in a folder, without anybody's configuration.
func Git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b",
		"-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Env = GitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
