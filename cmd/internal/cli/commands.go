package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A command is a row of the table of all commands.
type command struct {
	name, alias, help string     // alias can be several, with commas
	fresh             func() any // a struct for kong to fill
	forms             string     // of the output, with commas; "" if the command checks the form itself
}

// fresh returns a pointer to a new, empty T, for kong to fill.
func fresh[T any]() any { return new(T) }

// The forms of many commands.
const (
	asJSON = "json,jsonl"
	asRows = "plain,json,jsonl"
)

// grammar is in the order of the help.
var grammar = []command{
	{"search", "s,ls", "List the handoffs that match a query, newest first.", fresh[searchCmd], ""},
	{"find", "", "List the best matches first; not all words are required.", fresh[findCmd], ""},
	{"pick", "", "Choose handoffs interactively, with a preview.", fresh[pickCmd], "ids,paths,null"},
	{"show", "", "Show a handoff.", fresh[showCmd], ""},
	{"open", "", "Open a handoff in $VISUAL, $EDITOR or the program of the desktop.", fresh[openCmd], ""},
	{"edit", "", "Edit a handoff in $EDITOR.", fresh[editCmd], ""},
	{"diff", "", "Show what changed in a handoff.", fresh[diffCmd], asJSON},
	{"latest", "", "Show the newest handoff of a project.", fresh[latestCmd], "full,json,jsonl,paths,ids,null"},
	{"brief", "", "Brief a new session on what earlier ones left.", fresh[briefCmd], ""},
	{"hooks", "", "Make agents run brief at the start of each session.", fresh[hooksCmd], ""},
	{"mcp", "", "Serve handoffs to agents over the Model Context Protocol.", fresh[mcpCmd], ""},
	{"todo", "", "List the next steps of all projects, newest first.", fresh[todoCmd], ""},
	{"report", "", "Report what was done, what is next, open or wrong.", fresh[reportCmd], ""},
	{"trust", "", "Let briefings quote handoffs that came with a clone.", fresh[trustCmd], ""},
	{"untrust", "", "Undo trust.", fresh[untrustCmd], ""},
	{"values", "", "List the values of a field, with counts.", fresh[valuesCmd], "plain,csv,json,jsonl"},
	{"explain", "", "Show how a query is read.", fresh[explainCmd], asJSON},
	{"why", "", "Show whether a file is indexed, and by which rule.", fresh[whyCmd], asJSON},
	{"write", "", "Create a valid handoff in any format, and save it in the right place.", fresh[writeCmd], ""},
	{"convert", "", "Convert a handoff to another format.", fresh[convertCmd], ""},
	{"check", "", "Check handoffs against the rules of their formats.", fresh[checkCmd], ""},
	{"update", "", "Change keys of the project's flow-guardian handoff.", fresh[updateCmd], asJSON},
	{"clear", "", "Remove the project's flow-guardian handoff.", fresh[clearCmd], ""},
	{"path", "", "Print where a project's handoffs are kept.", fresh[pathCmd], ""},
	{"ack", "", "Acknowledge a handoff, which closes its escalation.", fresh[ackCmd], asJSON},
	{"unack", "", "Undo an acknowledgement.", fresh[unackCmd], asJSON},
	{"acks", "", "List the acknowledgements.", fresh[acksCmd], asRows},
	{"escalate", "", "Request a human review of a handoff.", fresh[escalateCmd], asJSON},
	{"send", "", "Send a company manifest to its receiver.", fresh[sendCmd], asJSON},
	{"receive", "", "Receive a company manifest.", fresh[receiveCmd], asJSON},
	{"team", "", "Share handoffs with other machines and people, over git.", fresh[teamCmd], ""},
	{"watch", "", "Keep the index current, and print new hits of a query.", fresh[watchCmd], ""},
	{"serve", "", "Show handoffs in the browser, on this machine only.", fresh[serveCmd], asJSON},
	{"index", "", "Update the index.", fresh[indexCmd], asJSON},
	{"status", "", "Show what is indexed, and what is wrong with it.", fresh[statusCmd], asJSON},
	{"doctor", "", "Find problems with the index; --fix repairs them.", fresh[doctorCmd], asJSON},
	{"query", "", "Save, list and remove named queries.", fresh[queryCmd], ""},
	{"roots", "", "List, add and remove the folders to search.", fresh[rootsCmd], ""},
	{"help", "", "Explain the query language, or a command.", fresh[helpCmd], ""},
	{"man", "", "Print the manual.", fresh[manCmd], ""},
	{"version", "", "Print the version.", fresh[versionCmd], asJSON},
	{"completion", "", "Print the completion script for a shell.", fresh[completionCmd], ""},
	{completes, "", "", fresh[completeCmd], ""},
	{home, "", "", fresh[homeCmd], "short"},
}

// The commands that the help does not list: the one that completion scripts run, and the
// one that runs where none is given.
const (
	completes = "__complete"
	home      = "__home"
)

// commandsFor returns kong's options for the commands that are needed to read args: only
// the one that args begin with, as kong takes longer to build all of them than most take to
// run. It returns all for an unknown command and for those that list the others.
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

// option returns kong's option that adds the command to the command line.
func (c command) option() kong.Option {
	tags := []string{`forms:"` + c.forms + `"`}
	switch {
	case c.alias != "":
		tags = append(tags, `aliases:"`+c.alias+`"`)
	case c.name == completes || c.name == home:
		tags = append(tags, `hidden:""`)
	}
	return kong.DynamicCommand(c.name, c.help, "", c.fresh(), tags...)
}

// runCommand runs the command that kong has read. It returns an error if the command does
// not have the output form that the flags ask for.
func (a *app) runCommand(c *kong.Context) error {
	if forms := c.Selected().Tag.Get("forms"); forms != "" {
		if _, err := a.form(strings.Split(forms, ",")...); err != nil {
			return err
		}
	}
	return c.Run(a)
}
