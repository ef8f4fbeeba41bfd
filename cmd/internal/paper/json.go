package paper

import (
	"io"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
)

// JSON writes a report as one object, in the envelope that other answers have.
func JSON(w io.Writer, a render.Answer, r *report.Report) error {
	return render.EnvelopeJSON(w, a, r)
}
