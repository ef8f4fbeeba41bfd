package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// A tool describes a tool of the server: its names, parameters and function.
type tool struct {
	name, title, doc string
	params           []param
	// effect says whether the tool changes handoffs.
	effect effect
	call   func(*server, context.Context, *service.Service, args) (answer, error)
	// result is a value of the type that call returns, from which the output schema is
	// made. If it is nil, answers have only a text and no structured data.
	result answer
}

// readTools are the tools of every server, writeTools those of a server with Options.Write.
var (
	readTools  = []tool{searchTool, showTool, latestTool, briefTool, escalationsTool, reportTool}
	writeTools = []tool{writeTool, updateTool, ackTool}
)

// effect is what a tool does to handoffs.
type effect int

const (
	reads   effect = iota
	adds           // can be taken back, and again makes no difference
	changes        // what was there before may be gone
)

// An answer is the result of a tool. It is encoded as JSON for programs, and writes itself
// and then its page as text for models.
type answer interface {
	write(b *strings.Builder)
	writePage(b *strings.Builder)
}

// textOf returns an answer as text.
func textOf(a answer) string {
	var b strings.Builder
	a.write(&b)
	a.writePage(&b)
	return b.String()
}

// plainLists declares every list in a schema as an array that cannot be null: empty lists
// are left out of answers, and not every client understands a choice of types.
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

// ToolNames returns the names of the tools that write if write is set, else of those that
// read.
func ToolNames(write bool) []string {
	tools := readTools
	if write {
		tools = writeTools
	}
	return render.Each(tools, func(t tool) string { return t.name })
}

// addTools adds the tools that read and, if the options allow it, those that write.
func (s *server) addTools() error {
	tools := readTools
	if s.opt.Write {
		tools = slices.Concat(readTools, writeTools)
	}
	for _, t := range tools {
		if err := s.add(t); err != nil {
			return err
		}
	}
	return nil
}

// add adds a tool to the server.
func (s *server) add(t tool) error {
	describe := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.doc, InputSchema: schema(t.params),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.effect == reads, DestructiveHint: new(t.effect == changes), IdempotentHint: t.effect != changes,
			OpenWorldHint: new(false),
		},
	}
	if t.result != nil {
		out, err := jsonschema.ForType(reflect.TypeOf(t.result), &jsonschema.ForOptions{})
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
		var said answer
		err = s.call(ctx, func(svc *service.Service) (err error) {
			said, err = t.call(s, ctx, svc, a)
			return err
		})
		switch {
		case err != nil:
			return s.failed(err), nil
		case t.result == nil:
			return textResult(textOf(said)), nil
		}
		return result(said)
	})
	return nil
}

// failed returns an error as the result of a tool, so that the model can read it.
func (s *server) failed(err error) *sdk.CallToolResult {
	const most = 1200
	text := clip(s.quoter().text(err.Error()), most)
	res := textResult(text)
	res.IsError = true
	return res
}

// textResult returns a text as the result of a tool.
func textResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// result returns an answer as the result of a tool, both as text and as structured data.
func result(a answer) (*sdk.CallToolResult, error) {
	structured, err := json.Marshal(a)
	res := textResult(textOf(a))
	res.StructuredContent = json.RawMessage(structured)
	return res, err
}

// size returns the size of an answer in both forms, in bytes of JSON.
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

// fit returns the answer that of makes from as many of the items as fit most bytes, but at
// least from one.
func fit[T any](most int, items []T, of func([]T) answer) answer {
	for n := len(items); ; n-- {
		a := of(items[:n])
		if n <= 1 || size(a) <= most {
			return a
		}
	}
}

// A param is a parameter of a tool. Its kind is a type of JSON Schema, "string" if empty.
type param struct {
	name, kind, doc string
	required        bool
	example         any
	least, most     int // of an integer
}

// args are the arguments of a call by name, checked against the tool's parameters: strings,
// ints, bools, lists of strings, and objects as raw JSON.
type args map[string]any

// arg returns an argument, or the zero value if it is missing.
func arg[T any](a args, name string) T {
	value, _ := a[name].(T)
	return value
}

