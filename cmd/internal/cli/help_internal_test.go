package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestHelpTexts: each text of help.tmpl belongs to a command, a flag or a topic.
func TestHelpTexts(t *testing.T) {
	t.Parallel()
	k, err := kong.New(&globals{}, append(commandsFor(nil), kong.Name("handex"), kong.NoDefaultHelp())...)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"", "topic query", "topic dates", "home", "EXIT STATUS", "ENVIRONMENT"}
	for _, f := range k.Model.Flags {
		names = append(names, "--"+f.Name)
		if helpText("--"+f.Name) == "" && !f.Hidden {
			t.Errorf("--%s has no help", f.Name)
		}
	}
	err = kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
		if c, ok := node.(*kong.Node); ok {
			names = append(names, strings.TrimPrefix(c.FullPath(), "handex "))
		}
		return next(nil)
	})
	if err != nil {
		t.Error(err)
	}
	for _, text := range helpTexts().Templates() {
		if !slices.Contains(names, text.Name()) {
			t.Errorf("nothing has the help %q", text.Name())
		}
	}
}
