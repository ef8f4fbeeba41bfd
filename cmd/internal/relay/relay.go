// Package relay hands a message to another agent: to a command on its standard
// input, or to a gateway by HTTP. It succeeds only when the other side has
// said that it has the message; whatever else comes is an error.
package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Message is what is handed over.
type Message struct {
	From    string `json:"from"` // an agent, as To
	To      string `json:"to"`
	Source  string `json:"source_file,omitempty"` // what the message is about, relative to the project
	Session string `json:"session_key,omitempty"` // key of the receiver's session, if it is known
	Prompt  string `json:"message"`
}

// maxReply bounds in bytes what is read of an answer.
const maxReply = 64 << 10

// ErrRefused says that the other side refused the message.
var ErrRefused = errors.New("refused")

// reply is what an answer in JSON can say. OK false is a refusal.
type reply struct {
	OK         *bool           `json:"ok"`
	SessionKey string          `json:"session_key"`
	CamelKey   string          `json:"sessionKey"`
	Key        string          `json:"key"`
	Error      json.RawMessage `json:"error"`
}

// read parses an answer. known is false if it is not a JSON object.
func read(text []byte) (r reply, known bool) {
	if err := json.Unmarshal(text, &r); err != nil {
		return reply{}, false
	}
	return r, strings.HasPrefix(strings.TrimSpace(string(text)), "{")
}

// session returns the key the answer names, if it is one.
func (r reply) session() string {
	for _, key := range []string{r.SessionKey, r.CamelKey, r.Key} {
		if isKey(key) {
			return key
		}
	}
	return ""
}

// refusal returns an error if the answer refuses the message.
func (r reply) refusal() error {
	said := r.errorText()
	switch {
	case r.OK != nil && !*r.OK && said == "":
		return ErrRefused
	case r.OK != nil && !*r.OK, said != "":
		return fmt.Errorf("%w: %s", ErrRefused, said)
	}
	return nil
}

// errorText returns the error the answer names, as a text or as an object with a message.
func (r reply) errorText() string {
	var text string
	var object struct {
		Message string `json:"message"`
	}
	switch {
	case len(r.Error) == 0 || string(r.Error) == "null" || string(r.Error) == "false":
		return ""
	case json.Unmarshal(r.Error, &text) == nil:
		return short(text)
	case json.Unmarshal(r.Error, &object) == nil && object.Message != "":
		return short(object.Message)
	}
	return short(string(r.Error))
}

// isKey reports whether a text can be a session key: one word, not too long.
func isKey(text string) bool {
	return text != "" && len(text) <= 200 && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// short returns the first line of a text, cut to what fits into a message.
func short(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "?")), "\n")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200]) + "…"
	}
	return strings.TrimSpace(line)
}
