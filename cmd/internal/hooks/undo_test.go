package hooks_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"handex/cmd/internal/hooks"
)

// jsonFiles are a file of each agent that keeps JSON, with the events that may be
// written to it.
func jsonFiles(t fataler) map[string]hooks.File {
	t.Helper()
	files := map[string]hooks.File{}
	for _, name := range []string{"claude", "gemini", "cursor"} {
		a, ok := hooks.Find(name)
		if !ok {
			t.Fatalf("no agent %s", name)
		}
		files[name] = a.ProjectFiles("/p")[0]
	}
	return files
}

// A fataler is a test of any kind.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func entries(name, program string, saves bool) []hooks.Entry {
	a, _ := hooks.Find(name)
	save := ""
	if saves {
		save = "flow-guardian"
	}
	return a.Entries(program, save)
}

// Whatever a file says: installing keeps all of it, a second time changes nothing,
// and uninstalling leaves every byte as it was.
func TestUninstallUndoesInstall(t *testing.T) {
	for name, file := range jsonFiles(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := []byte(drawSettings(t, "SessionStart", "sessionStart", "PreCompact"))
				want := entries(name, "handex", rapid.Bool().Draw(t, "saves"))
				checkRound(t, file, text, want)
			})
		})
	}
}

func checkRound(t rapid.TB, file hooks.File, text []byte, want []hooks.Entry) {
	t.Helper()
	installed, err := file.Install(text, want)
	if err != nil {
		t.Skipf("%v", err) // lists of another kind, which are refused
	}
	checkUndone(t, file, text, installed, want)
}

// checkUndone checks an installation, and that it can be undone.
func checkUndone(t fataler, file hooks.File, text, installed []byte, want []hooks.Entry) {
	t.Helper()
	got, err := file.Entries(installed)
	if diff := cmp.Diff(want, got, sorted); diff != "" || err != nil {
		t.Fatalf("%v\n%s\nfrom %q\nto   %q", err, diff, text, installed)
	}
	if json.Valid(text) && !json.Valid(installed) {
		t.Fatalf("plain JSON is none any more\nfrom %q\nto   %q", text, installed)
	}
	again, err := file.Install(installed, want)
	if string(again) != string(installed) || err != nil {
		t.Fatalf("a second time: %v\n%q", err, again)
	}
	if v, w := plainValue(t, installed), plainValue(t, text); !holdsAll(v, w) {
		t.Fatalf("lost something\nfrom %q\nto   %q", text, installed)
	}
	back, err := file.Uninstall(installed)
	if string(back.Text) != string(text) || !back.Exact || back.Gone || err != nil {
		t.Fatalf("exact %v, gone %v, %v\nfrom %q\nto   %q\nback %q", back.Exact, back.Gone, err, text, installed, back.Text)
	}
}

var sorted = cmp.Transformer("sorted", func(list []hooks.Entry) map[string]hooks.Entry {
	m := map[string]hooks.Entry{}
	for _, e := range list {
		m[e.Event+e.Command] = e
	}
	return m
})

// plainValue is what a program reads.
func plainValue(t fataler, text []byte) any {
	t.Helper()
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	plain, err := hujson.Standardize(append(slices.Clip(text), '\n'))
	if err != nil {
		return nil // nothing but white space
	}
	var v any
	if err := json.Unmarshal(plain, &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// holdsAll reports whether all of one value is in another, in the same order.
func holdsAll(all, some any) bool {
	switch some := some.(type) {
	case nil:
		return true
	case map[string]any:
		object, ok := all.(map[string]any)
		for key, value := range some {
			ok = ok && holdsAll(object[key], value)
		}
		return ok
	case []any:
		list, ok := all.([]any)
		if !ok || len(list) < len(some) {
			return false
		}
		for i := range some {
			if !holdsAll(list[i], some[i]) {
				return false
			}
		}
		return true
	}
	return cmp.Equal(all, some)
}
