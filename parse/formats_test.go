package parse_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

// ordinary are names that mean something else as well, so that other code may
// use them: the shapes ("--output json"), and a name files have.
var ordinary = []string{string(parse.Markdown), string(parse.YAML), string(parse.XML), string(parse.JSON), string(parse.Text), "whats-next"}

// A format is a row of formats.go and its fixtures: code that knows one by name
// would have to change with it.
func TestNoOtherCodeNamesAFormat(t *testing.T) {
	t.Parallel()
	names := slices.DeleteFunc(parse.FormatNames(), func(name string) bool { return slices.Contains(ordinary, name) })
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || filepath.ToSlash(path) == "../parse/formats.go":
			return nil
		}
		files++
		for _, l := range literals(t, path) {
			if slices.Contains(names, l) {
				t.Errorf("%s names the format %q", path, l)
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files of Go: %v", files, err)
	}
}

// literals lists the texts that stand in a file of Go.
func literals(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, _ := strconv.Unquote(l.Value)
			out = append(out, text)
		}
		return true
	})
	return out
}

func TestLatestBy(t *testing.T) {
	t.Parallel()
	tests := map[string]parse.LatestRule{
		"claude-suite": parse.ByMTime, "flow-guardian": parse.Current, "company": parse.Current,
		"act-xml": parse.ByDate, "act-md": parse.ByDate, "markdown": parse.ByDate, "no such format": parse.ByDate,
	}
	for name, want := range tests {
		if got := parse.LatestBy(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
