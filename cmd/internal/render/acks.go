package render

import (
	"io"
	"time"

	"github.com/OWNER/handex/index"
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

// Acks writes a line for each: id, when, whether it is valid, project, title and
// note.
func Acks(w io.Writer, list []Ack, forPrograms bool, o Options) error {
	header := []string{"id", "acknowledged", "state", "project", "label", "note"}
	return listing(w, header, forPrograms, o, func(o Options) [][]string {
		return each(list, func(e Ack) []string {
			project, title := "-", "-"
			if e.Handoff != nil {
				project, title = e.Handoff.Project, Title(*e.Handoff)
			}
			return []string{e.ID, o.Date(e.At, "minute"), e.State, project, title, e.Note}
		})
	})
}

// AcksJSON writes all as one object.
func AcksJSON(w io.Writer, list []Ack) error {
	return JSON(w, object{{"schema", Schema}, {"acks", all(list, func(e Ack) object {
		var handoff object
		if e.Handoff != nil {
			handoff = summaryObject(*e.Handoff)
		}
		return object{
			{"id", always{e.ID}},
			{"at", always{e.At.UTC()}},
			{"state", always{e.State}},
			{"note", e.Note},
			{"handoff", handoff},
		}
	})}})
}
