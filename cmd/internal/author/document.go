package author

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Hook is what Claude Code gives its hooks on the standard input, as far as a
// handoff can use it.
type Hook struct {
	Event   string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Cwd     string `json:"cwd"`
}

// readHook tells the input of a hook from a document by the key that only hooks
// have.
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
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return nil, errors.Join(errors.New("it is no JSON object"), err)
	}
	var list []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: fmt.Sprint(key)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other member) bool { return other.key == m.key }) {
			return nil, fmt.Errorf("the key %q is there twice", m.key)
		}
		list = append(list, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more behind the object")
	}
	return list, nil
}

// scalars are the texts of a value: one, or those of a list; none of null.
func scalars(raw json.RawMessage) ([]string, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var texts []string
	for _, item := range list {
		dec := json.NewDecoder(bytes.NewReader(item))
		dec.UseNumber()
		var value any
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case nil:
		case string:
			texts = append(texts, v)
		case bool, json.Number:
			texts = append(texts, fmt.Sprint(v))
		default:
			return nil, errors.New("neither a text nor a list of texts")
		}
	}
	return texts, nil
}
