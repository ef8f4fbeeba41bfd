package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"handex/cmd/internal/acks"
	"handex/cmd/internal/brief"
	"handex/cmd/internal/mcp"
	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/index"
	"handex/parse"
)

var now = time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)

// fake knows some handoffs. All that they say is text.
type fake struct {
	text string
	n    int
}

func (f fake) summary(i int) index.Summary {
	return index.Summary{
		ID: fmt.Sprintf("h_%012x", i), Project: f.text, Path: "/" + f.text, Title: f.text, Goal: f.text + "!", Session: f.text, From: f.text, To: f.text, Branch: f.text,
		Format: "markdown", Status: f.text, Date: now.Add(-time.Hour), DatePrecision: "minute", States: []string{"open", "latest"},
	}
}

func (f fake) handoff(i int) *index.Handoff {
	return &index.Handoff{
		Summary: f.summary(i), Head: f.text, Sections: []parse.Section{{Kind: "next", Heading: f.text, Body: f.text}},
		Files: []parse.File{{Path: f.text}}, WorkItems: []string{f.text}, Escalations: []parse.Line{{Text: f.text}},
		Problems: []parse.Problem{{Rule: "rule", Message: f.text}},
	}
}

func (f fake) Search(_ context.Context, q service.SearchCall) (*render.Answer, []string, error) {
	if strings.Contains(q.Text, "is:opne") {
		return nil, nil, errors.New("query: " + f.text)
	}
	a := &render.Answer{Result: &index.Result{Total: f.n}, Notes: []string{f.text}}
	if strings.Contains(q.Text, "count-by:") {
		a.CountBy = []string{"project"}
		for range f.n {
			a.Result.Buckets = append(a.Result.Buckets, index.Bucket{Values: []string{f.text}, Count: 1})
		}
		return a, nil, nil
	}
	for i := q.Offset; i < min(f.n, q.Offset+q.Limit); i++ {
		a.Rows = append(a.Rows, render.Row{Hit: index.Hit{Summary: f.summary(i), Snippets: []index.Snippet{{Text: f.text}}, Missing: []string{f.text}}})
	}
	if f.n == 0 {
		a.Reasons = []string{f.text}
	}
	return a, []string{f.text}, nil
}

func (f fake) Show(_ context.Context, ref, section string) (*service.Shown, []string, error) {
	if !strings.HasPrefix(ref, "h_") {
		return nil, nil, fmt.Errorf("no handoff is named %q; %s", ref, f.text)
	}
	h := &service.Shown{Handoff: f.handoff(0), Foreign: true}
	if section != "" {
		h.Sections = h.Handoff.Sections
	}
	return h, []string{f.text}, nil
}

func (f fake) Latest(context.Context, string) ([]index.Summary, []string, error) {
	var list []index.Summary
	for i := range f.n {
		list = append(list, f.summary(i))
	}
	return list, nil, nil
}

func (f fake) Brief(context.Context, string) (*brief.Facts, []string, error) {
	return &brief.Facts{Project: f.text, Total: 1, Handoffs: []*index.Handoff{f.handoff(0)}}, []string{f.text}, nil
}

func (f fake) Escalations(_ context.Context, q service.SearchCall) (*service.Escalations, []string, error) {
	found := &service.Escalations{Total: f.n, Acks: map[string]acks.Event{"h_000000000000": {At: now, Note: f.text}}}
	for i := q.Offset; i < min(f.n, q.Offset+q.Limit); i++ {
		found.Handoffs = append(found.Handoffs, f.handoff(i))
	}
	return found, nil, nil
}

func (f fake) Report(context.Context, service.ReportQuestion) (*report.Report, []string, error) {
	n := report.Number{Label: f.text, Value: f.n, Query: f.text}
	it := report.Item{Group: f.text, Text: f.text, Ref: report.Ref{ID: "h_0123456789ab", Title: f.text, Project: f.text, When: now}, Who: f.text, State: "open", Count: &n}
	return &report.Report{
		Name: "digest", Title: f.text, From: now.AddDate(0, 0, -7), To: now, Handoffs: n, Projects: n, Masked: 2, Notes: []string{f.text},
		Sections: []report.Section{{
			Name: "done", Title: f.text, Numbers: []report.Number{n}, Items: []report.Item{it, it}, Omitted: 3,
			Table: &report.Table{Rows: [][]report.Cell{{{Text: f.text}, {Number: &n}, {Number: &n}, {When: now}, {Text: f.text, Ref: &it.Ref}}}},
			Days:  &report.Days{Rows: []report.DayRow{{Number: n}}}, Flow: []report.Edge{{From: f.text, To: f.text, Number: n}},
		}},
	}, nil, nil
}

func (f fake) Write(_ context.Context, _, _ string, _ json.RawMessage, _ bool) (*mcp.Change, []string, error) {
	return &mcp.Change{Path: f.text, Diff: f.text, Removed: []string{f.text}, Notes: []string{f.text}, Prompt: f.text}, nil, nil
}

func (f fake) Update(ctx context.Context, dir string, keys json.RawMessage, dry bool) (*mcp.Change, []string, error) {
	return f.Write(ctx, "", dir, keys, dry)
}

func (f fake) Ack(_ context.Context, refs []string, _ string) ([]string, error) { return refs, nil }
