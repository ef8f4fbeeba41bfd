package cli

import (
	"errors"
	"io"
	"strings"

	"handex/cmd/internal/render"
	"handex/query"
)

// helpCmd explains the language, or a command.
type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"query, fields, is, dates, or a command."`
}

// Run writes the help of the topic.
func (c *helpCmd) Run(a *app) error {
	o := a.options()
	switch topic := strings.Join(c.Topic, " "); topic {
	case "query":
		_, err := io.WriteString(a.out, queryHelp)
		return errors.Join(err, render.Directives(a.out, query.Directives(), o))
	case "fields":
		return render.Fields(a.out, query.Fields(), o)
	case "is":
		return render.States(a.out, query.States(), o)
	case "dates":
		_, err := io.WriteString(a.out, datesHelp)
		return err
	default:
		return a.commandHelp(c.Topic)
	}
}

// commandHelp is --help of a command.
func (a *app) commandHelp(words []string) error {
	node := a.parser.Model.Node
	for i, word := range words {
		if node = child(node, word); node == nil {
			return hinted{
				errors.New("no help for " + strings.Join(words[:i+1], " ")),
				"topics: query, fields, is, dates and the commands, which handex --help lists",
			}
		}
	}
	_, err := a.parser.Parse(append(append([]string{}, words...), "--help"))
	if errors.Is(err, errHelp) {
		return nil
	}
	return err
}
