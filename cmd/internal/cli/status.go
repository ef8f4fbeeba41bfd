package cli

import (
	"handex/cmd/internal/render"
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
	if form != "" {
		return render.StatusJSON(a.out, status)
	}
	return render.Status(a.out, status, a.options())
}
