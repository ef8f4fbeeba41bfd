// Package digest splits the text of handoffs into items, and finds
// of these say the same: what briefings and reports are made of. Its texts are those
// of the handoffs, one line each and else as they are.
package digest
