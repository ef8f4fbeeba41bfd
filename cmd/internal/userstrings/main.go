// Userstrings prints the texts in the source of handex that a user can see, so
// that they can be proofread: messages, help, labels, rules, templates.
//
//	userstrings [FOLDER...]
//
// Each line is "file:line: text". It prints every text from which a user could
// see a word, so some lines are of no interest. It leaves out:
//
//   - tests and the packages that only tests use, generated code
//   - arguments of package regexp and of functions of package strings that
//     search or compare, and panics
//   - SQL, which is recognized by two keywords in capitals, or one at the beginning
//   - a literal without a space, unless it is a capitalized word, an argument of
//     a function that makes or writes messages, or help in a struct tag
//   - a literal without a word in lower case, such as a layout of dates
//   - the documents (README.md, docs), which are texts as a whole
package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	folders := os.Args[1:]
	if len(folders) == 0 {
		folders = []string{"."}
	}
	if err := run(os.Stdout, folders); err != nil {
		fmt.Fprintln(os.Stderr, "userstrings:", err)
		os.Exit(1)
	}
}

// text is a text in a source file, with its line.
type text struct {
	line int
	text string
}

// readers find the texts of a file by the extension of its name.
var readers = map[string]func(source string) ([]text, error){
	".go":   goTexts,
	".tmpl": markupTexts,
	".js":   scriptTexts,
	".ts":   scriptTexts,
	".json": jsonTexts,
}

// forTests are folders whose texts no user sees.
var forTests = []string{
	"testdata", "testkit", "parsetest", "agentstest", "gen", "hostile", "faults",
	"sqlitedb", "userstrings", "sbom", "handex-bench", "examples", "docs",
}

// oneLine replaces what ends a line, or what grep takes for a binary file.
var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`, "\x00", `\x00`, "\x1b", `\x1b`)

// run writes the texts of all source files below the folders, a line for each text.
func run(w io.Writer, folders []string) error {
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == folder:
				return nil
			case entry.IsDir() && (slices.Contains(forTests, entry.Name()) || strings.HasPrefix(entry.Name(), ".")):
				return filepath.SkipDir
			case entry.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return writeTexts(w, path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeTexts writes the texts of one file in the order of its lines.
func writeTexts(w io.Writer, path string) error {
	find := readers[filepath.Ext(path)]
	if find == nil {
		return nil
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	texts, err := find(string(source))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	slices.SortStableFunc(texts, func(a, b text) int { return cmp.Compare(a.line, b.line) })
	for _, t := range texts {
		if _, err := fmt.Fprintf(w, "%s:%d: %s\n", filepath.ToSlash(path), t.line, oneLine.Replace(t.text)); err != nil {
			return err
		}
	}
	return nil
}
