package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is the longest message that is read, in bytes.
const maxMessage = 4 << 20

// lines is a transport of one JSON-RPC message a line. Unlike the SDK's own it
// answers a line that is no message and goes on with the next, and when the input
// ends it waits for the answers that are due.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect begins to read.
func (t lines) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{out: t.out, read: make(chan line), closed: make(chan struct{}), due: map[jsonrpc.ID]bool{}, settled: make(chan struct{}, 1)}
	go c.readLines(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

// A line is what was read: a line, or why there is none.
type line struct {
	text []byte
	err  error
}

type connection struct {
	read   chan line
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex // guards what follows
	out     io.Writer
	due     map[jsonrpc.ID]bool // requests that are not answered
	settled chan struct{}       // has something when due has become empty
}

// readLines reads until the input ends or the connection is closed. A reader that
// waits for input is left behind then.
func (c *connection) readLines(in *bufio.Reader) {
	for {
		text, err := readLine(in)
		select {
		case c.read <- line{text, err}:
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

var errTooLong = fmt.Errorf("the message is longer than %d bytes", maxMessage)

// readLine reads a line without its end. Of one that is too long the rest is
// passed over. The last line needs no end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > maxMessage; !tooLong {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong
		case errors.Is(err, io.EOF) && len(text) > 0:
			err = nil
		}
		return bytes.TrimSpace(text), err
	}
}

// Read answers the next message.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var next line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case next = <-c.read:
		}
		if errors.Is(next.err, io.EOF) {
			c.settle(ctx)
		}
		switch {
		case errors.Is(next.err, errTooLong):
			if err := c.refuse(jsonrpc.CodeInvalidRequest, next.err); err != nil {
				return nil, err
			}
			continue
		case next.err != nil:
			return nil, next.err
		case len(next.text) == 0:
			continue
		}
		msg, err := c.accept(next.text)
		if msg != nil || err != nil {
			return msg, err
		}
	}
}

// accept reads a message. One that is none, or cannot be answered so that the
// answer is told from others, is refused; then msg is nil.
func (c *connection) accept(text []byte) (msg jsonrpc.Message, err error) {
	switch {
	case !json.Valid(text) || !utf8.Valid(text):
		return nil, c.refuse(jsonrpc.CodeParseError, errors.New("the line is no JSON"))
	case text[0] == '[':
		return nil, c.refuse(jsonrpc.CodeInvalidRequest, errors.New("batches are not taken: send one message a line"))
	}
	msg, err = jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, c.refuse(jsonrpc.CodeInvalidRequest, err)
	}
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return msg, nil
	}
	if !sameID(text, req.ID) {
		return nil, c.refuse(jsonrpc.CodeInvalidRequest, errors.New("the id is neither a text nor a whole number below 2^53"))
	}
	if !c.begin(req) {
		return nil, c.refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("the id %v is that of a request which is not answered yet", req.ID.Raw()))
	}
	return msg, nil
}

// sameID reports whether a message's id was read as it is: the SDK takes numbers
// for integers.
func sameID(text []byte, id jsonrpc.ID) bool {
	var written struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(text, &written) != nil {
		return false
	}
	switch is := written.ID.(type) {
	case string:
		return id.Raw() == is
	case float64:
		n, ok := id.Raw().(int64)
		return ok && float64(n) == is && n < 1<<53 && n > -1<<53
	}
	return false
}

// listens is the one request that is not answered before the connection ends.
const listens = "subscriptions/listen"

// begin notes that a request is to be answered; false if one with its id is.
func (c *connection) begin(req *jsonrpc.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due[req.ID] {
		return false
	}
	if req.Method != listens {
		c.due[req.ID] = true
	}
	return true
}

// settle waits until all requests are answered.
func (c *connection) settle(ctx context.Context) {
	for {
		c.mu.Lock()
		left := len(c.due)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.settled:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// refuse answers a message that cannot be told from others.
func (c *connection) refuse(code int64, why error) error {
	type wire struct {
		Version string         `json:"jsonrpc"`
		ID      *int           `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}
	text, err := json.Marshal(wire{Version: "2.0", Error: &jsonrpc.Error{Code: code, Message: why.Error()}})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(text)
}

// Write writes a message.
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.write(text); err != nil {
		return err
	}
	if answer, ok := msg.(*jsonrpc.Response); ok {
		delete(c.due, answer.ID)
		if len(c.due) == 0 {
			select {
			case c.settled <- struct{}{}:
			default:
			}
		}
	}
	return nil
}

func (c *connection) write(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// Close ends the connection. The streams are not its own.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID is empty: there is one session.
func (*connection) SessionID() string { return "" }
