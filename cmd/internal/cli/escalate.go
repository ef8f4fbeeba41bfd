package cli

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/parse"
)

// escalateCmd adds the escalation signal to a handoff that lacks it.
type escalateCmd struct {
	Ref    string `arg:"" name:"id|path" help:"Id, session or the beginning of one, a path, or a project or its folder, which means its latest."`
	Text   string `name:"message" short:"m" required:"" help:"What a human must look at, in one line." placeholder:"TEXT"`
	DryRun bool   `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Help describes where the line goes.
func (*escalateCmd) Help() string {
	return "The line \"" + parse.EscalationSignal +
		": TEXT\" is added at the end of the handoff, as the contract of claude-suite lets a reviewer do; YAML gets it under a key, and XML in an element, called escalation. " +
		"It is the only thing handex adds to a handoff that is there; there is no way back but an editor, or handex ack, which closes the escalation and leaves the file as it is."
}

// Run adds the line.
func (c *escalateCmd) Run(a *app) error {
	text := strings.TrimSpace(c.Text)
	switch {
	case text == "":
		return errors.New("-m has no text: say what a human must look at")
	case !utf8.ValidString(text) || render.Line(text) != text:
		return errors.New("-m is not one line of plain text")
	}
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	found, err := a.find(c.Ref)
	if err != nil {
		return err
	}
	h, err := service.Single(found, c.Ref)
	if err != nil {
		return err
	}
	change, err := a.author().Escalate(a.ctx, h, text, c.DryRun)
	if err != nil {
		return err
	}
	if c.DryRun {
		return a.showChange(change)
	}
	if form != "" {
		return render.JSON(a.out, struct {
			Schema int    `json:"schema"`
			ID     string `json:"id"`
			Path   string `json:"path"`
		}{render.Schema, h.ID, h.Path})
	}
	a.say("escalated: " + h.ID + " " + h.Project + ": " + render.Title(h))
	return nil
}
