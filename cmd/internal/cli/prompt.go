package cli

import (
	"fmt"
	"strings"

	"handex/parse"
)

// relayPrompt is what the receiver of a handoff is told: who hands it over, and
// where it is, relative to the project's folder. It ends in a newline.
func relayPrompt(d *parse.Document, file string) string {
	value := func(name string) string { return fieldOf(d, name) }
	var b strings.Builder
	fmt.Fprintf(&b, "%s, you are taking over work from %s.\n\n", value("to"), value("from"))
	fmt.Fprintf(&b, "Read %s", file)
	if source := value("source"); source != "" {
		fmt.Fprintf(&b, " and %s", source)
	}
	b.WriteString(", then go on from there.\n")
	if branch := value("branch"); branch != "" {
		fmt.Fprintf(&b, "\nBranch: %s\n", branch)
	}
	if len(d.WorkItems) > 0 {
		fmt.Fprintf(&b, "\nWork queue items:\n- %s\n", strings.Join(d.WorkItems, "\n- "))
	}
	if len(d.Files) > 0 {
		b.WriteString("\nFiles changed:\n")
		for _, f := range d.Files {
			b.WriteString("- " + f.Path + "\n")
		}
	}
	return b.String()
}

// fieldOf is the value of a document's field, "" if it has none.
func fieldOf(d *parse.Document, name string) string {
	for _, f := range d.Fields {
		if f.Key == name {
			return f.Value
		}
	}
	return ""
}
