// Package render writes what the commands found: for people, one line a hit
// or tables; for programs, JSON with a fixed contract. Its functions take
// values and a writer and touch nothing else.
//
// Whatever comes from a file (text, paths, names) can have characters that act
// on a terminal. The forms for people show them, see [Clean]; JSON escapes
// them. Only the raw bytes of a file, asked for by name, leave as they are.
package render

import (
	"cmp"
	"time"
)

// Options are the surroundings of an answer.
type Options struct {
	// Color allows escape sequences for colour.
	Color bool
	// Width is the terminal's in cells; 0 is no terminal: nothing is cut.
	Width int
	// Dates says how dates are written.
	Dates Dates
	// Now is the present, for relative dates.
	Now time.Time
	// Zone is the reader's; nil is UTC.
	Zone *time.Location
}

func (o Options) zone() *time.Location { return cmp.Or(o.Zone, time.UTC) }

// WithHint returns an error with a line that says what to do about it.
func WithHint(err error, hint string) error { return hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns the line.
func (e hinted) Hint() string { return e.hint }
