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
	{"search", "s,ls", "Find the handoffs a query asks for, newest first.", func() any { return &searchCmd{} }},
	{"find", "", "Find what you half remember: best match first, not all words needed.", func() any { return &findCmd{} }},
	{"pick", "", "Choose among handoffs, with a look at each.", func() any { return &pickCmd{} }},
	{"show", "", "Show a handoff.", func() any { return &showCmd{} }},
	{"open", "", "Open a handoff in $VISUAL, $EDITOR or the program of the desktop.", func() any { return &openCmd{} }},
	{"edit", "", "Edit a handoff in $EDITOR.", func() any { return &editCmd{} }},
	{"diff", "", "Show what changed in a handoff.", func() any { return &diffCmd{} }},
	{"latest", "", "Show the newest handoff of a project.", func() any { return &latestCmd{} }},
	{"brief", "", "Tell a session that begins what the ones before it left.", func() any { return &briefCmd{} }},
	{"hooks", "", "Have agents run brief by themselves when a session begins.", func() any { return &hooksCmd{} }},
	{"mcp", "", "Serve handoffs to agents over the Model Context Protocol.", func() any { return &mcpCmd{} }},
	{"todo", "", "List the next steps of all projects, newest first.", func() any { return &todoCmd{} }},
	{"report", "", "Tell what was done, what is next, open or wrong.", func() any { return &reportCmd{} }},
	{"trust", "", "Have briefings tell in full what came with a clone.", func() any { return &trustCmd{} }},
	{"untrust", "", "Take that back.", func() any { return &untrustCmd{} }},
	{"values", "", "List the values of a field, with counts.", func() any { return &valuesCmd{} }},
	{"explain", "", "Tell how a query is read.", func() any { return &explainCmd{} }},
	{"why", "", "Tell whether a file is indexed, and by which rule.", func() any { return &whyCmd{} }},
	{"write", "", "Make a valid handoff of any format, and save it where it belongs.", func() any { return &writeCmd{} }},
	{"convert", "", "Write a handoff in another format.", func() any { return &convertCmd{} }},
	{"check", "", "Hold handoffs against the rules of their formats.", func() any { return &checkCmd{} }},
	{"update", "", "Change keys of the project's flow-guardian handoff.", func() any { return &updateCmd{} }},
	{"clear", "", "Remove the project's flow-guardian handoff.", func() any { return &clearCmd{} }},
	{"path", "", "Print where a project's handoffs are kept.", func() any { return &pathCmd{} }},
	{"ack", "", "Say that a handoff is seen to, which closes its escalation.", func() any { return &ackCmd{} }},
	{"unack", "", "Take that back.", func() any { return &unackCmd{} }},
	{"acks", "", "List what was acknowledged.", func() any { return &acksCmd{} }},
	{"escalate", "", "Add to a handoff that a human must look at it.", func() any { return &escalateCmd{} }},
	{"send", "", "Relay a company manifest to its receiver.", func() any { return &sendCmd{} }},
	{"receive", "", "Receive a company manifest.", func() any { return &receiveCmd{} }},
	{"team", "", "Share handoffs with other machines and people, over git.", func() any { return &teamCmd{} }},
	{"watch", "", "Keep the index current, and print new hits of a query.", func() any { return &watchCmd{} }},
	{"serve", "", "Show handoffs in the browser, on this machine alone.", func() any { return &serveCmd{} }},
	{"index", "", "Bring the index up to date.", func() any { return &indexCmd{} }},
	{"status", "", "Show what is indexed, and what is wrong with it.", func() any { return &statusCmd{} }},
	{"doctor", "", "Look for what is wrong with the index, and put it right.", func() any { return &doctorCmd{} }},
	{"query", "", "Save queries by a name.", func() any { return &queryCmd{} }},
	{"roots", "", "Choose the folders to search.", func() any { return &rootsCmd{} }},
	{"help", "", "Explain the query language, or a command.", func() any { return &helpCmd{} }},
	{"man", "", "Print the manual.", func() any { return &manCmd{} }},
	{"version", "", "Print the version.", func() any { return &versionCmd{} }},
	{"completion", "", "Print the script that completes command lines in a shell.", func() any { return &completionCmd{} }},
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
// none is known, and by those that tell of the others.
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
