package render

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/OWNER/handex/index"
)

// Diff is two handoffs and the bytes of their files.
type Diff struct {
	Before, After index.Summary
	Old, New      []byte
}

// unified returns the difference of the two files in the form of diff -u, with the lines
// made safe to print, or "" if the files are equal.
func (d Diff) unified() string {
	name := func(h index.Summary) string {
		return h.ID + " " + h.Date.UTC().Format(time.RFC3339) + " " + Path(cmp.Or(h.VersionOf, h.Path))
	}
	return unified(name(d.Before), d.Old, name(d.After), d.New)
}

// unified returns the difference of two texts in the form of diff -u, made safe to print.
func unified(oldName string, old []byte, newName string, text []byte) string {
	out := diff.Diff(oldName, old, newName, text)
	if _, rest, ok := bytes.Cut(out, []byte("\n")); ok { // the line that repeats both names
		out = rest
	}
	return Clean(string(out))
}

// DiffText writes the unified diff of two handoffs, or nothing if their files are the same.
func DiffText(w io.Writer, d Diff, o Options) error { return o.diffLines(w, d.unified()) }

// diffLines writes the lines of a unified diff in colours. It keeps the blanks at the end
// of a line, as these may be all that differs.
func (o Options) diffLines(w io.Writer, text string) error {
	p := &printer{Options: o, w: w}
	i := 0
	for line := range strings.Lines(text) {
		look := Plain
		switch {
		case i < 2:
			look = Bold
		case line[0] == '-':
			look = Red
		case line[0] == '+':
			look = Green
		case strings.HasPrefix(line, "@@"):
			look = Cyan
		}
		p.print(p.colored(strings.TrimSuffix(line, "\n"), look) + "\n")
		i++
	}
	return p.err
}

// DiffJSON writes both handoffs and their unified diff as one JSON object.
func DiffJSON(w io.Writer, d Diff) error {
	return JSON(w, object{
		{"schema", Schema},
		{"before", summaryObject(d.Before)},
		{"after", summaryObject(d.After)},
		{"same", bytes.Equal(d.Old, d.New)},
		{"diff", always{d.unified()}},
	})
}

// noFile is the name for a missing file in a unified diff.
const noFile = "/dev/null"

// ChangeText writes the difference between the old and the new text of a file as a unified
// diff, or nothing if they are equal. old is nil if there is no file.
func ChangeText(w io.Writer, path string, old, text []byte, o Options) error {
	return o.diffLines(w, Change(path, old, text))
}

// Change returns the difference between the old and the new text of a file as a unified
// diff, made safe to print. old is nil if there is no file.
func Change(path string, old, text []byte) string {
	before := Path(path)
	if old == nil {
		before = noFile
	}
	return unified(before, old, Path(path), text)
}

// ChangeJSON writes a change to a file as one JSON object: its path, the diff and the new
// text.
func ChangeJSON(w io.Writer, path string, old, text []byte) error {
	return JSON(w, object{
		{"schema", Schema},
		{"path", always{path}},
		{"exists", old != nil},
		{"same", old != nil && bytes.Equal(old, text)},
		{"diff", always{Change(path, old, text)}},
		{"text", always{string(text)}},
	})
}
