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

// maxMessage is the maximum length of a message in bytes.
const maxMessage = 4 << 20

// lines is a transport with one JSON-RPC message per line. Unlike the SDK's own, it
// responds to a line that is not a message with an error and continues, and at the end of
// the input it waits for outstanding responses.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect returns a connection and begins to read messages.
func (t lines) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{
		messages: make(chan jsonrpc.Message), closed: make(chan struct{}), out: t.out, due: map[jsonrpc.ID]bool{},
	}
	go c.receive(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

type connection struct {
	messages chan jsonrpc.Message // closed when the input has ended and all is answered
	err      error                // why messages was closed
	closed   chan struct{}
	once     sync.Once

	mu  sync.Mutex // guards what follows
	out io.Writer
	due map[jsonrpc.ID]bool // requests that are not answered

	unanswered sync.WaitGroup // as many as are due; only receive adds to it and waits
}

// receive reads messages until the input ends or the connection is closed. If it is waiting
// for input or responses when the connection is closed, it remains waiting.
func (c *connection) receive(in *bufio.Reader) {
	defer close(c.messages)
	for {
		text, err := readLine(in)
		if err != nil && !errors.Is(err, errTooLong) {
			c.unanswered.Wait()
			c.err = err
			return
		}
		var msg jsonrpc.Message
		code := int64(jsonrpc.CodeInvalidRequest)
		if err == nil && len(text) > 0 {
			msg, code, err = c.decode(text)
		}
		if err != nil {
			if err = c.refuse(code, err); err != nil {
				c.err = err
				return
			}
		}
		if msg == nil {
			continue
		}
		select {
		case c.messages <- msg:
		case <-c.closed:
			return
		}
	}
}

var errTooLong = fmt.Errorf("the message is longer than %d bytes", maxMessage)

// readLine returns the next line without white space at its ends. If the line is too long,
// it skips the rest and returns errTooLong. The last line needs no newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for n := 0; ; {
		part, err := in.ReadSlice('\n')
		if n += len(part); n <= maxMessage {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case n > maxMessage && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong
		case n > 0 && errors.Is(err, io.EOF):
			err = nil
		}
		return bytes.TrimSpace(text), err
	}
}

// decode parses a message. If the text is no valid message, or a request with an unusable
// id, it returns an error with its JSON-RPC code.
func (c *connection) decode(text []byte) (jsonrpc.Message, int64, error) {
	switch {
	case !json.Valid(text) || !utf8.Valid(text):
		return nil, jsonrpc.CodeParseError, errors.New("the line is not JSON")
	case text[0] == '[':
		return nil, jsonrpc.CodeInvalidRequest, errors.New("batches are not supported: send one message per line")
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if req, ok := msg.(*jsonrpc.Request); ok && err == nil && req.IsCall() {
		err = c.begin(text, req)
	}
	if err != nil {
		return nil, jsonrpc.CodeInvalidRequest, err
	}
	return msg, 0, nil
}

// begin records that a request must be answered. It returns an error for an id that is in
// use, and for a number that the SDK, which reads numbers as integers, has changed.
func (c *connection) begin(text []byte, req *jsonrpc.Request) error {
	var written struct {
		ID any `json:"id"`
	}
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	n, isInt := req.ID.Raw().(int64)
	if written.ID != req.ID.Raw() && (!isInt || written.ID != float64(n) || n >= 1<<53 || n <= -1<<53) {
		return errors.New("the id is neither a string nor a whole number below 2^53")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due[req.ID] {
		return fmt.Errorf("the id %v belongs to a request that is still running", req.ID.Raw())
	}
	if req.Method != "subscriptions/listen" { // which is answered when the connection ends
		c.due[req.ID] = true
		c.unanswered.Add(1)
	}
	return nil
}

// refuse writes an error response without an id, for a message that has no valid one.
func (c *connection) refuse(code int64, why error) error {
	answer := struct {
		Version string         `json:"jsonrpc"`
		ID      *int           `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", nil, &jsonrpc.Error{Code: code, Message: why.Error()}}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(text, '\n'))
	return err
}

// Read returns the next message, or an error if the input or the connection has ended.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	case msg, ok := <-c.messages:
		if !ok {
			return nil, c.err
		}
		return msg, nil
	}
}

// Write writes a message. A response ends the request that it answers.
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		return err
	}
	if answer, ok := msg.(*jsonrpc.Response); ok && c.due[answer.ID] {
		delete(c.due, answer.ID)
		c.unanswered.Done()
	}
	return nil
}

// Close ends the connection. It does not close the streams, as it did not open them.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID returns "": there is one session.
func (*connection) SessionID() string { return "" }
