package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// patience is how long one connection may take.
const patience = time.Second

// ErrTaken says that another process is listening.
var ErrTaken = errors.New("another process is listening")

// A Listener lets other processes send questions over a Unix socket. A process that connects gets
// the last state that was published; a byte that it sends is a question.
type Listener struct {
	questions chan *Question
	state     atomic.Pointer[[]byte]
	socket    *net.UnixListener
	path      string
	file      fs.FileInfo // of the socket
}

// A Question is a question of another process. It gets one answer.
type Question struct{ answer chan []byte }

// Answer sends a JSON object as the answer, even if the other process has stopped waiting.
func (q *Question) Answer(answer []byte) { q.answer <- answer }

// Listen makes a socket at path, in place of one that a dead process left behind. state is the
// first published state, a JSON object. If another process listens there, it returns ErrTaken.
// After ctx has ended, the listener serves nobody.
func Listen(ctx context.Context, path string, state []byte) (*Listener, error) {
	c, err := Dial(ctx, path)
	switch {
	case err == nil:
		c.Close()
		return nil, ErrTaken
	case errors.Is(err, syscall.ECONNREFUSED):
		err = os.Remove(path)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return nil, err
	}
	l := &Listener{questions: make(chan *Question), path: path}
	l.state.Store(&state)
	err = shorten(path, func(name string) (err error) {
		l.socket, err = net.ListenUnix("unix", &net.UnixAddr{Name: name})
		return err
	})
	if err != nil {
		return nil, err
	}
	l.socket.SetUnlinkOnClose(false) // the path may be another's by then
	if l.file, err = os.Lstat(path); err != nil {
		return nil, errors.Join(err, l.socket.Close())
	}
	go l.accept(ctx)
	return l, nil
}

// Questions returns the channel of questions; a nil Listener has none.
func (l *Listener) Questions() <-chan *Question {
	if l == nil {
		return nil
	}
	return l.questions
}

// Publish sets the state, a JSON object, that other processes get when they connect.
func (l *Listener) Publish(state []byte) {
	if l != nil {
		l.state.Store(&state)
	}
}

// Stands reports whether the listener's socket is still at its path, so that others can connect.
func (l *Listener) Stands() bool {
	if l == nil {
		return false
	}
	file, err := os.Lstat(l.path)
	return err == nil && os.SameFile(file, l.file)
}

// Close stops listening. Open questions get no answer.
func (l *Listener) Close() {
	if l.Stands() {
		_ = os.Remove(l.path)
	}
	if l != nil {
		_ = l.socket.Close()
	}
}

// accept serves connections until the socket is closed.
func (l *Listener) accept(ctx context.Context) {
	for {
		conn, err := l.socket.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(patience) // the process has run out of files
		default:
			go l.talk(ctx, conn)
		}
	}
}

// talk sends one process the state, and then the answer to its question, if it has one.
func (l *Listener) talk(ctx context.Context, conn net.Conn) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := newConn(ctx, conn)
	defer c.Close()
	if _, err := conn.Write(*l.state.Load()); err != nil {
		return
	}
	if n, _ := conn.Read(make([]byte, 1)); n == 0 {
		return
	}
	q := &Question{answer: make(chan []byte, 1)}
	select {
	case l.questions <- q:
	case <-ctx.Done():
		return
	}
	select {
	case answer := <-q.answer:
		_, _ = conn.Write(answer) // whoever asked may be gone
	case <-ctx.Done():
	}
}

// A Conn is a connection to a Listener.
type Conn struct {
	conn net.Conn
	in   *json.Decoder
	stop func() bool
}

// Dial connects to the listener at path. The connection ends with ctx. The error wraps
// fs.ErrNotExist if there is no socket, syscall.ECONNREFUSED if the process that made it is dead.
func Dial(ctx context.Context, path string) (c *Conn, err error) {
	err = shorten(path, func(name string) error {
		conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "unix", name)
		if err == nil {
			c = newConn(ctx, conn)
		}
		return err
	})
	return c, err
}

// newConn returns conn as a Conn, which is closed when ctx ends.
func newConn(ctx context.Context, conn net.Conn) *Conn {
	return &Conn{conn, json.NewDecoder(conn), context.AfterFunc(ctx, func() { _ = conn.Close() })}
}

// State reads the state that the listener published into to.
func (c *Conn) State(to any) error { return c.in.Decode(to) }

// Ask sends the question and reads the answer into to. State must have been called before.
func (c *Conn) Ask(to any) error {
	if _, err := c.conn.Write([]byte("?")); err != nil {
		return err
	}
	return c.in.Decode(to)
}

// Close closes the connection.
func (c *Conn) Close() {
	c.stop()
	_ = c.conn.Close()
}

// shorten calls do with a name for the socket at path that is short enough to be an address: a long
// path is replaced by one through its open folder.
func shorten(path string, do func(name string) error) error {
	const longest = 100 // on every system
	if len(path) <= longest {
		return do(path)
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	return do(fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path)))
}
