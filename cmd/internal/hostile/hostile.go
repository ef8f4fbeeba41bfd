// Package hostile lays out files that try what files can try against a program
// that reads whatever it finds: broken encodings, bombs, texts that make
// parsers slow, and things that are not files at all.
package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What becomes of a file.
const (
	Problem = "problem" // indexed, with a problem that says what is wrong
	Skip    = "skip"    // not indexed, with the reason
	OK      = "ok"      // indexed, without a word
)

// Case is one hostile file and what has to become of it.
type Case struct {
	Path   string // absolute
	Want   string // Problem, Skip or OK
	Reason string // regular expression for the problem's rule and message, or the skip's reason
	// Word stands in this file and in no other; a search for it finds the
	// file unless Want is Skip. Empty where the file has no text.
	Word string
}

// file is a row of files.txt. WORD in its text is replaced by the word of the case.
type file struct {
	path, want, reason, text string
}

// Write writes the hostile files and ten good ones as one project below dir, which must
// exist, and returns a case for each. Files that the system or the user cannot have are
// left out (pipes on Windows) or expected to be OK (unreadable files as root). All of them
// can be removed when the test ends.
func Write(tb testing.TB, dir string) []Case {
	tb.Helper()
	makeDir(tb, filepath.Join(dir, ".git"))
	var cases []Case
	for _, f := range files(tb) {
		c := Case{Path: filepath.Join(dir, filepath.FromSlash(f.path)), Want: f.want, Reason: f.reason}
		c.Word = fmt.Sprintf("hostile%02dword", len(cases))
		if !strings.Contains(f.text, "WORD") {
			c.Word = ""
		}
		write(tb, c.Path, strings.ReplaceAll(f.text, "WORD", c.Word))
		cases = append(cases, c)
	}
	cases = append(cases, huge(tb, dir))
	return append(cases, special(tb, dir)...)
}

// huge makes a file of 200 MB, far over every limit, that takes almost no space on the
// disk, and returns its case.
func huge(tb testing.TB, dir string) Case {
	tb.Helper()
	path := filepath.Join(dir, "docs/handoffs/200-megabytes.md")
	write(tb, path, "# Handoff: 200 MB\n")
	if err := os.Truncate(path, 200<<20); err != nil {
		tb.Fatal(err)
	}
	return Case{Path: path, Want: Skip, Reason: "too large"}
}

// write writes a file with a fixed modification time, and makes missing folders.
func write(tb testing.TB, path, text string) {
	tb.Helper()
	makeDir(tb, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	day := time.Date(2026, time.January, 15, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, day, day); err != nil {
		tb.Fatal(err)
	}
}

func makeDir(tb testing.TB, path string) {
	tb.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		tb.Fatal(err)
	}
}
