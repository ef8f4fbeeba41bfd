package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	handexID  = regexp.MustCompile(`h_[0-9a-f]{12}`)
	shellWord = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)
)

// TestReadmeAnswers runs the questions of the README and compares what is
// printed there, but for ids: they are made of the folder's path.
func TestReadmeAnswers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	tree := exampleTree(t)
	env := append(cleanEnv(t), "HANDEX_NOW=2026-02-13T12:00:00Z", "TZ=UTC")
	asked := 0
	for _, block := range strings.Split(string(text), "\n$ handex search --root examples ")[1:] {
		question, want, _ := strings.Cut(block, "\n")
		question, _, _ = strings.Cut(question, "  #")
		want, _, _ = strings.Cut(want, "\n```")
		args := []string{"search", "--root", tree}
		for _, word := range shellWord.FindAllString(question, -1) {
			args = append(args, strings.Trim(word, "'"))
		}
		got := runHandex(t, env, "", args...)
		shown := got.stdout
		for line := range strings.SplitSeq(got.stderr, "\n") {
			if strings.Contains(line, " shown; ") {
				shown += line + "\n"
			}
		}
		asked++
		if diff := cmp.Diff(anonymous(want), anonymous(shown)); diff != "" {
			t.Errorf("%s (-README +handex):\n%s", question, diff)
		}
	}
	if asked != 10 {
		t.Errorf("%d questions in the README, want 10", asked)
	}
}

// exampleTree copies the examples with the times their names tell: which
// claude-suite handoff is the latest goes by mtime, and a checkout makes many
// files in one tick.
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

func anonymous(s string) string { return strings.TrimSpace(handexID.ReplaceAllString(s, "ID")) }
