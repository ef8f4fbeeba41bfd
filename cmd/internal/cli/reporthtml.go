package cli

import (
	"errors"

	"handex/cmd/internal/pages"
	"handex/cmd/internal/redact"
	reports "handex/cmd/internal/report"
	"handex/index"
)

// reportHTML writes a report as a file for a browser, with the handoffs it names.
func (a *app) reportHTML(r *reports.Report, keepSecrets bool) error {
	if a.env.Stdout.IsTerminal() {
		return hinted{errors.New("HTML is for a file"), "as: handex report --html >report.html"}
	}
	load := func(id string) (*index.Handoff, error) {
		h, err := a.store.Load(a.ctx, id)
		if _, ok := errors.AsType[*index.NotFoundError](err); ok {
			return nil, nil // it went since the report was made
		}
		return h, err
	}
	return pages.WriteReportFile(a.out, r, load, pages.Options{Mask: masker(keepSecrets), Zone: a.env.Zone, Now: a.env.Now()})
}

// masker masks what looks like a credential; nil masks nothing.
func masker(keepSecrets bool) func(string) string {
	if keepSecrets {
		return nil
	}
	return func(text string) string {
		masked, _ := redact.Text(text)
		return masked
	}
}