func (a args) text(name string) string { return arg[string](a, name) }
func (a args) flag(name string) bool   { return arg[bool](a, name) }

// number returns an integer argument, or otherwise if it is missing.
func (a args) number(name string, otherwise int) int {
	if n, ok := a[name].(int); ok {
		return n
	}
	return otherwise
}

// schema returns the JSON Schema of a tool's parameters.
func schema(params []param) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, p := range params {
		one := &jsonschema.Schema{Type: cmp.Or(p.kind, "string"), Description: p.doc}
		switch p.kind {
		case "array":
			one.Items = &jsonschema.Schema{Type: "string"}
		case "integer":
			one.Minimum, one.Maximum = new(float64(p.least)), new(float64(p.most))
		}
		s.Properties[p.name] = one
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		if p.required {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

// readArgs parses and checks the arguments of a call. An error names the parameter and
// shows an example of valid arguments.
func readArgs(params []param, raw json.RawMessage) (args, error) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fmt.Errorf("the arguments are not a JSON object; example: %s", example(params))
		}
	}
	a := args{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		if name == "dir" && given["project"] == nil { // its name in earlier versions
			i = slices.IndexFunc(params, func(p param) bool { return p.name == "project" })
		}
		if i < 0 {
			return nil, unknown(params, name)
		}
		if string(given[name]) == "null" {
			continue
		}
		value, err := params[i].read(given[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w; example: %s", name, err, example(params, params[i]))
		}
		a[params[i].name] = value
	}
	for _, p := range params {
		if _, ok := a[p.name]; p.required && !ok {
			return nil, fmt.Errorf("%s is missing: %s; example: %s", p.name, p.doc, example(params))
		}
	}
	return a, nil
}

// unknown returns the error for a parameter that does not exist. It names similar ones and
// all.
func unknown(params []param, name string) error {
	names := render.Each(params, func(p param) string { return p.name })
	text := fmt.Sprintf("there is no parameter %q", clip(name, longestName))
	if near := query.Suggest(name, names); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	if len(names) == 0 {
		return errors.New(text + "; the tool has no parameters")
	}
	return fmt.Errorf("%s; parameters: %s; example: %s", text, strings.Join(names, ", "), example(params, params[0]))
}

// example returns valid arguments as JSON: the required parameters and those in also.
func example(params []param, also ...param) string {
	var list []string
	for _, p := range params {
		if !p.required && !slices.ContainsFunc(also, func(q param) bool { return q.name == p.name }) {
			continue
		}
		value, err := json.Marshal(p.example)
		if err != nil {
			value = []byte("null")
		}
		list = append(list, fmt.Sprintf("%q: %s", p.name, value))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// read parses a value of the parameter's kind and checks its bounds.
func (p param) read(raw json.RawMessage) (any, error) {
	switch p.kind {
	case "", "string":
		text, err := decode[string](raw, "not a string")
		if err == nil && p.required && strings.TrimSpace(text) == "" {
			err = errors.New("it is empty")
		}
		return text, err
	case "boolean":
		return decode[bool](raw, "neither true nor false")
	case "integer":
		const what = "not a whole number"
		n, err := decode[float64](raw, what)
		switch {
		case err == nil && n != math.Trunc(n):
			err = notA(raw, what)
		case err == nil && (n < float64(p.least) || n > float64(p.most)):
			err = notA(raw, fmt.Sprintf("not from %d to %d", p.least, p.most))
		}
		return int(n), err
	case "array":
		list, err := decode[[]string](raw, "not a list of strings")
		if err == nil && len(list) == 0 {
			err = notA(raw, "not a list of strings")
		}
		return list, err
	}
	if raw[0] != '{' {
		return nil, notA(raw, "not an object")
	}
	return raw, nil
}

// decode parses a JSON value. what completes the error for a wrong one: "not a string".
func decode[T any](raw json.RawMessage, what string) (value T, err error) {
	if json.Unmarshal(raw, &value) != nil {
		err = notA(raw, what)
	}
	return value, err
}

// notA returns the error that a value is what: `5 is not a string`.
func notA(raw json.RawMessage, what string) error {
	return errors.New(clip(string(raw), longestName) + " is " + what)
}
