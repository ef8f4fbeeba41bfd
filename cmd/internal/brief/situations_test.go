package brief_test

import (
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/index"
)

var update = flag.Bool("update", false, "write what briefings say into the golden files")

// A situation is a tree of files and what is asked about it. Lines above the files
// say: dir (what is briefed), budget, to, trusted, clone (the tree is committed by
// somebody and cloned), commit FILE (is written and committed in the clone) and
// git (an empty repository is where it says).
type situation struct {
	root, dir, to string
	budget        brief.Budget
	trusted       bool
	options       brief.ComposeOptions
}

var testNow = time.Date(2026, time.February, 12, 12, 0, 0, 0, time.UTC)

// loadSituation lays out the tree of an archive.
func loadSituation(tb testing.TB, a *txtar.Archive) situation {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	s := situation{root: root, dir: root, budget: brief.Budget{N: 8000, Unit: 'c'}}
	cloned, later := "", map[string]bool{}
	var lines [][]string
	for line := range strings.Lines(string(a.Comment)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		lines = append(lines, words)
		if words[0] == "commit" {
			later[words[1]] = true
		}
	}
	lay := func(to string, wanted bool) {
		for _, f := range a.Files {
			if later[f.Name] == wanted {
				writeFile(tb, filepath.Join(to, filepath.FromSlash(f.Name)), strings.ReplaceAll(string(f.Data), "$ROOT", root))
			}
		}
	}
	for _, words := range lines {
		switch words[0] {
		case "dir":
			s.dir = filepath.Join(root, filepath.FromSlash(words[1]))
		case "budget":
			if s.budget, err = brief.ParseBudget(words[1]); err != nil {
				tb.Fatal(err)
			}
		case "to":
			s.to = words[1]
		case "trusted":
			s.trusted = true
		case "clone":
			cloned = tb.TempDir()
		case "commit":
		default:
			tb.Fatalf("a situation says %q", words)
		}
	}
	if cloned == "" {
		lay(root, false)
		s.trusted = true // the times are set, so nothing shows that the files were written here
		return s
	}
	lay(cloned, false)
	git(tb, cloned, "init", "-q")
	git(tb, cloned, "add", "-A")
	git(tb, cloned, "commit", "-q", "-m", "handoffs")
	git(tb, root, "clone", "-q", cloned, ".")
	lay(root, true)
	if len(later) > 0 {
		git(tb, root, "add", "-A")
		git(tb, root, "commit", "-q", "-m", "mine")
	}
	return s
}

func writeFile(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	at := testNow.Add(-30 * 24 * time.Hour)
	if day, err := time.Parse(time.DateOnly, regexp.MustCompile(`\d{4}-\d\d-\d\d|$`).FindString(filepath.Base(path))); err == nil {
		at = day.Add(18 * time.Hour)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		tb.Fatal(err)
	}
}

func git(tb testing.TB, dir string, args ...string) {
	tb.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	if out, err := c.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		tb.Skip("git is not installed")
	} else if err != nil {
		tb.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// facts indexes the tree and gathers.
func (s situation) facts(tb testing.TB) *brief.Facts {
	tb.Helper()
	ctx := context.Background()
	store, err := index.Open(ctx, index.Options{Dir: tb.TempDir(), Now: func() time.Time { return testNow }})
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	if _, err := store.Refresh(ctx, []index.Root{{Path: s.root}}, index.RefreshOptions{}); err != nil {
		tb.Fatal(err)
	}
	f, err := brief.Gather(ctx, store, s.dir, brief.Options{Agent: s.to, Trusted: s.trusted, Getenv: os.Getenv})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// told is the briefing in a form, "" for none.
func (s situation) told(tb testing.TB, f *brief.Facts, form string) string {
	tb.Helper()
	a, ok := brief.FindAgent(form)
	if !ok {
		tb.Fatalf("there is no form %q", form)
	}
	o := s.options
	o.Budget, o.Now = s.budget, testNow
	b := brief.Compose(f, a.Shape, o)
	if b == nil {
		return ""
	}
	return a.Write(b)
}

var idPattern = regexp.MustCompile(`h_[0-9a-f]{6,12}`)

// neutral puts names into the place of what depends on where the tree is: ids,
// and the mark, which depends on them.
func neutral(text, root string) string {
	text = strings.ReplaceAll(text, root, "$ROOT")
	var ids []string
	text = idPattern.ReplaceAllStringFunc(text, func(id string) string {
		i := slices.IndexFunc(ids, func(known string) bool { return known[:8] == id[:8] })
		if i < 0 {
			i = len(ids)
			ids = append(ids, id)
		}
		return "h_" + strings.Repeat(string(rune('A'+i)), len(id)-2)
	})
	mark := regexp.MustCompile(`(handex |[Bb]riefing |mark=\\?")[0-9a-f]{6}`)
	return mark.ReplaceAllString(text, "${1}MARK00")
}

func situations(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob("testdata/situations/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d situations, %v", len(files), err)
	}
	list := map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list[strings.TrimSuffix(filepath.Base(file), ".txtar")] = a
	}
	return list
}

func TestSituations(t *testing.T) {
	t.Parallel()
	for name, a := range situations(t) {
		t.Run(name, func(t *testing.T) {
			s := loadSituation(t, a)
			f := s.facts(t)
			for _, form := range brief.AgentNames() {
				text := s.told(t, f, form)
				if text != "" {
					checkForm(t, form, text)
				}
				if again := s.told(t, f, form); again != text {
					t.Errorf("%s is another the second time", form)
				}
				compareGolden(t, filepath.Join("testdata", "golden", name+"."+form), neutral(text, s.root))
			}
		})
	}
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// checkForm holds a briefing against what its reader accepts.
func checkForm(t *testing.T, form, text string) {
	t.Helper()
	switch form {
	case "claude", "codex", "gemini", "cursor", "copilot", "json":
		checkSchema(t, "testdata/schemas/"+form+".json", text)
	case "xml":
		checkXML(t, text)
	default:
		if strings.ContainsAny(text[:1], "{[") {
			t.Errorf("%s begins with %q", form, text[:1])
		}
	}
}

func checkXML(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if depth != 0 {
				t.Errorf("%d elements are open at the end", depth)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			if !slices.Contains([]string{"handex-briefing", "about", "project", "block", "line", "closing"}, e.Name.Local) {
				t.Errorf("element %s", strconv.Quote(e.Name.Local))
			}
		case xml.EndElement:
			depth--
		case xml.Comment, xml.ProcInst, xml.Directive:
			t.Errorf("%T", token)
		}
	}
}
