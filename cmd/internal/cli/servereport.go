package cli

import (
	"context"
	"errors"
	"slices"

	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/cmd/internal/serve"
	"handex/index"
)

// Reports are the names of the reports there are, ours and then the user's.
func (b *backend) Reports() []string {
	own, err := b.app.env.ownReports()
	if err != nil {
		return kindNames() // what is wrong with the folder is told by the command line
	}
	return append(kindNames(), own...)
}

// buildReport makes a report, and what is told of the index beside it.
func (b *backend) buildReport(ctx context.Context, q serve.ReportQuestion) (r *reports.Report, answer render.Answer, err error) {
	err = b.answer(ctx, func(a *app) error {
		if !slices.Contains(b.Reports(), q.Name) {
			return &index.NotFoundError{Ref: q.Name}
		}
		c := &reportCmd{Words: []string{q.Name, q.Text}, Week: q.Week, NoRedact: b.keepSecrets, anywhere: true}
		o, err := c.options(a)
		if err != nil {
			return err
		}
		if r, err = a.buildReport(o); err != nil {
			return err
		}
		answer, err = a.reportAnswer(r, o)
		return err
	})
	fault, ok := errors.AsType[*serve.Error](err)
	if many, found := errors.AsType[*reports.ManyProjectsError](err); ok && found {
		for _, project := range many.Projects {
			if value, ok := writeValue("project", project); ok {
				fault.Choices = append(fault.Choices, "project:"+value)
			}
		}
	}
	return r, answer, err
}
