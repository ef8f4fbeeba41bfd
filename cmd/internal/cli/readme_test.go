package cli_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const readmeFile = "../../../README.md"

var (
	handexID  = regexp.MustCompile(`h_[0-9a-f]{12}`)
	shellWord = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)
	codeBlock = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$")
	question  = regexp.MustCompile(`^(\$ )?(?:handex|go run \./cmd/handex) (.*)$`)
	mention   = regexp.MustCompile("(?m)(?:^    |`|\\$ )handex ([a-z][a-z-]*)")
)

// example is a command in a block of code, and what the block says it prints.
type example struct {
	line    string
	args    []string
	printed string
	shown   bool // whether the output is shown: the command follows a "$ "
}

// examplesIn returns the commands in the blocks of code of a page.
func examplesIn(t *testing.T, page string) []example {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			m := question.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				if n := len(list); n > 0 && list[n-1].shown {
					list[n-1].printed += line
				}
				continue
			}
			command, _, _ := strings.Cut(m[2], "  #")
			e := example{line: line, shown: m[1] != ""}
			for _, word := range shellWord.FindAllString(command, -1) {
				e.args = append(e.args, strings.Trim(word, `'"`))
			}
			list = append(list, e)
		}
	}
	return list
}

// TestReadmeCommands runs each command of the README in a copy of the examples.
// It must succeed and find something, unless the README shows another output.
// Output that is shown must be the same for everybody: on the day of the
// examples and today, with the times of their days and with those of a copy.
// With -update the output of the first is written to the README.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "examples")
	if err := os.CopyFS(plain, os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	readers := []struct {
		tree string
		env  []string
	}{
		{exampleTree(t), append(cleanEnv(t), "HANDEX_NOW=2026-02-13T12:00:00Z")},
		{plain, append(cleanEnv(t), "TZ=America/Los_Angeles")},
	}
	text, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	shown, asked, updated := 0, 0, string(text)
	for _, e := range examplesIn(t, readmeFile) {
		asked++
		if e.shown {
			shown++
		}
		for i, reader := range readers {
			cmd := exec.CommandContext(t.Context(), "handex", e.args...)
			cmd.Dir, cmd.Env = filepath.Dir(reader.tree), reader.env
			got, err := cmd.CombinedOutput()
			if err != nil && !e.shown || len(got) == 0 {
				t.Errorf("handex %q: %v\n%s", e.args, err, got)
			}
			if *update && e.shown && i == 0 {
				updated = strings.Replace(updated, e.line+e.printed, e.line+string(got), 1)
				e.printed = string(got)
			}
			if diff := cmp.Diff(strings.TrimSpace(e.printed), strings.TrimSpace(string(got))); e.shown && diff != "" {
				t.Errorf("handex %q (-README +handex):\n%s", e.args, diff)
			}
		}
	}
	if updated != string(text) {
		if err := os.WriteFile(readmeFile, []byte(updated), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if asked < 8 || shown < 3 {
		t.Errorf("%d commands in the README, %d of them with output; want at least 8 and 3", asked, shown)
	}
}

// TestReadmeSearchPage runs each query of the page on searching. It must find something.
func TestReadmeSearchPage(t *testing.T) {
	t.Parallel()
	env := append(cleanEnv(t), "HANDEX_NOW=2026-02-13T12:00:00Z", "HANDEX_ROOTS="+exampleTree(t))
	list := examplesIn(t, "../../../docs/search.md")
	for _, e := range list {
		if got := runHandex(t, env, "", e.args...); got.status != 0 || got.stdout == "" {
			t.Errorf("handex %q: status %d\n%s", e.args, got.status, got.stderr)
		}
	}
	if len(list) != 10 {
		t.Errorf("%d queries on the page, want 10", len(list))
	}
}

// TestPagesNameCommands checks that every command named in the README and in docs exists.
func TestPagesNameCommands(t *testing.T) {
	t.Parallel()
	env := cleanEnv(t)
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string][]string{}
	for _, page := range append(pages, readmeFile, languageFile) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mention.FindAllStringSubmatch(string(text), -1) {
			named[m[1]] = append(named[m[1]], filepath.Base(page))
		}
	}
	if len(named) < 20 {
		t.Errorf("the pages name %d commands, want at least 20", len(named))
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if got := runHandex(t, env, "", name, "--help"); got.status != 0 {
			t.Errorf("%s: handex %s is no command: %s", slices.Compact(named[name]), name, got.stderr)
		}
	}
}

// TestPagesLink checks that every link to a file of the repository leads to one.
func TestPagesLink(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range append(pages, readmeFile, languageFile) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", filepath.Base(page), err)
			}
		}
	}
	if links < 10 {
		t.Errorf("%d links, want at least 10", links)
	}
}

// exampleTree copies the examples and gives each file the time in its name:
// which claude-suite handoff is the latest goes by mtime, and a checkout makes
// many files in one tick.
func exampleTree(t *testing.T) string {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "examples")
	if err := os.CopyFS(tree, os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	if err := age(tree); err != nil {
		t.Fatal(err)
	}
	return tree
}
