package render

import (
	"io"

	"handex/parse"
	"handex/parse/write"
)

// Written is a handoff that was made. Path is where it was saved, "" if it was
// not; Prompt what its receiver is to be told; Removed the paths of handoffs that
// made room for it.
type Written struct {
	Format, Path string
	Text         []byte
	Prompt       string
	Losses       []write.Loss
	Problems     []parse.Problem
	Removed      []string
}

// loss is the JSON of a write.Loss.
type loss struct {
	What string `json:"what"`
	Kept string `json:"kept"`
}

// ConvertedJSON writes a handoff in another format as one object.
func ConvertedJSON(w io.Writer, text []byte, losses []write.Loss) error {
	return JSON(w, struct {
		Schema int    `json:"schema"`
		Text   string `json:"text"`
		Losses []loss `json:"losses"`
	}{Schema, string(text), append([]loss{}, each(losses, func(l write.Loss) loss { return loss(l) })...)})
}

// WrittenJSON writes it as one object.
func WrittenJSON(w io.Writer, x Written) error {
	return JSON(w, struct {
		Schema   int           `json:"schema"`
		Format   string        `json:"format"`
		Path     string        `json:"path,omitempty"`
		Text     string        `json:"text"`
		Prompt   string        `json:"prompt,omitempty"`
		Losses   []loss        `json:"losses,omitempty"`
		Problems []WireProblem `json:"problems,omitempty"`
		Removed  []string      `json:"removed,omitempty"`
	}{
		Schema, x.Format, x.Path, string(x.Text), x.Prompt,
		each(x.Losses, func(l write.Loss) loss { return loss(l) }), each(x.Problems, wireProblem), x.Removed,
	})
}
