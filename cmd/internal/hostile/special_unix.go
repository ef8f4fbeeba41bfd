//go:build unix

package hostile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// special makes pipes, links, sockets, unreadable files and files with odd names, and
// returns their cases.
func special(tb testing.TB, dir string) []Case {
	tb.Helper()
	cases := []Case{
		pipe(tb, filepath.Join(dir, "pipe", "handoff.md")),
		pipe(tb, filepath.Join(dir, "pipe", ".flow-guardian", "handoff.yaml")),
		link(tb, filepath.Join(dir, "docs/handoffs/self.md"), "self.md"),
		link(tb, filepath.Join(dir, "docs/handoffs/dangling.md"), "nowhere.md"),
		link(tb, filepath.Join(dir, "docs/handoffs/loop"), ".."),
		link(tb, filepath.Join(dir, "docs/handoffs/passwd.md"), "/etc/passwd"),
	}
	cases = append(cases, socket(tb, filepath.Join(dir, "socket", "handoff.md"))...)
	cases = append(cases, unreadable(tb, dir)...)
	for i, name := range []string{
		"line\nbreak.md", "esc\x1b[2J.md", "bytes\xff\xfe.md", "-rf.md",
		strings.Repeat("long", 62) + ".md",
	} {
		if runtime.GOOS == "darwin" && !utf8.ValidString(name) {
			continue // its file system refuses the name
		}
		c := Case{Path: filepath.Join(dir, "docs/handoffs", name), Want: OK, Word: "oddname" + string(rune('a'+i))}
		write(tb, c.Path, "# Handoff\n\n## Done\n- "+c.Word+"\n")
		cases = append(cases, c)
	}
	inside := Case{Path: filepath.Join(dir, "folder/handoff.md/docs/handoffs/inside.md"), Want: OK, Word: "insideafolder"}
	write(tb, inside.Path, "# Handoff\n\n## Done\n- "+inside.Word+"\n")
	return append(cases, inside)
}

// pipe makes a named pipe, which must be skipped, and returns its case.
func pipe(tb testing.TB, path string) Case {
	tb.Helper()
	makeDir(tb, filepath.Dir(path))
	if err := unix.Mkfifo(path, 0o600); err != nil {
		tb.Fatalf("make pipe %s: %v", path, err)
	}
	return Case{Path: path, Want: Skip, Reason: "pipe"}
}

// socket makes a socket, which must be skipped, and returns its case; none on systems where
// only root can make one without listening on it.
func socket(tb testing.TB, path string) []Case {
	tb.Helper()
	makeDir(tb, filepath.Dir(path))
	if err := unix.Mknod(path, unix.S_IFSOCK|0o600, 0); err != nil {
		tb.Logf("no socket: %v", err)
		return nil
	}
	return []Case{{Path: path, Want: Skip, Reason: "socket"}}
}

// link makes a symbolic link, which must be skipped, and returns its case.
func link(tb testing.TB, path, target string) Case {
	tb.Helper()
	if err := os.Symlink(target, path); err != nil {
		tb.Fatal(err)
	}
	return Case{Path: path, Want: Skip, Reason: "(?i)link"}
}

// unreadable makes a file and a folder without any permission, and returns their cases. For
// root, who can read them, the cases are OK.
func unreadable(tb testing.TB, dir string) []Case {
	tb.Helper()
	file := Case{
		Path: filepath.Join(dir, "docs/handoffs/unreadable.md"), Want: Skip, Reason: "permission denied",
		Word: "unreadablefile",
	}
	write(tb, file.Path, "# Handoff\n\n## Done\n- "+file.Word+"\n")
	folder := Case{Path: filepath.Join(dir, "locked"), Want: Skip, Reason: "permission denied"}
	below := filepath.Join(folder.Path, "docs/handoffs/below.md")
	write(tb, below, "# Handoff\n\n## Done\n- belowalockedfolder\n")
	for _, c := range []Case{file, folder} {
		if err := os.Chmod(c.Path, 0); err != nil {
			tb.Fatal(err)
		}
	}
	tb.Cleanup(func() { _ = os.Chmod(folder.Path, 0o700) })
	if os.Geteuid() == 0 {
		file.Want, file.Reason = OK, ""
		folder = Case{Path: below, Want: OK, Word: "belowalockedfolder"}
	}
	return []Case{file, folder}
}
