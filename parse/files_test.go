package parse_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

func TestFilesTouched(t *testing.T) {
	t.Parallel()
	tests := []struct {
		heading, line string
		want          []parse.File
	}{
		{"Files", "- src/auth.go (created)", file("created", "src/auth.go")},
		{"Files", "- `src/auth.go` (modified, 3 lines)", file("modified", "src/auth.go")},
		{"Files", "- **src/auth.go** — the handler", file("", "src/auth.go")},
		{"Files", "* src/auth.go: the handler", file("", "src/auth.go")},
		{"Files", "1. src/auth.go:12-34", file("", "src/auth.go")},
		{"Files", "- `src/auth.go:12`", file("", "src/auth.go")},
		{"Files", "- Created `src/auth.go`", file("created", "src/auth.go")},
		{"Files", "- Deleted: src/old.go", file("deleted", "src/old.go")},
		{"Files", "- Renamed src/a.go → src/b.go", append(file("renamed", "src/a.go"), file("renamed", "src/b.go")...)},
		{"Files", "- supprimé.md (supprimé)", file("deleted", "supprimé.md")},
		{"Files", "✅ src/auth.go", file("", "src/auth.go")},
		{"Files", "| `src/auth.go` | new handler |", file("", "src/auth.go")},
		{"Files", "| File | Change |", nil},
		{"Files", "- [src/auth.go](src/auth.go)", file("", "src/auth.go")},
		{"Files", "- app/(admin)/page.tsx", file("", "app/(admin)/page.tsx")},
		{"Files", "- /etc/hosts", file("", "/etc/hosts")},
		{"Files", "- ../other/main.go", file("", "../other/main.go")},
		{"Files", "- ~/notes/plan.md", file("", "~/notes/plan.md")},
		{"Files", "- .gitignore", file("", ".gitignore")},
		{"Files", "- docs/análise.md", file("", "docs/análise.md")},
		{"Files", "- 文档/说明.md", file("", "文档/说明.md")},
		{"Files", "- `docs/My notes.md`", file("", "docs/My notes.md")},
		{"Files", "- src/auth/", file("", "src/auth/")},
		{"Files", "- src/auth", file("", "src/auth")},
		{"Files", "- `src/**/*.ts`", file("", "src/**/*.ts")},
		{"Files", "- a.go, b.go", append(file("", "a.go"), file("", "b.go")...)},
		{"Files", "- `a.go`, `b/c.go` and more", append(file("", "a.go"), file("", "b/c.go")...)},
		{"Files", "- The handler lives in `src/auth.go`.", file("", "src/auth.go")},
		{"Files", "- The end of the story is in src/auth.go.", file("", "src/auth.go")},
		{"Files", "- `go test ./parse/auth.go`", file("", "./parse/auth.go")},
		{"Files", "- and/or nothing at all", nil},
		{"Files", "- N/A", nil},
		{"Files", "- None.", nil},
		{"Files", "- 4/6 done", nil},
		{"Files", "- v1.2.3", nil},
		{"Files", "- e.g. the handler", nil},
		{"Files", "- https://example.com/a.go", nil},
		{"Files", "- see `https://example.com/a.go`", nil},
		{"Files created", "- src/auth.go", file("created", "src/auth.go")},
		{"Files modified", "- src/auth.go (deleted)", file("deleted", "src/auth.go")},
		{"Modified files", "- src/auth.go", file("modified", "src/auth.go")},
		{"Fichiers modifiés", "- src/auth.go", file("modified", "src/auth.go")},
		{"Files changed", "- src/auth.go", file("", "src/auth.go")},
		{"Files created/modified", "- src/auth.go", file("", "src/auth.go")},
		{"Files", "| `src/auth.go` | Modified |", file("modified", "src/auth.go")},
		{"Files", "- src/auth.go — new", file("created", "src/auth.go")},
		{"Files", "- src/auth.go (see notes) (new)", file("created", "src/auth.go")},
		{"Files", "- new/auth.go", file("", "new/auth.go")},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# Handoff\n\n## " + test.heading + "\n\n" + test.line + "\n")})[0]
		if diff := cmp.Diff(test.want, d.Files); diff != "" {
			t.Errorf("%s: %s: want -, got +:\n%s", test.heading, test.line, diff)
		}
	}
}

// Files are found in whatever section names them; identifiers, versions and
// addresses are none.
func TestFilesAnywhere(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []string
	}{
		{"Fixed `src/auth.go:12` and src/b_test.go, see docs/a.md.", []string{"src/auth.go", "src/b_test.go", "docs/a.md"}},
		{"| `tests/a.test.ts` | ok |", []string{"tests/a.test.ts"}},
		{"- [notes](docs/notes.md) (STATE.md)", []string{"docs/notes.md", "STATE.md"}},
		{"The folder `src/auth/` and `.config/tool/run`.", []string{"src/auth/", ".config/tool/run"}},
		{"app/(admin)/page.tsx and app/[id]/page.tsx", []string{"app/(admin)/page.tsx", "app/[id]/page.tsx"}},
		{"(see src/a.go)", []string{"src/a.go"}},
		{".env.example and ~/.zshrc.bak", []string{".env.example", "~/.zshrc.bak"}},
		{"Node.js, Next.js and e.g. v1.2.3 call foo.bar() at x.y", nil},
		{"https://example.org/a.md and http://a/b.html", nil},
		{"`feat/auth` and `origin/main/x` and/or `/api/users/1`", nil},
		{"*.go and $HOME.md", nil},
		{"package.json.old and a.go_b and main.go2", nil},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# Handoff\n\n## Done\n\n" + test.line + "\n")})[0]
		var got []string
		for _, f := range d.Files {
			got = append(got, f.Path)
			if f.Section != parse.Done || f.Line != 5 {
				t.Errorf("%q: %s is of section %q on line %d", test.line, f.Path, f.Section, f.Line)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: want -, got +:\n%s", test.line, diff)
		}
	}
}

func TestLabelsNameTheActionOfTheFilesBelow(t *testing.T) {
	t.Parallel()
	body := "# Handoff\n\n## Files changed\n\n**Created:**\n- a.go\n\n**Deleted**:\n- b.go\n- c.go (renamed)\n\nOthers:\n- d.go\n"
	want := []parse.File{{Path: "a.go", Action: "created", Section: parse.Files, Line: 6}, {Path: "b.go", Action: "deleted", Section: parse.Files, Line: 9}, {Path: "c.go", Action: "renamed", Section: parse.Files, Line: 10}, {Path: "d.go", Section: parse.Files, Line: 13}}
	if diff := cmp.Diff(want, parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(body)})[0].Files); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// file is a file on line 5.
func file(action, path string) []parse.File {
	return []parse.File{{Path: path, Action: action, Section: parse.Files, Line: 5}}
}
