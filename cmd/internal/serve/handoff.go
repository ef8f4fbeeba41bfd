package serve

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"handex/cmd/internal/pages"
)

// maxRaw bounds how much of a file is shown, in bytes.
const maxRaw = 512 << 10

// handoff answers the page of a handoff, in one of its views.
func (s *Server) handoff(tab string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		h, _, err := s.backend.Handoff(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		around, err := s.backend.Around(r.Context(), h)
		if err != nil {
			return err
		}
		p := pages.HandoffPage{
			Frame: s.frame(r, "", ""), Tab: tab, Full: h,
			Versions: around.Versions, Newer: around.Newer, Older: around.Older, Acked: around.Acked, Note: around.Note,
		}
		if tab == "raw" {
			if p.Raw, p.RawLeft, err = s.backend.Raw(r.Context(), h, maxRaw); err != nil {
				return err
			}
		}
		return answerPage(w, func(out io.Writer) error { return pages.WriteHandoff(out, p, s.options()) })
	}
}

// ack acknowledges a handoff and shows it again.
func (s *Server) ack(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return newFault("too-large", "the form could not be read: "+err.Error())
	}
	if !s.guard.meant(r) {
		return newFault("forbidden", "the form is not of this run of handex serve; go back, load the page again, and repeat it")
	}
	h, _, err := s.backend.Handoff(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	note := strings.Join(strings.Fields(r.PostFormValue("note")), " ")
	if err := s.backend.Ack(r.Context(), h.ID, note, r.PostFormValue("undo") != ""); err != nil {
		return err
	}
	back := r.PostFormValue("back")
	if !isReport(back, s.backend.Reports()) {
		back = s.options().Links.Handoff(h.ID)
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// isReport reports whether an address is that of a report's page.
func isReport(address string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return address == reportLink(name, "", "") })
}

// status answers the page that tells what is indexed.
func (s *Server) status(w http.ResponseWriter, r *http.Request) error {
	status, err := s.backend.Status(r.Context())
	if err != nil {
		return err
	}
	p := pages.StatusPage{Frame: s.frame(r, "Status", "status"), Status: status}
	return answerPage(w, func(out io.Writer) error { return pages.WriteStatus(out, p, s.options()) })
}
