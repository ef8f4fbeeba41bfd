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
	s, err := a.open()
	if err != nil {
		return err
	}
	status, err := s.Status(a.ctx)
	if err != nil {
		return err
	}
	// The index knows the files it could not take, the refresh what was none.
	for _, skip := range s.report.Skipped {
		if !slices.ContainsFunc(status.Skips, func(known index.Skip) bool { return known.Path == skip.Path }) {
			status.Skips = append(status.Skips, skip)
		}
	}
	if form != "" {
		return render.StatusJSON(a.out, status)
	}
	return render.Status(a.out, status, a.options())
}
