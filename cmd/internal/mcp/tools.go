package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/OWNER/handex/cmd/internal/service"
)

// A tool is a row of what the server offers.
type tool struct {
	name, title, doc string
	params           []param
	// textOnly says that the answer is given as a text, and not as data beside it.
	textOnly bool
	// effect says what a tool does to the handoffs.
	effect effect
}

type effect int

const (
	reads   effect = iota
	adds           // can be taken back, and again makes no difference
	changes        // what was there before may be gone
)

// An answer is what a tool returns: as it is for programs, and as a text, behind which
// the page is written.
type answer interface {
	write(b *strings.Builder)
	writePage(b *strings.Builder)
}

func textOf(a answer) string {
	var b strings.Builder
	a.write(&b)
	a.writePage(&b)
	return b.String()
}

// plainLists declares lists as lists: they are left out, never null, and not every
// client reads a type that is a choice.
func plainLists(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	plainLists(s.Items)
	for _, p := range s.Properties {
		plainLists(p)
	}
}

// An offer is a tool, and what adds it to the server.
type offer struct {
	tool
	add func() error
}

// offers returns the tools that read, or those that write.
func (s *server) offers(write bool) []offer {
	if write {
		return []offer{offerOf(s, writeTool, s.write), offerOf(s, updateTool, s.update), offerOf(s, ackTool, s.ack)}
	}
	return []offer{
		offerOf(s, searchTool, s.search), offerOf(s, showTool, s.show), offerOf(s, latestTool, s.latest),
		offerOf(s, briefTool, s.brief), offerOf(s, escalationsTool, s.escalations), offerOf(s, reportTool, s.report),
	}
}

func offerOf[A answer](s *server, t tool, call func(context.Context, *service.Service, args) (A, error)) offer {
	return offer{t, func() error { return add(s, t, call) }}
}

// ToolNames returns the names of the tools that read, or of those that write.
func ToolNames(write bool) []string {
	var names []string
	for _, o := range new(server).offers(write) {
		names = append(names, o.name)
	}
	return names
}

// addTools offers the tools that read, and those that write if that is wanted.
func (s *server) addTools() error {
	list := s.offers(false)
	if s.opt.Write {
		list = append(list, s.offers(true)...)
	}
	for _, o := range list {
		if err := o.add(); err != nil {
			return err
		}
	}
	return nil
}

// add offers a tool to clients.
func add[A answer](s *server, t tool, call func(context.Context, *service.Service, args) (A, error)) error {
	describe := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc, InputSchema: schema(t.params),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.effect == reads, DestructiveHint: new(t.effect == changes), IdempotentHint: t.effect != changes,
			OpenWorldHint: new(false),
		},
	}
	if !t.textOnly {
		out, err := jsonschema.For[A](nil)
		if err != nil {
			return err
		}
		plainLists(out)
		describe.OutputSchema = out
	}
	s.sdk.AddTool(describe, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		a, err := readArgs(t.params, req.Params.Arguments)
		if err != nil {
			return s.failed(err), nil
		}
		var said A
		err = s.call(ctx, func(svc *service.Service) (err error) {
			said, err = call(ctx, svc, a)
			return err
		})
		if err != nil {
			return s.failed(err), nil
		}
		if t.textOnly {
			return textResult(textOf(said)), nil
		}
		return result(said)
	})
	return nil
}

// failed returns an error that the model gets to read.
func (s *server) failed(err error) *sdk.CallToolResult {
	const most = 1200
	text := clip(s.quoter().text(err.Error()), most)
	res := textResult(text)
	res.IsError = true
	return res
}

func textResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// result returns an answer in both forms.
func result(a answer) (*sdk.CallToolResult, error) {
	structured, err := json.Marshal(a)
	res := textResult(textOf(a))
	res.StructuredContent = json.RawMessage(structured)
	return res, err
}

// size returns how long an answer is with both forms, in bytes of JSON.
func size(a answer) int {
	res, err := result(a)
	if err != nil {
		return 0 // which ends the call, too
	}
	text, err := json.Marshal(res)
	if err != nil {
		return 0
	}
	return len(text)
}

// fit returns an answer with as many of the items as have room, but one at least.
func fit[T any, A answer](most int, items []T, of func([]T) A) A {
	for n := len(items); ; n-- {
		a := of(items[:n])
		if n <= 1 || size(a) <= most {
			return a
		}
	}
}
