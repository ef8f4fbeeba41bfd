package cli_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/testkit"
)

// TestSavedQueriesReadBack saves and removes queries in any order: what the
// list then has is what a map would have, and a stranger's lines are kept.
func TestSavedQueriesReadBack(t *testing.T) {
	t.Parallel()
	// Not rapid: every run of handex by a script starts this program, and would start rapid too.
	random := testkit.Rand(t)
	for range testkit.Rounds(t, 40, 2000) {
		saveAndRemove(t, random)
	}
}

func saveAndRemove(t *testing.T, random *rand.Rand) {
	t.Helper()
	oneOf := func(list ...string) string { return list[random.IntN(len(list))] }
	m := newMachine(t)
	file := filepath.Join(m.home, ".config", "handex", "config.toml")
	start := oneOf("", "date = 'iso'", "[queries]\n", "# mine\n[queries] # all\nkept = \"token\"\n\n[[roots]]\npath = '/nowhere'\n",
		"[queries]\r\nkept = 'token'\r\n")
	put(t, file, start, 0o600)
	want, edits := saved(t, m), start
	for range 1 + random.IntN(6) {
		name := oneOf("a", "b-1", "kept", "x_y")
		if random.IntN(2) == 0 {
			edits += "\nrm " + name
			if m.run(t.Context(), "query", "rm", name).status == 0 {
				delete(want, name)
			}
			continue
		}
		text := oneOf("token", `"it's"`, `it's "a \" b"`, "日本 §§", `C:\new`, "is:open since:monday", "a\u00a0b", `/\d+/`)
		edits += "\nsave " + name + " " + text
		if out := m.run(t.Context(), "query", "save", name, "--", text); out.status != 0 {
			t.Fatalf("%s: %s", edits, out.stderr)
		}
		want[name] = text
	}
	if diff := cmp.Diff(want, saved(t, m)); diff != "" {
		t.Fatalf("%s\n(-want +got):\n%s", edits, diff)
	}
	text, err := os.ReadFile(file)
	if kept := "path = '/nowhere'\n"; err != nil || strings.Contains(start, kept) != strings.Contains(string(text), kept) {
		t.Fatalf("%s: %v: the file is\n%s", edits, err, text)
	}
}

// saved is what the list has.
func saved(t *testing.T, m *machine) map[string]string {
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
