package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

const checksFile = "../../../CHECKS.md"

// TestChecksTables keeps the tables of CHECKS.md those of the rules; with
// -update it writes them.
func TestChecksTables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(checksFile)
	if err != nil {
		t.Fatal(err)
	}
	want, told := string(text), 0
	for _, name := range append(parse.FormatNames(), "handex") {
		rows := ruleRows(name)
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		switch {
		case ok && closed:
			want = before + begin + table([]string{"rule", "found", "written", "requires", "fix", "from"}, rows) + end + after
			told += len(rows)
		case len(rows) > 0 && name != "act-md":
			t.Errorf("%s has no markers %s", checksFile, name)
		default:
			told += len(rows)
		}
	}
	if told != len(parse.Rules()) {
		t.Errorf("%d of %d rules are told", told, len(parse.Rules()))
	}
	if diff := cmp.Diff(want, string(text)); diff != "" && *update {
		if err := os.WriteFile(checksFile, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if diff != "" {
		t.Errorf("tables of %s (-rules +file); -update writes them:\n%s", checksFile, diff)
	}
}

// ruleRows are the rules of a format, or those of any file.
func ruleRows(name string) [][]string {
	var rows [][]string
	for _, r := range parse.Rules() {
		if r.Source == name || strings.HasPrefix(r.ID, name+".") && r.Source != "handex" {
			rows = append(rows, []string{code(r.ID), r.Severity.String(), r.Strict.String(), cell(r.About), cell(r.Fix), cell(r.Source)})
		}
	}
	return rows
}
