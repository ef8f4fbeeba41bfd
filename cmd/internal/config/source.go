package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/query"
)

// maxSize bounds a config file: a project's comes with a clone, and it is read
// before each search.
const maxSize = 256 << 10

// A source is the path and text of a config file. The text is empty if the file does not
// exist.
type source struct {
	path string
	text []byte
}

// readFile reads a config file. A missing file, or the path "", gives an empty text.
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

// decode decodes the file into a struct and ignores keys that the struct does not have.
func (s source) decode(into any) error { return s.fault(toml.Unmarshal(s.text, into)) }

// decodeStrictly decodes the file into a struct. A key that the struct does not have is an
// error.
func (s source) decodeStrictly(into any) error {
	return s.fault(toml.NewDecoder(bytes.NewReader(s.text)).DisallowUnknownFields().Decode(into))
}

// fault returns an error of package toml as an *Error with its place in the file.
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
			message += "; the keys are path, include and exclude"
		}
	case errors.As(err, &at):
		message = strings.TrimPrefix(at.Error(), "toml: ")
	default:
		return fmt.Errorf("%s: %w", s.path, err)
	}
	row, column := at.Position()
	return s.errorAt(Place{s.path, row, column}, message)
}

// place returns the line and column of the byte at an offset of the text.
func (s source) place(offset int) Place {
	before := s.text[:offset]
	return Place{s.path, bytes.Count(before, []byte("\n")) + 1, offset - bytes.LastIndexByte(before, '\n')}
}

// errorAt returns an *Error for a place in the file, with the line there.
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

// An Error is a fault at a place in a config file.
type Error struct {
	Place
	Message string
	line    string // of the file
}

func (e *Error) Error() string { return e.String() + ": " + e.Message }

// Code returns the name of the error for programs.
func (e *Error) Code() string { return "bad-config" }

// Format returns the error as lines for people, with the line of the file and a caret below
// it.
func (e *Error) Format() string {
	at := min(max(e.Column-1, 0), len(e.line))
	mark := query.Errors{{Start: at, End: min(at+1, len(e.line)), Message: e.Message}}
	_, excerpt, _ := strings.Cut(mark.Format(e.line), "\n")
	return "handex: " + render.Line(e.Error()) + "\n" + excerpt
}

// An entry is the header of a table, or a key with its value, in the text of a file.
type entry struct {
	table []string // the table of the header, or that the key is in
	nth   int      // of the [[tables]] of this name, from 0; -1 if it is none
	key   []string // nil for a header
	from  int      // where the first key begins
	to    int      // where the value ends, or the header's first key begins
	value int      // where the value begins, behind its quote

	isText   bool // the value is a string
	verbatim bool // and is written as it is read
}

// parseEntries returns the headers and keys in a TOML text, up to the first syntax error.
func parseEntries(text []byte) []entry {
	var p unstable.Parser
	p.Reset(text)
	var list []entry
	header := entry{nth: -1}
	tables := map[string]int{} // how many there are of each name
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at := int(e.Child().Raw.Offset)
			header = entry{table: keyPath(e.Key()), nth: -1, from: at, to: at}
			if e.Kind == unstable.ArrayTable {
				name := strings.Join(header.table, "\x00")
				header.nth = tables[name]
				tables[name]++
			}
			list = append(list, header)
		case unstable.KeyValue:
			list = append(list, keyEntry(header, e))
		default:
		}
	}
	return list
}

// keyEntry returns the entry for a key and its value in the table of a header.
func keyEntry(header entry, e *unstable.Node) entry {
	v := e.Value()
	from := int(e.Raw.Offset)
	k := header
	k.key, k.from, k.to, k.value = keyPath(e.Key()), from, from+int(e.Raw.Length), from
	if v.Kind == unstable.String {
		k.to = int(v.Raw.Offset + v.Raw.Length)
		k.value = int(v.Raw.Offset) + 1
		k.isText, k.verbatim = true, int(v.Raw.Length) == len(v.Data)+len(`""`)
	}
	return k
}

// keyPath returns the parts of a dotted key.
func keyPath(it unstable.Iterator) []string {
	var path []string
	for it.Next() {
		path = append(path, string(it.Node().Data))
	}
	return path
}

// isQuery reports whether an entry is the saved query with a name: in a table [queries], or
// with a dotted key above all tables.
func (e entry) isQuery(name string) bool {
	return e.isText && e.nth < 0 && slices.Equal(slices.Concat(e.table, e.key), []string{"queries", name})
}

// lineStart returns the offset at which the line that contains offset at begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns the offset behind the end of the line that contains offset at.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
