package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A command is a row of the command line's grammar.
type command struct {
	name, alias, help string     // alias can be several, with commas
	fresh             func() any // a struct for kong to fill
}

// grammar is in the order of the help.
var grammar = []command{
	{"search", "s,ls", "List the handoffs that match a query, newest first.", func() any { return &searchCmd{} }},
	{"find", "", "List the best matches first; not all words are required.", func() any { return &findCmd{} }},
	{"pick", "", "Choose handoffs interactively, with a preview.", func() any { return &pickCmd{} }},
	{"show", "", "Show a handoff.", func() any { return &showCmd{} }},
	{"open", "", "Open a handoff in $VISUAL, $EDITOR or the program of the desktop.", func() any { return &openCmd{} }},
	{"edit", "", "Edit a handoff in $EDITOR.", func() any { return &editCmd{} }},
	{"diff", "", "Show what changed in a handoff.", func() any { return &diffCmd{} }},
	{"latest", "", "Show the newest handoff of a project.", func() any { return &latestCmd{} }},
	{"brief", "", "Brief a new session on what earlier ones left.", func() any { return &briefCmd{} }},
	{"hooks", "", "Make agents run brief at the start of each session.", func() any { return &hooksCmd{} }},
	{"mcp", "", "Serve handoffs to agents over the Model Context Protocol.", func() any { return &mcpCmd{} }},
	{"todo", "", "List the next steps of all projects, newest first.", func() any { return &todoCmd{} }},
	{"report", "", "Report what was done, what is next, open or wrong.", func() any { return &reportCmd{} }},
	{"trust", "", "Let briefings quote handoffs that came with a clone.", func() any { return &trustCmd{} }},
	{"untrust", "", "Undo trust.", func() any { return &untrustCmd{} }},
	{"values", "", "List the values of a field, with counts.", func() any { return &valuesCmd{} }},
	{"explain", "", "Show how a query is read.", func() any { return &explainCmd{} }},
	{"why", "", "Show whether a file is indexed, and by which rule.", func() any { return &whyCmd{} }},
	{
		"write", "", "Create a valid handoff in any format, and save it in the right place.",
		func() any { return &writeCmd{} },
	},
	{"convert", "", "Convert a handoff to another format.", func() any { return &convertCmd{} }},
	{"check", "", "Check handoffs against the rules of their formats.", func() any { return &checkCmd{} }},
	{"update", "", "Change keys of the project's flow-guardian handoff.", func() any { return &updateCmd{} }},
	{"clear", "", "Remove the project's flow-guardian handoff.", func() any { return &clearCmd{} }},
	{"path", "", "Print where a project's handoffs are kept.", func() any { return &pathCmd{} }},
	{"ack", "", "Acknowledge a handoff, which closes its escalation.", func() any { return &ackCmd{} }},
	{"unack", "", "Undo an acknowledgement.", func() any { return &unackCmd{} }},
	{"acks", "", "List the acknowledgements.", func() any { return &acksCmd{} }},
	{"escalate", "", "Request a human review of a handoff.", func() any { return &escalateCmd{} }},
	{"send", "", "Send a company manifest to its receiver.", func() any { return &sendCmd{} }},
	{"receive", "", "Receive a company manifest.", func() any { return &receiveCmd{} }},
	{"team", "", "Share handoffs with other machines and people, over git.", func() any { return &teamCmd{} }},
	{"watch", "", "Keep the index current, and print new hits of a query.", func() any { return &watchCmd{} }},
	{"serve", "", "Show handoffs in the browser, on this machine only.", func() any { return &serveCmd{} }},
	{"index", "", "Update the index.", func() any { return &indexCmd{} }},
	{"status", "", "Show what is indexed, and what is wrong with it.", func() any { return &statusCmd{} }},
	{"doctor", "", "Find problems with the index; --fix repairs them.", func() any { return &doctorCmd{} }},
	{"query", "", "Save, list and remove named queries.", func() any { return &queryCmd{} }},
	{"roots", "", "List, add and remove the folders to search.", func() any { return &rootsCmd{} }},
	{"help", "", "Explain the query language, or a command.", func() any { return &helpCmd{} }},
	{"man", "", "Print the manual.", func() any { return &manCmd{} }},
	{"version", "", "Print the version.", func() any { return &versionCmd{} }},
	{"completion", "", "Print the completion script for a shell.", func() any { return &completionCmd{} }},
	{completes, "", "", func() any { return &completeCmd{} }},
	{home, "", "", func() any { return &homeCmd{} }},
}

// The commands that the help does not list: the one that completion scripts run, and the
// one that runs where none is given.
const (
	completes = "__complete"
	home      = "__home"
)

// commandsFor returns the commands that reading args takes: the one they begin with, as
// kong needs longer to build all of them than most need to run. All are needed where
// none is known, and by those that list the others.
func commandsFor(args []string) []kong.Option {
	known := func(c command) bool {
		return len(args) > 0 && args[0] != "" && (c.name == args[0] || slices.Contains(strings.Split(c.alias, ","), args[0]))
	}
	tells := []string{"help", "man", completes}
	if i := slices.IndexFunc(grammar, known); i >= 0 && !slices.Contains(tells, grammar[i].name) {
		return []kong.Option{grammar[i].option()}
	}
	all := make([]kong.Option, len(grammar))
	for i, c := range grammar {
		all[i] = c.option()
	}
	return all
}

func (c command) option() kong.Option {
	var tags []string
	switch {
	case c.alias != "":
		tags = []string{`aliases:"` + c.alias + `"`}
	case c.name == completes || c.name == home:
		tags = []string{`hidden:""`}
	}
	return kong.DynamicCommand(c.name, c.help, "", c.fresh(), tags...)
}
