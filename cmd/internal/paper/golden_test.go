package paper_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/paper"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

var update = flag.Bool("update", false, "write what reports look like into the golden files")

var now = time.Date(2026, time.February, 10, 20, 0, 0, 0, time.UTC)

// examples indexes a copy of the examples whose files are as old as their names say.
func examples(tb testing.TB) (*index.Store, string) {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.CopyFS(root, os.DirFS("../../../examples")); err != nil {
		tb.Fatal(err)
	}
	day := regexp.MustCompile(`\d{4}-\d\d-\d\d`)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at := time.Date(2026, 2, 9, 12, 0, 0, 0, time.UTC)
		if named, err := time.Parse(time.DateOnly, day.FindString(filepath.Base(path))); err == nil {
			at = named.Add(18 * time.Hour)
		}
		return os.Chtimes(path, at, at)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return indexed(tb, root), root
}

func indexed(tb testing.TB, root string) *index.Store {
	tb.Helper()
	s, err := index.Open(context.Background(), index.Options{Dir: tb.TempDir(), Now: func() time.Time { return now }, Zone: time.UTC})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	if _, err := s.Refresh(context.Background(), []index.Root{{Path: root}}, index.RefreshOptions{Home: filepath.Join(root, "home")}); err != nil {
		tb.Fatal(err)
	}
	return s
}

func build(tb testing.TB, s *index.Store, o report.Options, restriction string) *report.Report {
	tb.Helper()
	o.Env = query.Env{Now: now, Zone: time.UTC, Formats: parse.FormatNames()}
	var err error
	if o.Query, err = query.Parse(restriction, o.Env); err != nil {
		tb.Fatal(err)
	}
	r, err := report.Build(context.Background(), s, o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// forms write a report in every way there is.
var forms = map[string]func(w io.Writer, r *report.Report) error{
	"txt": func(w io.Writer, r *report.Report) error {
		return paper.Terminal(w, r, render.Options{Now: now, Dates: render.DatesISO}, false)
	},
	"queries.txt": func(w io.Writer, r *report.Report) error {
		return paper.Terminal(w, r, render.Options{Now: now, Dates: render.DatesISO}, true)
	},
	"80.txt": func(w io.Writer, r *report.Report) error {
		return paper.Terminal(w, r, render.Options{Now: now, Dates: render.DatesRelative, Width: 80, Color: true}, false)
	},
	"md":  func(w io.Writer, r *report.Report) error { return paper.Markdown(w, r, render.Options{Now: now}) },
	"csv": paper.CSV,
	"tsv": paper.TSV,
	"json": func(w io.Writer, r *report.Report) error {
		return render.EnvelopeJSON(w, render.Answer{Text: r.Query, Canonical: r.Query, Result: &index.Result{At: now, Handoffs: 16}}, r)
	},
}

// scrubbed is a text without what differs from run to run: ids, which are made of
// paths, and the tree's root.
func scrubbed(text []byte, root string) string {
	seen := map[string]string{}
	out := regexp.MustCompile(`h_[0-9a-f]{12}`).ReplaceAllStringFunc(string(text), func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprintf("h_%012d", len(seen)+1)
		}
		return seen[id]
	})
	return strings.ReplaceAll(out, root, "$ROOT")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	s, root := examples(t)
	reports := map[string]*report.Report{}
	for _, kind := range report.Kinds() {
		restriction := ""
		if kind.Name == "timeline" {
			restriction = "project:webshop"
		}
		reports[kind.Name] = build(t, s, report.Options{Name: kind.Name}, restriction)
	}
	reports["by-week"] = build(t, s, report.Options{By: "week", From: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 2, 11, 0, 0, 0, 0, time.UTC)}, "-format:company")
	for name, r := range reports {
		for form, write := range forms {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join("testdata", "golden", name+"."+form), scrubbed(b.Bytes(), root))
		}
	}
}

func compare(tb testing.TB, file, got string) {
	tb.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
