package cli

import (
	"slices"

	"handex/cmd/internal/render"
	"handex/index"
)

// statusCmd shows the state of the index.
type statusCmd struct{}

// Run shows what is indexed and what is wrong with it.
func (statusCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	if _, err := a.open(); err != nil {
		return err
	}
	status, err := a.status()
	if err != nil {
		return err
	}
	if form != "" {
		return render.StatusJSON(a.out, status)
	}
	return render.Status(a.out, status, a.options())
}

// status is what the open index holds, and what the refresh could not take.
func (a *app) status() (*index.Status, error) {
	status, err := a.store.Status(a.ctx)
	if err != nil {
		return nil, err
	}
	// The index knows the files it could not take, the refresh what was none.
	for _, skip := range a.store.report.Skipped {
		if !slices.ContainsFunc(status.Skips, func(known index.Skip) bool { return known.Path == skip.Path }) {
			status.Skips = append(status.Skips, skip)
		}
	}
	return status, nil
}
