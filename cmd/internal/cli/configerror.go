package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"handex/cmd/internal/render"
	"handex/query"
)

// configError is what is wrong at a place of a config file.
type configError struct {
	place
	message string
	line    string // the file's line the fault is in
}

// place is a place of a config file. Row and column count from 1, the column in
// bytes; 0 is not known.
type place struct {
	file        string
	row, column int
}

func (p place) String() string {
	if p.row == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d:%d", p.file, p.row, p.column)
}

func (e configError) Error() string { return e.String() + ": " + e.message }

// Code names it for programs.
func (configError) Code() string { return "bad-config" }

// Format is the fault with the line it is in and a caret.
func (e configError) Format() string {
	at := min(max(e.column-1, 0), len(e.line))
	mark := query.Errors{{Start: at, End: min(at+1, len(e.line)), Message: e.message}}
	_, excerpt, _ := strings.Cut(mark.Format(e.line), "\n")
	return "handex: " + render.Line(e.Error()) + "\n" + excerpt
}

// tomlFault finds the place in a file's text that an error of TOML speaks of.
func tomlFault(file string, text []byte, err error) error {
	var at *toml.DecodeError
	var unknown *toml.StrictMissingError
	var message string
	switch {
	case errors.As(err, &unknown):
		at = &unknown.Errors[0]
		message = fmt.Sprintf("unknown key %q", strings.Join(at.Key(), "."))
	case errors.As(err, &at):
		message = strings.TrimPrefix(at.Error(), "toml: ")
	default:
		return fmt.Errorf("%s: %w", file, err)
	}
	row, column := at.Position()
	return configError{place{file, row, column}, message, lineOf(text, row)}
}

// lineOf is a line of a text, counted from 1.
func lineOf(text []byte, row int) string {
	lines := bytes.Split(text, []byte("\n"))
	if row < 1 || row > len(lines) {
		return ""
	}
	return string(bytes.TrimRight(lines[row-1], "\r"))
}
