package save_test

import (
	"errors"
	"flag"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever is done in whatever order, the folder is what a map would be.
func TestModel(t *testing.T) {
	setChecks(t, "15")
	rapid.Check(t, func(rt *rapid.T) {
		f, dir := open(t)
		files := map[string]string{}
		name := rapid.SampledFrom([]string{"a", "b.md", "d/a", "d/e/b.md", "d/latest"})
		text := rapid.SampledFrom([]string{"", "one", strings.Repeat("long ", 20_000)})
		rt.Repeat(map[string]func(*rapid.T){
			"replace": func(rt *rapid.T) {
				rel, data := name.Draw(rt, "name"), text.Draw(rt, "text")
				if err := replace(t.Context(), f, rel, []byte(data)); err != nil {
					rt.Fatal(err)
				}
				files[rel] = data
			},
			"edit": func(rt *rapid.T) {
				rel := name.Draw(rt, "name")
				err := f.Edit(t.Context(), rel, func(old []byte) ([]byte, error) {
					if was, ok := files[rel]; ok != (old != nil) || was != string(old) {
						rt.Fatalf("%s held %d bytes (%v), want %d (%v)", rel, len(old), old != nil, len(was), ok)
					}
					return append(slices.Clone(old), '+'), nil
				})
				if err != nil {
					rt.Fatal(err)
				}
				files[rel] += "+"
			},
			"create": func(rt *rapid.T) {
				rel, data := name.Draw(rt, "name"), text.Draw(rt, "text")
				got, err := f.Create(t.Context(), rel, []byte(data))
				got = filepath.ToSlash(got)
				if _, taken := files[got]; err != nil || taken || path.Dir(got) != path.Dir(rel) {
					rt.Fatalf("%s became %s: %v", rel, got, err)
				}
				files[got] = data
			},
			"remove": func(rt *rapid.T) {
				rel := name.Draw(rt, "name")
				_, ok := files[rel]
				if err := remove(t.Context(), f, rel); (err == nil) != ok || err != nil && !errors.Is(err, fs.ErrNotExist) {
					rt.Fatalf("remove %s, there %v: %v", rel, ok, err)
				}
				delete(files, rel)
			},
			"": func(rt *rapid.T) {
				for rel, want := range files {
					if got, err := f.Read(rel); err != nil || string(got) != want {
						rt.Fatalf("%s: %d bytes, want %d: %v", rel, len(got), len(want), err)
					}
				}
				if diff := cmp.Diff(slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(tree(t, dir)))); diff != "" {
					rt.Fatalf("the folder (-want +got):\n%s", diff)
				}
			},
		})
	})
}

// setChecks sets how many lives a test tries, unless the command line does: each
// has its files on the disk.
func setChecks(t *testing.T, n string) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	if was != f.DefValue {
		return
	}
	if err := f.Value.Set(n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
}
