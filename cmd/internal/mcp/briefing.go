package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// The lengths of a briefing: the budget that the tool first tries if the caller gives none
// and the least it tries, both in bytes; the maximum in characters.
const (
	usualBriefing = 1700
	leastBriefing = 600
	mostBriefing  = 16_000
)

const budgetDoc = "length in characters, or bytes (Nb) or tokens (Nt); default: "

var briefTool = tool{
	name: "brief", title: "Brief a session",
	call: (*server).brief, result: briefed{},
	doc: "What earlier sessions of a project left: open escalations, the last handoff, next steps, blockers, gotchas, " +
		"decisions, failed approaches.",
	params: []param{
		projectParam,
		{name: "budget", doc: budgetDoc + "what fits 4 KB", example: "8000"},
	},
}

// briefed is the result of brief. The briefing itself marks what is quoted.
type briefed struct {
	Project  string `json:"quote_project,omitempty"`
	Handoffs int    `json:"handoffs"`
	Briefing string `json:"briefing"`
	page
}

// brief returns the briefing for a project. Without a budget in the arguments, the briefing
// is shortened until the answer fits smallAnswer.
func (s *server) brief(ctx context.Context, svc *service.Service, a args) (answer, error) {
	budget, err := readBudget(a.text("budget"), brief.Budget{})
	if err != nil {
		return nil, err
	}
	dir, err := s.folder(ctx, svc, a.text("project"))
	if err != nil {
		return nil, err
	}
	facts, err := svc.Brief(ctx, dir, "", "")
	if err != nil {
		return nil, err
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

// readBudget parses the length of a briefing; an empty text is the usual length.
func readBudget(text string, usual brief.Budget) (brief.Budget, error) {
	if text == "" {
		return usual, nil
	}
	budget, err := brief.ParseBudget(text)
	if err == nil && budget.N > mostBriefing {
		err = fmt.Errorf("%s is more than %d", text, mostBriefing)
	}
	if err != nil {
		return budget, fmt.Errorf("budget: %w; example: {\"budget\": \"8000\"}", err)
	}
	return budget, nil
}

// briefed composes the briefing from the facts within a budget, as the result of brief.
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

// write writes the briefing as text.
func (o briefed) write(b *strings.Builder) {
	b.WriteString(o.Briefing)
}

// scheme is the beginning of the URI of a handoff.
const scheme = "handoff://"

// mostResource is the maximum length of a handoff's text in a resource, in characters.
const mostResource = 32_000

// listResources returns the newest handoff of each project as resources. The SDK can only
// list resources that are known beforehand, which these are not.
func (s *server) listResources(ctx context.Context, req sdk.Request, next sdk.MethodHandler) (sdk.Result, error) {
	list, ok := req.(*sdk.ListResourcesRequest)
	if !ok || list.Params == nil {
		list = &sdk.ListResourcesRequest{Params: &sdk.ListResourcesParams{}}
	}
	at, err := readCursor(list.Params.Cursor, "resources")
	if err != nil {
		return nil, s.invalid(err)
	}
	list.Params.Cursor = ""
	res, err := next(ctx, "resources/list", req)
	if err != nil {
		return nil, err
	}
	var found []index.Summary
	var total int
	err = s.call(ctx, func(svc *service.Service) (err error) {
		found, total, _, err = s.newest(ctx, svc, "", fewHits, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	q := s.quoter()
	out := res.(*sdk.ListResourcesResult)
	for _, h := range found {
		hit := s.hit(q, h)
		out.Resources = append(out.Resources, &sdk.Resource{
			URI: scheme + h.ID, Name: h.ID, MIMEType: "text/plain",
			Title: strings.Join(compact(hit.Project, hit.Date, hit.Title), ", "),
		})
	}
	if end := at.at + len(found); len(found) > 0 && end < total {
		out.NextCursor = at.next(end, total)
	}
	return out, nil
}

// readResource returns the facts and the text of a handoff, quoted as in tools.
func (s *server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	q := s.quoter()
	var out shown
	err := s.call(ctx, func(svc *service.Service) error {
		h, notes, err := s.load(ctx, svc, strings.TrimPrefix(uri, scheme))
		if err != nil {
			return err
		}
		if out, err = s.facts(ctx, svc, q, h); err != nil {
			return err
		}
		out.Quote, err = s.whole(q, h, "")
		out.page = page{Masked: q.masked, Notes: q.notes(notes)}
		return err
	})
	if err != nil {
		return nil, s.invalid(err)
	}
	text := []rune(out.Quote)
	if out.Chars = len(text); out.Chars > mostResource {
		out.Quote = string(text[:pageEnd(text, mostResource)])
		out.Cut = "the tool show has the rest"
	}
	contents := &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: textOf(out)}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
}

// invalid returns err as a JSON-RPC error for invalid parameters.
func (s *server) invalid(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: s.quoter().text(err.Error())}
}

// addPrompt adds the prompt "briefing", with which a person puts a briefing into a session.
func (s *server) addPrompt() {
	usual, _ := brief.FindAgent("plain")
	s.sdk.AddPrompt(&sdk.Prompt{
		Name: "briefing", Title: "Briefing", Description: "What earlier sessions of a project left.",
		Arguments: []*sdk.PromptArgument{
			{Name: projectParam.name, Description: projectParam.doc},
			{Name: "budget", Description: budgetDoc + strconv.Itoa(usual.Default.N)},
		},
	}, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		budget, err := readBudget(req.Params.Arguments["budget"], usual.Default)
		if err != nil {
			return nil, s.invalid(err)
		}
		var text string
		err = s.call(ctx, func(svc *service.Service) error {
			dir, err := s.folder(ctx, svc, cmp.Or(req.Params.Arguments["project"], req.Params.Arguments["dir"]))
			if err != nil {
				return err
			}
			facts, err := svc.Brief(ctx, dir, "", "")
			if err == nil {
				text = textOf(s.briefed(facts, budget, s.notes(svc)))
			}
			return err
		})
		if err != nil {
			return nil, s.invalid(err)
		}
		return &sdk.GetPromptResult{
			Description: "What earlier sessions of this project left",
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
		}, nil
	})
}
