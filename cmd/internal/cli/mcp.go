package cli

import (
	"fmt"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/mcp"
	"github.com/OWNER/handex/cmd/internal/service"
)

// mcpCmd serves agents.
type mcpCmd struct {
	Write    bool `help:"Offer the tools that write, too: write, update, ack."`
	NoRedact bool `name:"no-redact" help:"Leave what looks like a credential as it is."`
}

// Help describes who runs it.
func (*mcpCmd) Help() string {
	return "An agent runs this and speaks to it over the standard input and output; docs/mcp.md has the settings of each. " +
		"Tools: search, show, latest, brief, escalations, report. Each call brings the index up to date; without --write nothing else is written."
}

// Run serves until the input ends or it is interrupted.
func (c *mcpCmd) Run(a *app) error {
	if form := a.flags.asked(); form != "" {
		return fmt.Errorf("the form of the answers is the protocol's, not %s", form)
	}
	// What is wrong with the settings is told at the start, not with each call.
	if _, err := a.service.Roots(); err != nil {
		return err
	}
	if a.typed() {
		a.note("an agent is to run this and speak to it; docs/mcp.md tells how")
	}
	return mcp.Serve(a.ctx, mcp.Options{
		Options: a.serviceOptions(a.flags), Write: c.Write, KeepSecrets: c.NoRedact,
		Author: func(s *service.Service, say func(string)) author.Env { return a.env.author(say, s) },
		Log:    func(note string) { a.writeNotes(note) },
	}, a.env.Stdin, a.env.Stdout)
}
