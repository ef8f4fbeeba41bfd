package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/cmd/internal/service"
)

// The budgets of a briefing: what a tool begins with where the caller does not
// say, in bytes, and the minimum; the maximum, in characters.
const (
	usualBriefing = 1700
	leastBriefing = 600
	mostBriefing  = 16_000
)

var briefTool = tool{
	name: "brief", title: "Brief a session",
	doc: "What earlier sessions of a project left: open escalations, the last handoff, next steps, blockers, gotchas, " +
		"decisions, failed approaches.",
	params: []param{
		projectParam,
		{
			name: "budget", kind: "string", doc: "length in characters, or bytes (Nb) or tokens (Nt); default: what fits 4 KB",
			example: "8000",
		},
	},
}

// briefed is the result of brief. The briefing marks by itself what is quoted.
type briefed struct {
	Project  string `json:"quote_project,omitempty"`
	Handoffs int    `json:"handoffs"`
	Briefing string `json:"briefing"`
	page
}

func (s *server) brief(ctx context.Context, svc *service.Service, a args) (briefed, error) {
	var budget brief.Budget
	var err error
	if said := a.text("budget"); said != "" {
		if budget, err = readBudget(said); err != nil {
			return briefed{}, err
		}
	}
	dir, err := s.folder(ctx, svc, a.text("project"))
	if err != nil {
		return briefed{}, err
	}
	facts, err := svc.Brief(ctx, dir, "", "")
	if err != nil {
		return briefed{}, err
	}
	notes := s.notes(svc)
	if budget.N > 0 {
		return s.briefed(facts, budget, notes), nil
	}
	for n := usualBriefing; ; n = max(n*4/5, leastBriefing) {
		out := s.briefed(facts, brief.Budget{N: n, Unit: 'b'}, notes)
		if n == leastBriefing || size(out) <= smallAnswer {
			return out, nil
		}
	}
}

// readBudget reads how long a briefing is to be.
func readBudget(text string) (brief.Budget, error) {
	budget, err := brief.ParseBudget(text)
	if err == nil && budget.N > mostBriefing {
		err = fmt.Errorf("%s is more than %d", text, mostBriefing)
	}
	if err != nil {
		return budget, fmt.Errorf("budget: %w; example: {\"budget\": \"8000\"}", err)
	}
	return budget, nil
}

func (s *server) briefed(facts *brief.Facts, budget brief.Budget, notes []string) briefed {
	q := s.quoter()
	out := briefed{
		Project: q.line(facts.Project, longestName), Handoffs: facts.Total,
		Briefing: "This project has no handoffs.\n", page: page{Notes: q.notes(notes)},
	}
	o := brief.ComposeOptions{Budget: budget, Now: s.opt.Now(), KeepSecrets: s.opt.KeepSecrets}
	if b := brief.Compose(facts, brief.Plain, o); b != nil {
		out.Briefing = brief.Plain.Write(b)
	}
	return out
}

func (o briefed) write(b *strings.Builder) {
	b.WriteString(o.Briefing)
}
