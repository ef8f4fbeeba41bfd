package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSavedQueriesReadBack saves and removes queries in any order: what the
// list then has is what a map would have, and a stranger's lines are kept.
func TestSavedQueriesReadBack(t *testing.T) {
	t.Parallel()
	starts := []string{"", "date = 'iso'", "[queries]\n", "# mine\n[queries] # all\nkept = \"token\"\n\n[[roots]]\npath = '/nowhere'\n", "[queries]\r\nkept = 'token'\r\n"}
	rapid.Check(t, func(rt *rapid.T) {
		m := newMachine(t)
		file := filepath.Join(m.home, ".config", "handex", "config.toml")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			rt.Fatal(err)
		}
		start := rapid.SampledFrom(starts).Draw(rt, "start")
		if err := os.WriteFile(file, []byte(start), 0o600); err != nil {
			rt.Fatal(err)
		}
		want := saved(rt, m)
		for range rapid.IntRange(1, 6).Draw(rt, "edits") {
			name := rapid.SampledFrom([]string{"a", "b-1", "kept", "x_y"}).Draw(rt, "name")
			if rapid.Bool().Draw(rt, "remove") {
				if m.run(t.Context(), "query", "rm", name).status == 0 {
					delete(want, name)
				}
				continue
			}
			text := rapid.SampledFrom([]string{"token", `"it's"`, `it's "a \" b"`, "日本 §§", `C:\new`, "is:open since:monday", "a\u00a0b", `/\d+/`}).Draw(rt, "query")
			if out := m.run(t.Context(), "query", "save", name, "--", text); out.status != 0 {
				rt.Fatalf("save %q: %s", text, out.stderr)
			}
			want[name] = text
		}
		got := saved(rt, m)
		if len(got) != len(want) {
			rt.Fatalf("%v, want %v", got, want)
		}
		for name, text := range want {
			if got[name] != text {
				rt.Fatalf("%s is %q, want %q", name, got[name], text)
			}
		}
		text, err := os.ReadFile(file)
		if kept := "path = '/nowhere'\n"; err != nil || strings.Contains(start, kept) != strings.Contains(string(text), kept) {
			rt.Fatalf("%v: the file is\n%s", err, text)
		}
	})
}

// saved is what the list has.
func saved(t *rapid.T, m *machine) map[string]string {
	t.Helper()
	var list struct {
		Queries []struct{ Name, Query string }
	}
	out := m.run(t.Context(), "query", "list", "--json")
	if err := json.Unmarshal([]byte(out.stdout), &list); err != nil {
		t.Fatalf("%v: %s", err, out.stderr)
	}
	queries := map[string]string{}
	for _, q := range list.Queries {
		queries[q.Name] = q.Query
	}
	return queries
}
