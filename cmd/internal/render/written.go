package render

import (
	"io"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Written is a handoff that was made. Path is where it was saved, "" if it was
// not; Prompt the message for its receiver; Removed the paths of handoffs that
// made room for it.
type Written struct {
	Format, Path string
	Text         []byte
	Prompt       string
	Losses       []write.Loss
	Problems     []parse.Problem
	Removed      []string
}

// ConvertedJSON writes a handoff in another format as one object.
func ConvertedJSON(w io.Writer, text []byte, losses []write.Loss) error {
	return JSON(w, object{{"schema", Schema}, {"text", always{string(text)}}, {"losses", all(losses, lossObject)}})
}

// WrittenJSON writes it as one object.
func WrittenJSON(w io.Writer, x Written) error {
	return JSON(w, object{
		{"schema", Schema},
		{"format", always{x.Format}},
		{"path", x.Path},
		{"text", always{string(x.Text)}},
		{"prompt", x.Prompt},
		{"losses", each(x.Losses, lossObject)},
		{"problems", each(x.Problems, problemObject)},
		{"removed", x.Removed},
	})
}

// lossObject returns what a format has no place for, and where it was kept.
func lossObject(l write.Loss) object {
	return object{{"what", always{l.What}}, {"kept", always{l.Kept}}}
}
