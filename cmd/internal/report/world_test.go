package report_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

var (
	testNow = time.Date(2026, time.February, 10, 20, 0, 0, 0, time.UTC)
	berlin  = zone("Europe/Berlin")
)

func zone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

// A tester is a test, of rapid's too.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// A world is an index of a tree, and the clock it is read by.
type world struct {
	*index.Store
	root string
	env  query.Env

	asked map[string]int // what queries were found to give
}

// see indexes a tree.
func see(tb testing.TB, root string, now time.Time, zone *time.Location) *world {
	tb.Helper()
	w := &world{root: root, asked: map[string]int{}, env: query.Env{Now: now, Zone: zone, Formats: parse.FormatNames()}}
	s, err := index.Open(context.Background(), index.Options{Dir: tb.TempDir(), Now: func() time.Time { return now }, Zone: zone})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	w.Store = s
	if _, err := s.Refresh(context.Background(), []index.Root{{Path: root}}, index.RefreshOptions{Home: filepath.Join(root, "home")}); err != nil {
		tb.Fatal(err)
	}
	return w
}

// report builds a report of a name, restricted by a query.
func (w *world) report(tb tester, o report.Options, restriction string) (*report.Report, error) {
	tb.Helper()
	q, err := query.Parse(restriction, w.env)
	if err != nil {
		tb.Fatal(err)
	}
	o.Env, o.Query = w.env, q
	return report.Build(context.Background(), w.Store, o)
}

// must is report for one that can be made.
func (w *world) must(tb tester, o report.Options, restriction string) *report.Report {
	tb.Helper()
	r, err := w.report(tb, o, restriction)
	if err != nil {
		tb.Fatalf("%s %q: %v", o.Name, restriction, err)
	}
	return r
}

// check asks every query of a report again, on another day, and answers how many
// there were.
func (w *world) check(tb tester, r *report.Report) int {
	tb.Helper()
	later := w.env
	later.Now = later.Now.AddDate(0, 3, 0)
	n := 0
	for _, number := range numbers(reflect.ValueOf(r)) {
		if number.Query == "" {
			continue
		}
		n++
		got, known := w.asked[number.Query]
		if !known {
			q, err := query.Parse(number.Query, later)
			if err != nil {
				tb.Errorf("%s: %q: %v", r.Name, number.Query, err)
				continue
			}
			if got, err = w.Count(context.Background(), q, index.SearchOptions{}); err != nil {
				tb.Fatal(err)
			}
			w.asked[number.Query] = got
		}
		if got != number.Value {
			tb.Errorf("%s: %q is told to be %d; it is %d", r.Name, number.Query, number.Value, got)
		}
	}
	return n
}

// numbers are all numbers in a value, those of days and projects too.
func numbers(v reflect.Value) []report.Number {
	var list []report.Number
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			list = numbers(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, numbers(v.Index(i))...)
		}
	case reflect.Struct:
		switch x := v.Interface().(type) {
		case report.Number:
			return []report.Number{x}
		case time.Time:
			return nil
		case report.DayRow:
			for i, q := range x.Queries {
				list = append(list, report.Number{Value: x.Counts[i], Query: q})
			}
		}
		for _, field := range v.Fields() {
			list = append(list, numbers(field)...)
		}
	default:
	}
	return list
}

// examples is a copy of the examples whose files are as old as their names say.
func examples(tb testing.TB) string {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.CopyFS(root, os.DirFS("../../../examples")); err != nil {
		tb.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		at := time.Date(2026, 2, 9, 12, 0, 0, 0, time.UTC)
		if day, err := time.Parse(time.DateOnly, named.FindString(filepath.Base(path))); err == nil {
			at = day.Add(18 * time.Hour)
		}
		return os.Chtimes(path, at, at)
	})
	if err != nil || files < 10 {
		tb.Fatalf("%d files, %v", files, err)
	}
	return root
}

// named is the day in a file's name.
var named = regexp.MustCompile(`\d{4}-\d\d-\d\d`)

// lay writes files below root, as old as their names say.
func lay(tb testing.TB, root string, files map[string]string) {
	tb.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		at := testNow.AddDate(0, 0, -2)
		if day, err := time.Parse(time.DateOnly, named.FindString(filepath.Base(path))); err == nil {
			at = day.Add(18 * time.Hour)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			tb.Fatal(err)
		}
	}
}

// markdown is a handoff of a day, with lists under headings.
func markdown(day string, sections ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Handoff — %s\n\npurpose: work of %s\n", day, day)
	for i := 0; i+1 < len(sections); i += 2 {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", sections[i], sections[i+1])
	}
	return b.String()
}
