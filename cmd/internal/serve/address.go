package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// An Address is where the server listens, and by which names it lets itself be
// called.
type Address struct {
	listener net.Listener
	name     string // the name in the address it was given, "" for a number
	port     string
	loopback bool
}

// ErrExposed refuses an address that others could reach.
var ErrExposed = errors.New("other machines could reach that address")

// Listen takes an address HOST:PORT, HOST, PORT or :PORT; empty is a free port of
// 127.0.0.1. Addresses that are not this machine's own are refused with ErrExposed
// unless expose is set.
func Listen(ctx context.Context, address string, expose bool) (*Address, error) {
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	ip, err := netip.ParseAddr(host)
	named := err != nil
	loopback := ip.IsLoopback() || strings.EqualFold(host, "localhost")
	if !loopback && !expose {
		return nil, fmt.Errorf("%s: %w", address, ErrExposed)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && loopback && !tcp.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("%s: %w", address, ErrExposed), l.Close())
	}
	a := &Address{listener: l, loopback: loopback}
	if named {
		a.name = strings.ToLower(host)
	}
	_, a.port, err = net.SplitHostPort(l.Addr().String())
	return a, err
}

// split reads an address.
func split(address string) (host, port string, err error) {
	switch {
	case address == "":
		return "127.0.0.1", "0", nil
	case strings.Trim(address, "0123456789") == "":
		return "127.0.0.1", address, nil
	case !strings.Contains(address, ":"):
		return address, "0", nil
	}
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("%q is not an address such as 127.0.0.1:8080: %w", address, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// Close ends listening; a Server does that itself.
func (a *Address) Close() error { return a.listener.Close() }

// URL returns the address by which a browser on this machine reaches the server.
func (a *Address) URL() string {
	host, _, err := net.SplitHostPort(a.listener.Addr().String())
	if ip, parseErr := netip.ParseAddr(host); err != nil || parseErr != nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, a.port)
}

// isCalled reports whether a Host header names this server. A name that anybody
// could point to an address of this machine does not: a page of that name could
// read what is answered to it.
func (a *Address) isCalled(header string) bool {
	host, port, err := net.SplitHostPort(header)
	if err != nil {
		host, port = strings.Trim(header, "[]"), "80"
	}
	if port != a.port {
		return false
	}
	host = strings.ToLower(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return !a.loopback || ip.IsLoopback()
	}
	return host == "localhost" || host == a.name
}
