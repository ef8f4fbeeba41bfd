package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"handex/query"
)

// A param is an argument a tool takes. Its kind is a type of JSON Schema.
type param struct {
	name, kind, doc string
	required        bool
	example         any
	least, most     int // of an integer
}

// args are the arguments of a call, checked against the tool's parameters: texts,
// ints, bools, lists of texts, and objects as they came.
type args map[string]any

func (a args) text(name string) string { s, _ := a[name].(string); return s }
func (a args) flag(name string) bool   { b, _ := a[name].(bool); return b }
func (a args) texts(name string) []string {
	list, _ := a[name].([]string)
	return list
}

func (a args) object(name string) json.RawMessage {
	raw, _ := a[name].(json.RawMessage)
	return raw
}

// number is an integer, or what stands for one that was left out.
func (a args) number(name string, otherwise int) int {
	if n, ok := a[name].(int); ok {
		return n
	}
	return otherwise
}

// schema is what a tool takes, for clients.
func schema(params []param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range params {
		one := &jsonschema.Schema{Type: p.kind, Description: p.doc}
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

// readArgs checks the arguments of a call. An error names the parameter and shows
// arguments that are right.
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
		a[name] = value
	}
	for _, p := range params {
		if _, ok := a[p.name]; p.required && !ok {
			return nil, fmt.Errorf("%s is missing: %s; example: %s", p.name, p.doc, example(params))
		}
	}
	return a, nil
}

// unknown says which parameters there are.
func unknown(params []param, name string) error {
	var names []string
	for _, p := range params {
		names = append(names, p.name)
	}
	text := fmt.Sprintf("there is no parameter %q", clip(name, 40))
	if near := query.Suggest(name, names); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	if len(names) == 0 {
		return errors.New(text + "; there are none")
	}
	return fmt.Errorf("%s; there are %s; example: %s", text, strings.Join(names, ", "), example(params, params[0]))
}

// example is arguments that are right: what is required, and the given ones.
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

// read reads a value of the parameter's kind.
func (p param) read(raw json.RawMessage) (any, error) {
	switch p.kind {
	case "string":
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, fmt.Errorf("%s is not a text", excerpt(raw))
		}
		if p.required && strings.TrimSpace(text) == "" {
			return nil, errors.New("it is empty")
		}
		return text, nil
	case "boolean":
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return nil, fmt.Errorf("%s is neither true nor false", excerpt(raw))
		}
		return b, nil
	case "integer":
		return p.integer(raw)
	case "array":
		var list []string
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return nil, fmt.Errorf("%s is not a list of texts", excerpt(raw))
		}
		return list, nil
	}
	if raw[0] != '{' {
		return nil, fmt.Errorf("%s is not an object", excerpt(raw))
	}
	return raw, nil
}

func (p param) integer(raw json.RawMessage) (any, error) {
	var n float64
	switch {
	case json.Unmarshal(raw, &n) != nil || n != math.Trunc(n):
		return nil, fmt.Errorf("%s is not a whole number", excerpt(raw))
	case n < float64(p.least) || n > float64(p.most):
		return nil, fmt.Errorf("%s is not from %d to %d", excerpt(raw), p.least, p.most)
	}
	return int(n), nil
}

// excerpt is a value in an error.
func excerpt(raw json.RawMessage) string { return clip(string(raw), 40) }
