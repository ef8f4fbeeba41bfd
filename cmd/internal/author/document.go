package author

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A Hook is what Claude Code gives its hooks on the standard input, as far as a
// handoff can use it.
type Hook struct {
	Event   string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Cwd     string `json:"cwd"`
}

// readHook reads the input of a hook. ok is false for a document without the key that
// only hooks have.
func readHook(text []byte) (hook Hook, ok bool) {
	err := json.Unmarshal(text, &hook)
	return hook, err == nil && hook.Event != ""
}

// A member is a key of a JSON object and its value.
type member struct {
	key   string
	value json.RawMessage
}

// readObject reads a JSON object in its order.
func readObject(text []byte) ([]member, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = nil // of another kind
	}
	if object == nil {
		return nil, errors.Join(errors.New("it is no JSON object"), err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	_, _ = dec.Token() // the text is an object: no token can be wrong
	var list []member
	for dec.More() {
		key, _ := dec.Token()
		m := member{key: fmt.Sprint(key)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other member) bool { return other.key == m.key }) {
			return nil, fmt.Errorf("the key %q is there twice", m.key)
		}
		list = append(list, m)
	}
	return list, nil
}

// scalars are the texts of a value: one, or those of a list; none of null.
func scalars(raw json.RawMessage) ([]string, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var texts []string
	for _, item := range list {
		switch v := item.(type) {
		case nil:
		case string, bool, json.Number:
			texts = append(texts, fmt.Sprint(v))
		default:
			return nil, errors.New("neither a text nor a list of texts")
		}
	}
	return texts, nil
}
