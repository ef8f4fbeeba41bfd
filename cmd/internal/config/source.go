package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"handex/cmd/internal/render"
	"handex/query"
)

// maxSize bounds a config file: a project's comes with a clone, and it is read
// before each search.
const maxSize = 256 << 10

// A source is the text of a file, empty if the file does not exist.
type source struct {
	path string
	text []byte
}

// readFile reads the file of a path. There is none at the path "".
func readFile(path string) (source, error) {
	s := source{path: path}
	if path == "" {
		return s, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("read config: %w", err)
	}
	defer func() { _ = f.Close() }()
	s.text, err = io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(s.text) > maxSize {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxSize)
	}
	if err != nil {
		return s, fmt.Errorf("read config: %w", err)
	}
	return s, nil
}

// decode reads the keys of a struct and ignores others.
func (s source) decode(into any) error { return s.fault(toml.Unmarshal(s.text, into)) }

// decodeStrictly reads into a struct that has all keys of the file.
func (s source) decodeStrictly(into any) error {
	return s.fault(toml.NewDecoder(bytes.NewReader(s.text)).DisallowUnknownFields().Decode(into))
}

// fault returns an error of package toml with its place in the file.
func (s source) fault(err error) error {
	var at *toml.DecodeError
	var unknown *toml.StrictMissingError
	var message string
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		at = &unknown.Errors[0]
		message = fmt.Sprintf("unknown key %q", strings.Join(at.Key(), "."))
		if key := at.Key(); len(key) > 1 && key[0] == "roots" {
			message += "; there are path, include and exclude"
		}
	case errors.As(err, &at):
		message = strings.TrimPrefix(at.Error(), "toml: ")
	default:
		return fmt.Errorf("%s: %w", s.path, err)
	}
	row, column := at.Position()
	return s.errorAt(Place{s.path, row, column}, message)
}

// place returns the place of a byte of the text.
func (s source) place(offset int) Place {
	before := s.text[:offset]
	return Place{s.path, bytes.Count(before, []byte("\n")) + 1, offset - bytes.LastIndexByte(before, '\n')}
}

func (s source) errorAt(at Place, message string) *Error {
	lines := bytes.Split(s.text, []byte("\n"))
	return &Error{at, message, string(bytes.TrimRight(lines[at.Line-1], "\r"))}
}

// A Place is a place in a file. Line and column count from 1, the column in bytes;
// both are 0 if only the file is known.
type Place struct {
	File         string
	Line, Column int
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// An Error is what is wrong at a place of a config file.
type Error struct {
	Place
	Message string
	line    string // of the file
}

func (e *Error) Error() string { return e.String() + ": " + e.Message }

// Code returns the name of the error for programs.
func (e *Error) Code() string { return "bad-config" }

// Format returns the error with the line of the file and a caret below it, for
// people.
func (e *Error) Format() string {
	at := min(max(e.Column-1, 0), len(e.line))
	mark := query.Errors{{Start: at, End: min(at+1, len(e.line)), Message: e.Message}}
	_, excerpt, _ := strings.Cut(mark.Format(e.line), "\n")
	return "handex: " + render.Line(e.Error()) + "\n" + excerpt
}
