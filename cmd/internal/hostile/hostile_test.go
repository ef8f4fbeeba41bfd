package hostile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/parse"
)

func TestLayWritesWhatItLists(t *testing.T) {
	t.Parallel()
	cases := hostile.Write(t, t.TempDir())
	var bad int
	words := map[string]string{}
	for _, c := range cases {
		if _, err := os.Lstat(c.Path); err != nil {
			t.Error(err)
		}
		if other := words[c.Word]; other != "" && c.Word != "" {
			t.Errorf("%s and %s share the word %s", other, c.Path, c.Word)
		}
		words[c.Word] = c.Path
		if c.Want != hostile.OK {
			bad++
			if c.Reason == "" {
				t.Errorf("%s has no reason to be a %s", c.Path, c.Want)
			}
		}
	}
	if least := 50; runtime.GOOS == "linux" && bad < least {
		t.Errorf("%d of %d files are problems or skips, want at least %d", bad, len(cases), least)
	}
	t.Logf("%d files, of which %d are problems or skips", len(cases), bad)
}

// Whatever the index makes of them, the parser has to answer for those that
// are files.
func TestParserTellsTheProblems(t *testing.T) {
	t.Parallel()
	const fast = 2 * time.Second // for one file, on a slow machine under the race detector
	for _, c := range hostile.Write(t, t.TempDir()) {
		if c.Want == hostile.Skip {
			continue
		}
		info, err := os.Lstat(c.Path)
		if err != nil || info.Mode()&fs.ModeType != 0 {
			t.Errorf("%s is not a file: %v", c.Path, err)
			continue
		}
		text, err := os.ReadFile(c.Path)
		if err != nil {
			t.Error(err)
			continue
		}
		start := time.Now()
		docs := parse.Parse(parse.Source{Path: filepath.ToSlash(c.Path), Bytes: text, ModTime: info.ModTime()})
		if took := time.Since(start); took > fast {
			t.Errorf("%s takes %v", c.Path, took)
		}
		check(t, c, docs)
	}
}

func check(t *testing.T, c hostile.Case, docs []*parse.Document) {
	t.Helper()
	var said []string
	var text strings.Builder
	for _, d := range docs {
		for _, p := range d.Problems {
			said = append(said, p.Rule+": "+p.Message)
			if _, ok := parse.RuleOf(p.Rule); !ok {
				t.Errorf("%q breaks %s, which is no rule", filepath.Base(c.Path), p.Rule)
			}
		}
		text.WriteString(allText(d))
	}
	switch name := filepath.Base(c.Path); {
	case c.Want == hostile.OK && len(said) > 0:
		t.Errorf("%q has problems %q, want none", name, said)
	case c.Want == hostile.Problem && !slices.ContainsFunc(said, regexp.MustCompile(c.Reason).MatchString):
		t.Errorf("%q has problems %q, want one that matches %s", name, said, c.Reason)
	case !strings.Contains(text.String(), c.Word):
		t.Errorf("%q lost its word %s", name, c.Word)
	}
}

func allText(d *parse.Document) string {
	var b strings.Builder
	b.WriteString(d.Title + "\n" + d.Head + "\n")
	for _, f := range d.Fields {
		b.WriteString(f.Value + "\n")
	}
	for _, s := range d.Sections {
		b.WriteString(s.Heading + "\n" + s.Body + "\n")
	}
	return b.String()
}
