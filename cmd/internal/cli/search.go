package cli

import (
	"strings"

	"handex/query"
)

// searchCmd finds handoffs by the query language.
type searchCmd struct {
	Query []string `arg:"" optional:"" help:"What to look for: words, field:value, is:open ...; nothing is everything, - reads queries from the standard input, one a line. See: handex help query."`
	Count bool     `help:"Write how many handoffs there are, and nothing else of them."`
}

// Run answers the query.
func (c *searchCmd) Run(a *app) error {
	a.counts = c.Count
	return a.search(c.Query, query.Parse)
}

// search answers the words of a command line as one query; "-" alone stands for
// the queries of the standard input.
func (a *app) search(words []string, read reader) error {
	if err := a.checkForm(); err != nil {
		return err
	}
	if len(words) == 1 && words[0] == "-" {
		return a.batch(read)
	}
	return a.one(words, read)
}

// one answers one query.
func (a *app) one(words []string, read reader) error {
	if a.counts {
		return a.tally(strings.Join(words, " "), read)
	}
	answer, err := a.ask(strings.Join(words, " "), read)
	if err != nil {
		return err
	}
	return a.answer(answer)
}
