package parse_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

// What people write where there is nothing to tell, and what only begins like it.
func TestSaysNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"none", "None.", "- None", "NONE!", "n/a", "N/A", "na", "nothing", "nil", "null", "no", "empty", "aucun", "Aucune", "rien", "Néant", "nenhum", "nenhuma",
		"nada", "ninguno", "ninguna", "keine", "Keiner", "無", "无", "没有", "暂无", "なし", "特になし", "없음", "false", "0", "---", "———", "––", "∅", "...", "…",
		"{{blockers}}", "*None*", "[none]", "✅ None", "", "None (yet)", "None: all done", "none at the moment", "Nothing new", "No blockers", "no known open issues.",
		"No blocking issues, go on", "Aucun blocage", "Keine", "nenhum bloqueio", "No risks identified", "None\n\nAll is well.", "Blockers: none", "**Blocker:** None", "blocked_on: null",
	} {
		if !parse.SaysNone(text) {
			t.Errorf("%q says that there is something", text)
		}
	}
	for _, text := range []string{
		"Nonetheless the token expires", "Nothingness", "no-one answers", "Now the build fails", "Nobody answers", "Keineswegs", "The API is down", "Emptying the cache fails",
		"None of the keys work", "No API key", "0 retries are made", "a", "Nullable columns", "none\n- the token expires", "Northern nodes are down", "Blocker: the API", "**Blocker:** no API key", "Ｎone", "ne\u0301ant",
	} {
		if parse.SaysNone(text) {
			t.Errorf("%q says that there is nothing", text)
		}
	}
	if long := strings.Repeat("n", 1<<20); parse.SaysNone(long) {
		t.Error("a long word says nothing")
	}
}
