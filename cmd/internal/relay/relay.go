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

// Message is a message to another agent.
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

// reply is what the receiver can answer in JSON. OK false is a refusal.
type reply struct {
	OK         *bool           `json:"ok"`
	SessionKey string          `json:"session_key"`
	CamelKey   string          `json:"sessionKey"`
	Key        string          `json:"key"`
	Error      json.RawMessage `json:"error"`
}

// read parses the text of a reply. known is false if it is not a JSON object.
func read(text []byte) (r reply, known bool) {
	if err := json.Unmarshal(text, &r); err != nil {
		return reply{}, false
	}
	return r, strings.HasPrefix(strings.TrimSpace(string(text)), "{")
}

// session returns the session key that the reply names, "" if it names none that can be
// one.
func (r reply) session() string {
	for _, key := range []string{r.SessionKey, r.CamelKey, r.Key} {
		if isKey(key) {
			return key
		}
	}
	return ""
}

// refusal returns an error that wraps ErrRefused if the reply refuses the message.
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

// errorText returns the error in the reply, which is a string or an object with a message;
// "" if there is none.
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

// isKey reports whether a text can be a session key: one printable word of at most 200
// bytes.
func isKey(text string) bool {
	return text != "" && len(text) <= 200 && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// short returns the first line of a text, at most 200 characters of it.
func short(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "?")), "\n")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200]) + "…"
	}
	return strings.TrimSpace(line)
}
