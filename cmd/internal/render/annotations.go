package render

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/OWNER/handex/parse"
)

// The escapes of GitHub's workflow commands: a command ends with its line, a
// property at a comma or colon.
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// FindingsGitHub writes the findings as workflow commands, which GitHub shows
// beside the lines of a change. Files that could not be read are errors.
func FindingsGitHub(w io.Writer, c Checked) error {
	var b strings.Builder
	for _, f := range c.Findings {
		place := f.Place
		if place.EndLine != place.Line {
			place.EndColumn = 0 // it counts on the last line
		}
		text := f.Message
		if fix := parse.FixOf(f.Problem); fix != "" {
			text += ". " + fix
		}
		b.WriteString(command(f.Severity.String(), f.Shown, f.Rule, text, place))
	}
	for _, t := range c.Unread {
		b.WriteString(command("error", t.Path, "unread", "could not be read: "+t.Reason, parse.Excerpt{}))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command returns one workflow command, with its line's end.
func command(name, file, title, text string, p parse.Excerpt) string {
	properties := []string{"file=" + commandProperty.Replace(clean(filepath.ToSlash(file), "\r\n"))}
	for _, n := range []struct {
		name  string
		value int
	}{{"line", p.Line}, {"endLine", p.EndLine}, {"col", p.Column}, {"endColumn", p.EndColumn}} {
		if n.value > 0 {
			properties = append(properties, n.name+"="+strconv.Itoa(n.value))
		}
	}
	properties = append(properties, "title="+commandProperty.Replace(Line(title)))
	return "::" + name + " " + strings.Join(properties, ",") + "::" + commandText.Replace(Line(text)) + "\n"
}
