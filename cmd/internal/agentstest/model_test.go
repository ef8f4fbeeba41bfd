//go:build agents

package agentstest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// answer is what every model says.
const answer = "Noted."

// A model stands in for the services of all models: it answers in the form that a path
// asks for, and keeps what it was asked.
type model struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string // the texts of requests for an answer
	log   []string // all requests
	// use returns the tool that a model of Anthropic calls for a request, and its input;
	// the answer is text if it is nil or returns no name.
	use func(text string) (name string, input any)
}

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// take returns the texts of the requests since it was called last.
func (m *model) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked := m.asked
	m.asked = nil
	return asked
}

// ServeHTTP answers a request.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var request struct{ Stream bool }
	_ = json.Unmarshal(body, &request) // what is no JSON asks for no stream
	path := r.URL.Path
	form := ""
	switch {
	case strings.HasSuffix(path, "/count_tokens"), strings.HasSuffix(path, ":countTokens"):
		form = "count"
	case strings.HasSuffix(path, "/messages"):
		form = "messages"
	case strings.HasSuffix(path, "/responses"):
		form = "responses"
	case strings.HasSuffix(path, "/chat/completions"):
		form = "chat"
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		form, request.Stream = "gemini", strings.HasSuffix(path, ":streamGenerateContent")
	}
	m.mu.Lock()
	m.log = append(m.log, fmt.Sprintf("%s %s, %d bytes, stream %v", r.Method, r.URL, len(body), request.Stream))
	if form != "" && form != "count" {
		m.asked = append(m.asked, textOf(body))
	}
	stream := streams[form]
	if m.use != nil && form == "messages" {
		if name, input := m.use(textOf(body)); name != "" {
			stream = toolCall(len(m.log), name, input)
		}
	}
	m.mu.Unlock()
	if request.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, whole[form])
}

// textOf returns all strings of a JSON text, a line each.
func textOf(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return string(body)
	}
	var b strings.Builder
	var add func(any)
	add = func(value any) {
		switch v := value.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, item := range v {
				add(item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				add(v[key])
			}
		}
	}
	add(value)
	return b.String()
}

const (
	usage    = `{"input_tokens":9,"output_tokens":2,"total_tokens":11}`
	item     = `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"` + answer + `","annotations":[]}]}`
	response = `{"id":"resp_1","object":"response","created_at":1,"model":"m","status":"completed","output":[` + item + `],"usage":` + usage + `}`
	gemini   = `{"candidates":[{"content":{"role":"model","parts":[{"text":"` + answer + `"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":11}}`
	message  = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}`
)

// whole are the answers in one piece; what is not asked for by a model's path gets an
// empty list.
var whole = map[string]string{
	"":          `{"object":"list","data":[],"models":[]}`,
	"count":     `{"input_tokens":9,"totalTokens":9}`,
	"messages":  strings.Replace(strings.Replace(message, `"content":[]`, `"content":[{"type":"text","text":"`+answer+`"}]`, 1), `"stop_reason":null`, `"stop_reason":"end_turn"`, 1),
	"responses": response,
	"chat":      `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` + answer + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}`,
	"gemini":    gemini,
}

// streams are the answers piece by piece.
var streams = map[string]string{
	"messages": named(
		"message_start", `{"type":"message_start","message":`+message+`}`,
		"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+answer+`"}}`,
		"content_block_stop", `{"type":"content_block_stop","index":0}`,
		"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}`,
		"message_stop", `{"type":"message_stop"}`),
	"responses": named(
		"response.created", `{"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"model":"m","status":"in_progress","output":[]}}`,
		"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","status":"in_progress","content":[]}}`,
		"response.output_text.delta", `{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"`+answer+`"}`,
		"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":`+item+`}`,
		"response.completed", `{"type":"response.completed","response":`+response+`}`),
	"chat": "data: " + `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"` + answer + `"},"finish_reason":null}]}` + "\n\n" +
		"data: " + `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}` + "\n\ndata: [DONE]\n\n",
	"gemini": "data: " + gemini + "\n\n",
}

// toolCall returns a stream in which a model of Anthropic calls a tool; n makes its id.
func toolCall(n int, name string, input any) string {
	text, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	quoted, _ := json.Marshal(string(text))
	block := fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%q,"input":{}}`, n, name)
	return named(
		"message_start", `{"type":"message_start","message":`+message+`}`,
		"content_block_start", `{"type":"content_block_start","index":0,"content_block":`+block+`}`,
		"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+string(quoted)+`}}`,
		"content_block_stop", `{"type":"content_block_stop","index":0}`,
		"message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}}`,
		"message_stop", `{"type":"message_stop"}`)
}

// named writes events with names, as pairs of name and data.
func named(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", pairs[i], pairs[i+1])
	}
	return b.String()
}
