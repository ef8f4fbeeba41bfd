package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool is a row of what the server offers.
type tool struct {
	name, title, doc string
	params           []param
	// effect says what a tool does to the handoffs.
	effect effect

	out  *jsonschema.Schema
	call func(s *server, ctx context.Context, a args) (answer, error)
}

type effect int

const (
	reads   effect = iota
	adds           // can be taken back, and again makes no difference
	changes        // what was there before may be gone
)

// An answer is what a tool says: as it is for programs, and as a text.
type answer interface{ text() string }

// answering completes a row by the function that answers.
func answering[A answer](t tool, call func(*server, context.Context, args) (A, error)) (tool, error) {
	out, err := jsonschema.For[A](nil)
	plainLists(out)
	t.out = out
	t.call = func(s *server, ctx context.Context, a args) (answer, error) { return call(s, ctx, a) }
	return t, err
}

// plainLists has lists be lists: they are left out, never null, and not every
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

// tools are those that read, and behind them those that write.
func tools(write bool) ([]tool, error) {
	var list []tool
	var errs []error
	add := func(t tool, err error) { list, errs = append(list, t), append(errs, err) }
	add(answering(searchTool, (*server).search))
	add(answering(showTool, (*server).show))
	add(answering(latestTool, (*server).latest))
	add(answering(briefTool, (*server).brief))
	add(answering(escalationsTool, (*server).escalations))
	add(answering(reportTool, (*server).report))
	if write {
		add(answering(writeTool, (*server).write))
		add(answering(updateTool, (*server).update))
		add(answering(ackTool, (*server).ack))
	}
	return list, errors.Join(errs...)
}

// add offers a tool to clients.
func (s *server) add(t tool) {
	describe := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc, InputSchema: schema(t.params), OutputSchema: t.out,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.effect == reads, DestructiveHint: new(t.effect == changes), IdempotentHint: t.effect != changes, OpenWorldHint: new(false),
		},
	}
	s.sdk.AddTool(describe, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		a, err := readArgs(t.params, req.Params.Arguments)
		if err != nil {
			return s.failed(err), nil
		}
		ctx, done := s.during(ctx)
		defer done()
		said, err := t.call(s, ctx, a)
		if err != nil {
			return s.failed(err), nil
		}
		return result(said)
	})
}

// failed is an error that the model gets to read.
func (s *server) failed(err error) *sdk.CallToolResult {
	const most = 1200
	text := clip(s.quoter().text(err.Error()), most)
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// result is an answer in both forms.
func result(a answer) (*sdk.CallToolResult, error) {
	structured, err := json.Marshal(a)
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: a.text()}}, StructuredContent: json.RawMessage(structured)}, err
}

// size is how long an answer is with both forms, in bytes of JSON.
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

// fit is an answer with as many of the items as have room, but one at least.
func fit[T any, A answer](most int, items []T, of func([]T) A) A {
	for n := len(items); ; n-- {
		a := of(items[:n])
		if n <= 1 || size(a) <= most {
			return a
		}
	}
}
