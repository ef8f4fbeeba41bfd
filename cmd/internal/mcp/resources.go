package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"handex/cmd/internal/brief"
	"handex/cmd/internal/service"
)

// scheme begins the address of a handoff.
const scheme = "handoff://"

// mostResource is how many characters of a handoff a resource has.
const mostResource = 32_000

// addResources offers every handoff by its id.
func (s *server) addResources() {
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: scheme + "{id}", Name: "handoff", Title: "A handoff", MIMEType: "text/plain",
		Description: "A handoff by its id, as search and latest give it.",
	}, s.readResource)
}

// listResources lists the newest handoff of each project. The SDK lists resources
// that are known beforehand, which these are not.
func (s *server) listResources(ctx context.Context, req sdk.Request, next sdk.MethodHandler) (sdk.Result, error) {
	list, ok := req.(*sdk.ListResourcesRequest)
	if !ok || list.Params == nil {
		list = &sdk.ListResourcesRequest{Params: &sdk.ListResourcesParams{}}
	}
	at, err := readCursor(list.Params.Cursor, "resources")
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	list.Params.Cursor = ""
	res, err := next(ctx, "resources/list", req)
	if err != nil {
		return nil, err
	}
	found, _, err := s.source.Search(ctx, service.SearchCall{Text: "latest-per:project", Exact: true, Limit: fewHits, Offset: at.at})
	if err != nil {
		return nil, err
	}
	q := s.quoter()
	out := res.(*sdk.ListResourcesResult)
	for _, h := range summaries(found.Rows) {
		hit := s.hit(q, h)
		out.Resources = append(out.Resources, &sdk.Resource{
			URI: scheme + h.ID, Name: h.ID, MIMEType: "text/plain",
			Title: strings.Join(compact(hit.Project, hit.Date, hit.Title), ", "),
		})
	}
	if end := at.at + len(found.Rows); len(found.Rows) > 0 && end < found.Result.Total {
		out.NextCursor = cursor{end, found.Result.Total}.text("resources")
	}
	return out, nil
}

// readResource answers a handoff whole, marked as it is in tools.
func (s *server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	q := s.quoter()
	h, notes, err := s.source.Show(ctx, strings.TrimPrefix(uri, scheme), "")
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: q.text(err.Error())}
	}
	whole, err := s.whole(q, h)
	if err != nil {
		return nil, err
	}
	out := shown{About: about, ID: h.ID, Quote: whole}
	s.addFacts(q, &out, h)
	out.page = page{Masked: q.masked, Notes: q.notes(notes)}
	if text := []rune(whole); len(text) > mostResource {
		n := pageEnd(text, mostResource)
		out.Quote = string(text[:n])
		out.Cut = fmt.Sprintf("%d of %d characters; the tool show has the rest", n, len(text))
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: out.text()}}}, nil
}

// addPrompt offers the briefing for the person to put into a session.
func (s *server) addPrompt() {
	usual, _ := brief.FindAgent("plain")
	s.sdk.AddPrompt(&sdk.Prompt{
		Name: "briefing", Title: "Briefing", Description: "What earlier sessions of a project left.",
		Arguments: []*sdk.PromptArgument{
			{Name: "dir", Description: briefTool.params[0].doc},
			{Name: "budget", Description: fmt.Sprintf("its length in characters, or bytes (Nb) or tokens (Nt); left out: %d", usual.Default.N)},
		},
	}, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		budget := usual.Default
		if said := req.Params.Arguments["budget"]; said != "" {
			var err error
			if budget, err = readBudget(said); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
			}
		}
		facts, notes, err := s.source.Brief(ctx, req.Params.Arguments["dir"])
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: s.quoter().text(err.Error())}
		}
		text := s.briefed(facts, budget, notes).text()
		return &sdk.GetPromptResult{
			Description: "What earlier sessions of this project left",
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
		}, nil
	})
}
