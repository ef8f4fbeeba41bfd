package cli_test

import (
	"strings"
	"testing"
)

// TestHelpNamesWhatIsTaken: the help spells out the forms and the styles of
// dates, as do the errors about others, which draw on what is taken.
func TestHelpNamesWhatIsTaken(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	help := strings.Join(strings.Fields(m.must(t, 0, "--help").stdout), " ")
	for _, c := range []struct{ flag, before, after, inHelp string }{
		{"--format", "nor one of ", "\n", "Write %, or a template"},
		{"--date", "styles: ", "\n", "Write dates as %."},
	} {
		told := m.must(t, 2, "search", c.flag, "nonsense").stderr
		_, names, found := strings.Cut(told, c.before)
		names, _, _ = strings.Cut(names, c.after)
		if !found || names == "" {
			t.Fatalf("%s nonsense: no names in %q", c.flag, told)
		}
		if want := strings.Replace(c.inHelp, "%", names, 1); !strings.Contains(help, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
}
