// Package serve shows handoffs in a browser of the same machine, and to programs
// as JSON. It knows HTTP; its data comes from a [service.Live].
//
// Whoever can open a port of this machine is not yet its user. So every request has
// to bring the token that was printed at the start, as a cookie, which only a
// browser that opened the printed address has, or as a bearer; its Host must be an
// address and no name that somebody could point here; and what changes anything has
// to come from a page of this server.
package serve
