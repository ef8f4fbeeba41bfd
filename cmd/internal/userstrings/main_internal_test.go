package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

var sources = map[string]string{
	"a.go": "package a\n\nimport \"fmt\"\n" + `
type cmd struct {
	Limit int ` + "`json:\"a key\" help:\"Show N hits.\" placeholder:\"N\"`" + `
}

var rows = []row{{"id", "Add the missing key."}, {"key", "no_prose"}, {"heading", "Gotchas"}}

const statement = "SELECT a row FROM rows"

func f(a *app, name string) error {
	a.note("stopped")
	if strings.HasPrefix(name, "a b ") || regexp.MustCompile("some words") != nil {
		panic("the table is wrong")
	}
	fmt.Fprint(w, "2006-01-02")
	layout := "15:04 MST"
	return fmt.Errorf("%s: no handoff " +
		name + " in %d\nfiles", name, 3)
}
`,
	"page.tmpl": `<p class="some thing" title="Copy
the id">{{with .X}}No hits{{end}}</p>
{{/* gone */}}
<b>{{say "not read" .Y}}</b>
`,
	"app.js":       "note.textContent = 'Copied to clipboard'; // not this \"some text\"\n",
	"api.json":     "{\n\"title\": \"The hits\",\n\"name\": \"a name\"}\n",
	"a_test.go":    "package a\n\nvar _ = \"not this one\"\n",
	"gen/words.go": "package gen\n\nvar _ = \"not this one\"\n",
}

const found = `a.go:6: Show N hits.
a.go:6: N
a.go:9: Add the missing key.
a.go:9: Gotchas
a.go:14: stopped
a.go:20: %s: no handoff … in %d\nfiles
api.json:2: The hits
app.js:1: Copied to clipboard
page.tmpl:1: Copy\nthe id
page.tmpl:2: …No hits…
page.tmpl:4: not read
`

func TestTexts(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "gen"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, source := range sources {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	var out bytes.Buffer
	if err := run(&out, []string{"."}); err != nil {
		t.Fatal(err)
	}
	if out.String() != found {
		t.Errorf("got\n%s\nwant\n%s", &out, found)
	}
}
