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

// unified returns the difference as diff -u writes it, "" if there is none. Lines are
// those of the files, made safe to print.
func (d Diff) unified() string {
	name := func(h index.Summary) string {
		return h.ID + " " + h.Date.UTC().Format(time.RFC3339) + " " + Path(cmp.Or(h.VersionOf, h.Path))
	}
	return unified(name(d.Before), d.Old, name(d.After), d.New)
}

// unified returns the difference of two texts as diff -u writes it, made safe to print.
func unified(oldName string, old []byte, newName string, text []byte) string {
	out := diff.Diff(oldName, old, newName, text)
	if _, rest, ok := bytes.Cut(out, []byte("\n")); ok { // the line that repeats both names
		out = rest
	}
	return Clean(string(out))
}

// DiffText writes a unified diff; nothing if the files are the same.
func DiffText(w io.Writer, d Diff, o Options) error { return o.diffLines(w, d.unified()) }

// diffLines cleans lines but keeps the blanks at a line's end: they may be all that
// differs.
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

// DiffJSON writes both handoffs and the unified diff as one object.
func DiffJSON(w io.Writer, d Diff) error {
	return JSON(w, object{
		{"schema", Schema},
		{"before", summaryObject(d.Before)},
		{"after", summaryObject(d.After)},
		{"same", bytes.Equal(d.Old, d.New)},
		{"diff", always{d.unified()}},
	})
}

// noFile is what a unified diff calls a file that is not there.
const noFile = "/dev/null"

// ChangeText writes what would change in a file as a unified diff; nothing if
// nothing would. old is nil where there is no file.
func ChangeText(w io.Writer, path string, old, text []byte, o Options) error {
	return o.diffLines(w, Change(path, old, text))
}

// Change returns what would change in a file as a unified diff, with its path made safe
// for a terminal.
func Change(path string, old, text []byte) string {
	before := Path(path)
	if old == nil {
		before = noFile
	}
	return unified(before, old, Path(path), text)
}

// ChangeJSON writes the same as one object.
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
