package cli

import "handex/query"

// findCmd finds handoffs by words that are remembered.
type findCmd struct {
	Query []string `arg:"" help:"Words of it, as many as come to mind; conditions as in search must be met."`
}

// Run answers the words, best match first.
func (c *findCmd) Run(a *app) error { return a.search(c.Query, query.Find) }
