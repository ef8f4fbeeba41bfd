package parse_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

// A fixture is a file testdata/<format>/<name>.txtar: lines "path: ", "mtime: "
// and "zone: " (an offset in hours), the file "input", the file "want.json"
// with the documents it holds, and the files beside it.
type fixture struct {
	name   string
	format string
	source parse.Source
	want   []view
}

// modTime is when fixtures without one were modified.
var modTime = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

func fixtures(tb testing.TB) []fixture {
	tb.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no fixtures: %v", err)
	}
	var out []fixture
	for _, file := range files {
		out = append(out, readFixture(tb, file))
	}
	return out
}

func readFixture(tb testing.TB, file string) fixture {
	tb.Helper()
	archive, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	comment, parts := unpack(string(archive))
	f := fixture{
		name:   strings.TrimSuffix(filepath.ToSlash(file), ".txtar"),
		format: filepath.Base(filepath.Dir(file)),
		source: parse.Source{ModTime: modTime},
	}
	f.header(tb, comment)
	dec := json.NewDecoder(strings.NewReader(parts["want.json"]))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f.want); err != nil {
		tb.Fatalf("%s: %v", f.name, err)
	}
	f.source.Bytes = []byte(parts["input"])
	f.source.Neighbour = func(rel string) ([]byte, error) {
		if data, ok := parts[rel]; ok {
			return []byte(data), nil
		}
		return nil, errors.New("no such file")
	}
	if _, ok := parts["input"]; !ok || f.want == nil || f.source.Path == "" {
		tb.Fatalf("%s has no path, input or want.json", f.name)
	}
	return f
}

var fileLine = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// unpack splits a txtar archive.
func unpack(archive string) (comment string, files map[string]string) {
	files = map[string]string{}
	marks := fileLine.FindAllStringSubmatchIndex(archive, -1)
	for i, m := range marks {
		end := len(archive)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		files[archive[m[2]:m[3]]] = archive[m[1]:end]
	}
	return archive[:fileLine.FindStringIndex(archive + "-- x --\n")[0]], files
}

func (f *fixture) header(tb testing.TB, comment string) {
	tb.Helper()
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var err error
		switch key {
		case "path":
			f.source.Path = value
		case "mtime":
			f.source.ModTime, err = time.Parse(time.RFC3339, value)
		case "zone":
			var hours int
			_, err = fmt.Sscan(value, &hours)
			f.source.Zone = time.FixedZone("", hours*3600)
		}
		if err != nil {
			tb.Fatalf("%s: %v", f.name, err)
		}
	}
}

func TestFormatsReadTheirFixtures(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			docs := parse.Parse(f.source)
			if diff := cmp.Diff(f.want, viewAll(docs)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			for _, fault := range faults(f.source.Bytes, withoutNeighbours(f.source.Bytes, docs)) {
				t.Error(fault)
			}
		})
	}
}

// withoutNeighbours leaves out what stands in another file.
func withoutNeighbours(raw []byte, docs []*parse.Document) []*parse.Document {
	var out []*parse.Document
	for _, d := range docs {
		own := *d
		own.Escalations = slices.DeleteFunc(slices.Clone(d.Escalations), func(l parse.Line) bool {
			return !bytes.Contains(raw, []byte(l.Text))
		})
		own.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s parse.Section) bool { return s.Span.End == 0 })
		out = append(out, &own)
	}
	return out
}

func TestEveryFormatHasFixtures(t *testing.T) {
	t.Parallel()
	const least = 2
	count := map[string]int{}
	for _, f := range fixtures(t) {
		count[f.format]++
		if got := parse.Parse(f.source)[0].Format; got != f.format {
			t.Errorf("%s is read as %s", f.name, got)
		}
	}
	for _, name := range parse.FormatNames() {
		if count[name] < least {
			t.Errorf("format %s has %d fixtures, want %d", name, count[name], least)
		}
		delete(count, name)
	}
	for name := range count {
		t.Errorf("testdata/%s belongs to no format", name)
	}
}

// What editors and machines do to a file's bytes changes nothing in what it says.
func TestLineEndsAndBlanksDoNotMatter(t *testing.T) {
	t.Parallel()
	variants := map[string]func(string) string{
		"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"byte order mark": func(s string) string { return "\ufeff" + s },
		"trailing spaces": func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") },
		"no last newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
		"all at once":     func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", " \r\n") },
	}
	for _, f := range fixtures(t) {
		for name, change := range variants {
			t.Run(f.name+"/"+name, func(t *testing.T) {
				src := f.source
				src.Bytes = []byte(change(string(f.source.Bytes)))
				docs := parse.Parse(src)
				if diff := cmp.Diff(f.want, viewAll(docs)); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
				for _, fault := range faults(src.Bytes, withoutNeighbours(src.Bytes, docs)) {
					t.Error(fault)
				}
			})
		}
	}
}
