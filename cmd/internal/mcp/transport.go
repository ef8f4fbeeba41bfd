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

// lines is a transport of one JSON-RPC message a line. Unlike the SDK's own it answers
// a line that is no message and goes on with the next, and when the input ends it waits
// for the answers that are due.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect begins to read.
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

// receive reads until the input ends or the connection is closed. It is left behind
// where it waits for input or answers then.
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

// readLine reads a line without its end. Of one that is too long the rest is passed
// over. The last line needs no end.
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

// decode reads a message. It refuses, with a code, what is none and what cannot be
// answered so that its response can be distinguished from others.
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

// begin notes that a request is to be answered. It refuses an id that is in use, and
// one that the SDK, which takes numbers for integers, did not read as it is.
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

// refuse answers a message whose id is not known.
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

// Read returns the next message.
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

// Write writes a message.
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

// Close ends the connection. It leaves the streams open, which are not its own.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID returns "": there is one session.
func (*connection) SessionID() string { return "" }
