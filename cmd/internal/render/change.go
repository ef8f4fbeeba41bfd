package render

import (
	"bytes"
	"io"
)

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
