package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// convertCmd is the command that prints a handoff in another format.
type convertCmd struct {
	Ref string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; or the number of a hit in the last list."`
	As  string `required:"" help:"The format to write." placeholder:"FORMAT"`
}

// Run writes the converted text to the standard output, and as notes what was lost and
// which rules of the new format it breaks.
func (c *convertCmd) Run(a *app) error {
	format := author.MemberOf(c.As)
	if !slices.Contains(parse.Writable(), format) {
		return render.WithHint(fmt.Errorf("format %q cannot be written", c.As),
			"formats: "+strings.Join(author.WritableNames(), ", "))
	}
	d, err := a.document(c.Ref)
	if err != nil {
		return err
	}
	text, losses, err := write.Convert(d, format)
	if err != nil {
		return err
	}
	if a.flags.JSON || a.flags.JSONL || a.flags.JQ != nil {
		return render.ConvertedJSON(a.out, text, losses)
	}
	for _, l := range losses {
		a.note(l.String())
	}
	for _, p := range write.Judge(format, text) {
		a.note(fmt.Sprintf("%s: %s [%s]", p.Severity, p.Message, p.Rule))
	}
	return a.writeText(string(text))
}

// document reads and parses the handoff that ref names: the newest one of an existing file,
// or a handoff of the index.
func (a *app) document(ref string) (*parse.Document, error) {
	in := index.Inspector{Now: a.env.Now(), Zone: a.env.Zone}
	file := a.env.Absolute(ref)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		read, err := in.Inspect(file)
		if err != nil {
			return nil, err
		}
		if n := len(read.Documents); n > 1 {
			a.noteOthers(n, file)
		}
		return slices.MaxFunc(read.Documents, func(x, y *parse.Document) int { return x.Date.Sort.Compare(y.Date.Sort) }), nil
	}
	h, err := a.findOne(ref)
	if err != nil {
		return nil, err
	}
	return in.Explain(&h)
}
