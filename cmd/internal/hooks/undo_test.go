package hooks_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/hooks"
)

// jsonFiles are a file of each agent that keeps JSON, with the events that may be
// written to it.
func jsonFiles(t fataler) map[string]hooks.Format {
	t.Helper()
	files := map[string]hooks.Format{}
	for _, name := range []string{"claude", "gemini", "cursor", "copilot"} {
		files[name] = file(t, name, 0)
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
	return a.Entries(program, hooks.Options{Save: save})
}

// Whatever a file says: installing keeps all of it, a second time changes nothing,
// and uninstalling takes out the entries alone.
func TestUninstallUndoesInstall(t *testing.T) {
	for name, file := range jsonFiles(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := []byte(drawSettings(t, "SessionStart", "sessionStart", "PreCompact", "PreCompress", "SessionEnd"))
				want := entries(name, "handex", rapid.Bool().Draw(t, "saves"))
				checkRound(t, file, text, want)
			})
		})
	}
}

func checkRound(t rapid.TB, file hooks.Format, text []byte, want []hooks.Entry) {
	t.Helper()
	installed, err := file.Install(text, want)
	if err != nil {
		t.Skipf("%v", err) // lists of another kind, which are refused
	}
	checkUndone(t, file, text, installed, want)
}

// checkUndone checks an installation, and that it can be undone.
func checkUndone(t fataler, file hooks.Format, text, installed []byte, want []hooks.Entry) {
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
	checkUninstalled(t, file, text, installed)
}

// checkUninstalled checks that all values and comments of a text are left of an
// installation into it, and nothing else but objects and arrays that hold nothing.
func checkUninstalled(t fataler, file hooks.Format, text, installed []byte) {
	t.Helper()
	back, err := file.Uninstall(installed)
	if err != nil {
		t.Fatalf("%v in %q", err, installed)
	}
	before, after := withoutEmpty(plainValue(t, text)), withoutEmpty(plainValue(t, back))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("%s\nfrom %q\nto   %q\nback %q", diff, text, installed, back)
	}
	if diff := cmp.Diff(comments(t, text), comments(t, back), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s\nfrom %q\nto   %q\nback %q", diff, text, installed, back)
	}
	if got, err := file.Entries(back); len(got) > 0 || err != nil {
		t.Fatalf("%v %v in %q", got, err, back)
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

// withoutEmpty takes out members that are empty, and Cursor's version, which is added.
func withoutEmpty(v any) any {
	if object, ok := v.(map[string]any); ok {
		for key, value := range object {
			value = withoutEmpty(value)
			list, isList := value.([]any)
			if value == nil || isList && len(list) == 0 || key == "version" {
				delete(object, key)
			}
		}
		if len(object) == 0 {
			return nil
		}
	}
	return v
}

var comment = regexp.MustCompile(`//[^\n]*|/\*.*?\*/`)

// comments are those of a text, sorted.
func comments(t fataler, text []byte) []string {
	t.Helper()
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	v, err := hujson.Parse(append(slices.Clip(text), '\n'))
	if err != nil {
		return nil // nothing but white space
	}
	var list []string
	collect := func(extra hujson.Extra) {
		for _, found := range comment.FindAllString(string(extra), -1) {
			list = append(list, strings.TrimSpace(found))
		}
	}
	for part := range v.All() {
		collect(part.BeforeExtra)
		collect(part.AfterExtra)
		switch c := part.Value.(type) {
		case *hujson.Object:
			collect(c.AfterExtra)
		case *hujson.Array:
			collect(c.AfterExtra)
		}
	}
	slices.Sort(list)
	return list
}
