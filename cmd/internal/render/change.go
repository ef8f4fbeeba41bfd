package render

import (
	"bytes"
	"io"
)

// noFile is what a unified diff calls a file that is not there.
const noFile = "/dev/null"

// ChangeText writes what would change in a file as a unified diff; nothing if
// nothing would. exists tells an empty file from none.
func ChangeText(w io.Writer, path string, old []byte, exists bool, text []byte, o Options) error {
	return o.diffLines(w, Change(path, old, exists, text))
}

// Change returns what would change in a file as a unified diff, with its path made safe
// for a terminal.
func Change(path string, old []byte, exists bool, text []byte) string {
	before := Path(path)
	if !exists {
		before = noFile
	}
	return unified(before, old, Path(path), text)
}

// ChangeJSON writes the same as one object.
func ChangeJSON(w io.Writer, path string, old []byte, exists bool, text []byte) error {
	return JSON(w, object{
		{"schema", Schema},
		{"path", always{path}},
		{"exists", exists},
		{"same", exists && bytes.Equal(old, text)},
		{"diff", always{Change(path, old, exists, text)}},
		{"text", always{string(text)}},
	})
}
