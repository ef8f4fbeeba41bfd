package teamtest_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
)

// A line is the network between machines and a remote. While it is bad, half of the
// connections break after some bytes, at once and in both directions.
type line struct {
	listener net.Listener
	connect  func() (io.ReadWriteCloser, error) // to what is behind it
	bad      atomic.Bool
	down     atomic.Bool // every connection breaks before its first byte
	broken   atomic.Int64
}

func newLine(tb testing.TB, connect func() (io.ReadWriteCloser, error)) *line {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	l := &line{listener: listener, connect: connect}
	tb.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(conn)
		}
	}()
	return l
}

func (l *line) address() string { return l.listener.Addr().String() }

// carry copies what one connection sends and receives, until it breaks.
func (l *line) carry(near net.Conn) {
	far, err := l.connect()
	if err != nil {
		_ = near.Close()
		return
	}
	var once sync.Once
	closeBoth := func() {
		if tcp, ok := near.(*net.TCPConn); ok && l.down.Load() {
			_ = tcp.SetLinger(0)
		}
		_ = near.Close()
		_ = far.Close()
	}
	c := &carried{left: -1, cut: func() {
		once.Do(func() {
			l.broken.Add(1)
			if tcp, ok := near.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			closeBoth()
		})
	}}
	switch {
	case l.down.Load():
		c.left = 0
	case l.bad.Load() && rand.IntN(2) == 0:
		c.left = 1 + rand.Int64N(1<<uint(6+rand.IntN(12)))
	}
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(c.writer(far), near)
		if half, ok := far.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
		close(done)
	}()
	_, _ = io.Copy(c.writer(near), far)
	_ = near.Close()
	<-done
	_ = far.Close()
}

// carried counts the bytes of a connection in both directions.
type carried struct {
	mu   sync.Mutex
	left int64 // bytes until it breaks; negative for never
	cut  func()
}

var errCut = errors.New("the line is cut")

func (c *carried) writer(to io.Writer) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		c.mu.Lock()
		n, breaks := len(p), c.left >= 0 && int64(len(p)) >= c.left
		if breaks {
			n = int(c.left)
		}
		if c.left >= 0 {
			c.left -= int64(n)
		}
		c.mu.Unlock()
		n, err := to.Write(p[:n])
		if breaks {
			c.cut()
			return n, errCut
		}
		return n, err
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// piped is a program whose input and output are a connection.
type piped struct {
	io.Reader

	in  io.WriteCloser
	cmd *exec.Cmd
}

func startPiped(cmd *exec.Cmd) (*piped, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &piped{out, in, cmd}, cmd.Start()
}

func (p *piped) Write(b []byte) (int, error) { return p.in.Write(b) }

// CloseWrite ends the program's input.
func (p *piped) CloseWrite() error { return p.in.Close() }

// Close ends the program.
func (p *piped) Close() error {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	return p.cmd.Wait()
}
