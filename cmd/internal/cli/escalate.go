package cli

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
)

// escalateCmd is the command that adds the escalation signal to a handoff.
type escalateCmd struct {
	Ref    string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; or a project or its folder, for its latest handoff."`
	Text   string `name:"message" short:"m" required:"" help:"What a human must look at, in one line." placeholder:"TEXT"`
	DryRun bool   `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Run adds the signal with its line of text to the file of the handoff; with --dry-run, it
// shows the change.
func (c *escalateCmd) Run(a *app) error {
	text := strings.TrimSpace(c.Text)
	switch {
	case text == "":
		return errors.New("-m has no text; describe what a human must look at")
	case !utf8.ValidString(text) || render.Line(text) != text:
		return errors.New("-m must be one line of plain text")
	}
	form := a.flags.asked()
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
