package render

import (
	"io"
	"time"

	"handex/index"
)

// An Ack is an acknowledgement as it is listed. State is "holds", "changed" if
// the handoff says something else now, or "unknown" if it is not in the index;
// then Handoff is nil.
type Ack struct {
	ID      string
	At      time.Time
	Note    string
	State   string
	Handoff *index.Summary
}

// Acks writes a line for each: id, when, whether it holds, project, title and
// note.
func Acks(w io.Writer, list []Ack, o Options) error {
	return Table(w, []string{"id", "acknowledged", "state", "project", "label", "note"}, ackRows(list, o), o)
}

// AcksPlain writes the same as tab-separated lines.
func AcksPlain(w io.Writer, list []Ack, o Options) error {
	o.Dates = DatesISO
	return TSV(w, ackRows(list, o))
}

func ackRows(list []Ack, o Options) [][]string {
	rows := make([][]string, len(list))
	for i, e := range list {
		project, title := "-", "-"
		if e.Handoff != nil {
			project, title = e.Handoff.Project, Title(*e.Handoff)
		}
		rows[i] = []string{e.ID, o.Date(e.At, "minute"), e.State, project, title, e.Note}
	}
	return rows
}

// AcksJSON writes all as one object.
func AcksJSON(w io.Writer, list []Ack) error {
	type wireAck struct {
		ID      string    `json:"id"`
		At      time.Time `json:"at"`
		State   string    `json:"state"`
		Note    string    `json:"note,omitempty"`
		Handoff *Wire     `json:"handoff,omitempty"`
	}
	out := make([]wireAck, len(list))
	for i, e := range list {
		out[i] = wireAck{ID: e.ID, At: e.At.UTC(), State: e.State, Note: e.Note}
		if e.Handoff != nil {
			h := wire(*e.Handoff)
			out[i].Handoff = &h
		}
	}
	return JSON(w, struct {
		Schema int       `json:"schema"`
		Acks   []wireAck `json:"acks"`
	}{Schema, out})
}
