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

// Options say how output is written: colours, width, dates.
type Options struct {
	// Color allows escape sequences for colour.
	Color bool
	// Width is the width of the terminal in cells. 0 means that there is no terminal and
	// nothing is cut.
	Width int
	// Dates is the style in which dates are written.
	Dates Dates
	// Now is the current time; relative dates count to it.
	Now time.Time
	// Zone is the reader's time zone; nil is UTC.
	Zone *time.Location
}

func (o Options) zone() *time.Location { return cmp.Or(o.Zone, time.UTC) }

// WithHint returns err with a hint: a line that says what to do about it.
func WithHint(err error, hint string) error { return hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns the line that says what to do about the error.
func (e hinted) Hint() string { return e.hint }
