package cli

import (
	"fmt"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/mcp"
	"github.com/OWNER/handex/cmd/internal/service"
)

// mcpCmd is the command that serves handoffs to agents over the Model Context Protocol.
type mcpCmd struct {
	Write    bool `help:"Also offer the tools that write."`
	NoRedact bool `name:"no-redact" help:"Do not mask text that looks like a credential."`
}

// Run answers requests on the standard input until it ends or the person interrupts.
func (c *mcpCmd) Run(a *app) error {
	if form := a.flags.asked(); form != "" {
		return fmt.Errorf("mcp writes only its protocol, not %s", form)
	}
	// What is wrong with the settings is reported at the start, not with each call.
	if _, err := a.service.Roots(); err != nil {
		return err
	}
	if a.typed() {
		a.note("mcp is for agents, not for a terminal; see docs/mcp.md")
	}
	return mcp.Serve(a.ctx, mcp.Options{
		Options: a.serviceOptions(a.flags), Write: c.Write, KeepSecrets: c.NoRedact,
		Author: func(s *service.Service, say func(string)) author.Env { return a.env.author(say, s) },
		Log:    func(note string) { a.writeNotes(note) },
	}, a.env.Stdin, a.env.Stdout)
}
