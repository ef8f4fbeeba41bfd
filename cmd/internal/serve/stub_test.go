package serve_test

import (
	"context"
	"fmt"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/cmd/internal/serve"
	"handex/index"
	"handex/query"
)

// stub knows one handoff and nothing else.
type stub struct{}

const known = "h_0123456789ab"

func (stub) Search(_ context.Context, q serve.Question) (render.Answer, error) {
	return render.Answer{Text: q.Text, Result: &index.Result{}}, nil
}

func (stub) Values(context.Context, string, string) (render.Answer, error) {
	return render.Answer{CountBy: []string{"project"}, Result: &index.Result{}}, nil
}

func (stub) Handoff(_ context.Context, ref string) (*index.Handoff, string, error) {
	if ref != known {
		return nil, "", &serve.Error{Code: "not-found", Text: fmt.Sprintf("handex: no handoff is named %q\n", ref), Wire: map[string]string{}}
	}
	return &index.Handoff{Summary: index.Summary{ID: known, Title: "Known", Path: "/p/HANDOFF.md"}}, "", nil
}

func (stub) Around(context.Context, *index.Handoff) (serve.Around, error) { return serve.Around{}, nil }

func (stub) Raw(context.Context, *index.Handoff, int) (string, int, error) { return "raw", 0, nil }

func (s stub) Latest(ctx context.Context, _ string) (*index.Handoff, string, error) {
	return s.Handoff(ctx, known)
}

func (stub) Status(context.Context) (*index.Status, error) { return &index.Status{}, nil }

func (stub) Ack(context.Context, string, string, bool) error { return nil }

func (stub) Reports() []string { return []string{"weekly"} }

func (stub) Report(context.Context, serve.ReportQuestion) (serve.Made, error) {
	return serve.Made{Report: &report.Report{Name: "weekly", Title: "Week"}, Beside: render.Answer{Result: &index.Result{}}}, nil
}

func (stub) Complete(context.Context, string) (string, []query.Candidate, error) { return "", nil, nil }

func (stub) Generation() uint64 { return 1 }

func (stub) Now() time.Time { return time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC) }

func (stub) Zone() *time.Location { return time.UTC }
