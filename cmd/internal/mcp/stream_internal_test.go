package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/service"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// message is a line of either side.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Method  *string         `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int
		Message string
	}
}

// answers serves a stream to its end.
func answers(tb testing.TB, o Options, stream []byte) []message {
	tb.Helper()
	s, err := newServer(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return s.answers(tb, stream)
}

func (s *server) answers(tb testing.TB, stream []byte) []message {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := s.serve(ctx, bytes.NewReader(stream), &out); err != nil {
		tb.Fatalf("the server ended with %v", err)
	}
	if ctx.Err() != nil {
		tb.Fatalf("the server did not end with its input; it wrote\n%s", out.String())
	}
	var list []message
	for line := range strings.Lines(out.String()) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
			tb.Fatalf("no message (%v): %q", err, line)
		}
		list = append(list, m)
	}
	return list
}

// Whatever comes, the server goes on to the end of it, and answers what was asked
// and nothing else, each once.
func FuzzStream(f *testing.F) {
	for _, args := range []string{`{}`, `{"query":"x"}`, `{"id":"h_1"}`, `{"limit":-1}`, `null`, `[1]`, `{"query":"is:opne"}`, `{"query":"count-by:project","cursor":"1.2.3"}`, `{"keys":{}}`, `{"ids":["a"]}`, `{"chars":100,"id":"h_1"}`} {
		for _, tool := range []string{"search", "show", "latest", "brief", "escalations", "report", "write", "update", "ack", "none"} {
			f.Add([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}`, tool, args)))
		}
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"handoff://h_1"}}`, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"handoff://../../etc"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"briefing","arguments":{"budget":"x"}}}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":[],"method":"ping"}`, `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "{", "\x00\xff", `{"jsonrpc":"2.0","id":1,"method":""}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"hello"}}`, `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{}}`, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"latest","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`, `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"handoff://x"}}`,
	} {
		f.Add([]byte(line))
	}
	o := world(f, "text")
	f.Fuzz(func(t *testing.T, data []byte) {
		asked := map[any]int{"hello": 1}
		for line := range bytes.Lines(data) {
			var m message
			if json.Unmarshal(bytes.TrimSpace(line), &m) == nil && m.ID != nil {
				switch m.ID.(type) {
				case string, float64:
					asked[m.ID]++
				}
			}
		}
		for _, m := range answers(t, o, append([]byte(hello), data...)) {
			switch {
			case m.Method != nil && m.ID == nil:
				continue // a notification
			case m.Method != nil:
				t.Fatalf("the server asks %s", *m.Method)
			case (m.Result == nil) == (m.Error == nil):
				t.Fatalf("an answer with result %s and error %v", m.Result, m.Error)
			case m.ID == nil && m.Error != nil:
				continue
			}
			if asked[m.ID]--; asked[m.ID] < 0 {
				t.Fatalf("%v was not asked, or answered before", m.ID)
			}
		}
	})
}

// A line that is no message is told; the next one is answered.
func TestNoMessages(t *testing.T) {
	t.Parallel()
	o := world(t)
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"{", "the line is not JSON", -32700},
		{"hello", "the line is not JSON", -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", "the line is not JSON", -32700},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "batches are not supported: send one message per line", -32600},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `invalid message version tag "1.0"; expected "2.0"`, -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "the id is neither a string nor a whole number below 2^53", -32600},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "the id is neither a string nor a whole number below 2^53", -32600},
		{strings.Repeat("x", 4<<20) + "yz", "the message is longer than 4194304 bytes", -32600},
	} {
		var told, ponged int
		for _, m := range answers(t, o, []byte(hello+c.line+"\n\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`)) {
			switch {
			case m.ID == nil && m.Error != nil && m.Error.Message == c.want && m.Error.Code == c.code:
				told++
			case m.ID == 2.0 && m.Error == nil:
				ponged++
			case m.ID != "hello":
				t.Errorf("%.60q: %v %s %+v", c.line, m.ID, m.Result, m.Error)
			}
		}
		if told != 1 || ponged != 1 {
			t.Errorf("%.60q: told %d times, %d pings answered", c.line, told, ponged)
		}
	}
}

// What is asked before the input ends is answered.
func TestAnswersThatAreDue(t *testing.T) {
	t.Parallel()
	var stream strings.Builder
	stream.WriteString(hello)
	for i := range 100 {
		fmt.Fprintf(&stream, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{}}}`+"\n", i)
	}
	if got := answers(t, world(t, "text"), []byte(stream.String())); len(got) != 101 {
		t.Errorf("%d answers, want 101", len(got))
	}
}

// slow is the answer of a tool that ends when its call is cancelled.
type slow struct{ page }

func (slow) write(*strings.Builder) {}

// slowServer returns a server with such a tool.
func slowServer(ctx context.Context, t *testing.T) *server {
	t.Helper()
	s, err := newServer(ctx, world(t))
	if err != nil {
		t.Fatal(err)
	}
	err = s.add(tool{name: "slow", call: func(_ *server, ctx context.Context, _ *service.Service, _ args) (answer, error) {
		<-ctx.Done()
		return slow{}, ctx.Err()
	}, result: slow{}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A call that is cancelled holds nothing up.
func TestCancelledCall(t *testing.T) {
	t.Parallel()
	stream := hello + `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}` + "\n" +
		`{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}` + "\n"
	ponged := false
	for _, m := range slowServer(t.Context(), t).answers(t, []byte(stream)) {
		ponged = ponged || m.ID == 6.0 && m.Error == nil
		if m.ID == 5.0 && m.Error == nil && !strings.Contains(string(m.Result), `"isError":true`) {
			t.Errorf("the call answers %s", m.Result)
		}
	}
	if !ponged {
		t.Error("the ping behind it is not answered")
	}
}

// The end of the server ends the calls that run.
func TestEndWhileACallRuns(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, input := io.Pipe()
	ended := make(chan error, 1)
	s := slowServer(ctx, t)
	go func() { ended <- s.serve(ctx, in, io.Discard) }()
	if _, err := io.WriteString(input, hello+`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it did not end")
	}
}
