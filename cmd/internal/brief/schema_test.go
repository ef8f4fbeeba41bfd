package brief_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// A schema is as much of JSON Schema as the agents' are written in.
type schema struct {
	Type                 string             `json:"type"`
	Const                any                `json:"const"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *bool              `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	MaxLength            int                `json:"maxLength"`
	Schema               string             `json:"$schema"`
	Comment              string             `json:"$comment"`
}

// checkSchema holds a text against a schema in a file.
func checkSchema(t *testing.T, file, text string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, fault := range s.faults("", v) {
		t.Errorf("%s: %s in\n%s", file, fault, text)
	}
}

func (s *schema) faults(at string, v any) (list []string) {
	if s.Const != nil && s.Const != v {
		list = append(list, fmt.Sprintf("%s is %v, not %v", at, v, s.Const))
	}
	switch v := v.(type) {
	case map[string]any:
		list = append(list, s.is(at, "object")...)
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				list = append(list, at+" has no "+name)
			}
		}
		for name, value := range v {
			p := s.Properties[name]
			if p != nil {
				list = append(list, p.faults(at+"/"+name, value)...)
			} else if s.AdditionalProperties != nil && !*s.AdditionalProperties {
				list = append(list, at+" has "+name)
			}
		}
	case []any:
		list = append(list, s.is(at, "array")...)
		for i, value := range v {
			list = append(list, s.Items.faults(fmt.Sprintf("%s/%d", at, i), value)...)
		}
	case string:
		list = append(list, s.is(at, "string")...)
		if s.MaxLength > 0 && len([]rune(v)) > s.MaxLength {
			list = append(list, fmt.Sprintf("%s has %d characters", at, len([]rune(v))))
		}
	case float64:
		list = append(list, s.is(at, "integer", "number")...)
	default:
		list = append(list, fmt.Sprintf("%s is %v", at, v))
	}
	return list
}

func (s *schema) is(at string, types ...string) []string {
	if s.Type == "" || slices.Contains(types, s.Type) {
		return nil
	}
	return []string{fmt.Sprintf("%s is %s, not %s", at, types[0], s.Type)}
}

func TestSchemaFindsFaults(t *testing.T) {
	t.Parallel()
	no := false
	s := schema{Type: "object", AdditionalProperties: &no, Required: []string{"a"}, Properties: map[string]*schema{"b": {Type: "string", MaxLength: 2}}}
	got := s.faults("", map[string]any{"b": "abc", "c": 1.0})
	slices.Sort(got)
	want := []string{" has c", " has no a", "/b has 3 characters"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
