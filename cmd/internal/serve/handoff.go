package serve

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// maxRaw is the maximum length of a file's text that is shown, in bytes.
const maxRaw = 512 << 10

// handoff returns the handler for the page of a handoff in one of its views: read, raw,
// history or changes.
func (s *Server) handoff(tab string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx := r.Context()
		h, _, err := s.load(ctx, r.PathValue("id"))
		if err != nil {
			return err
		}
		p := pages.HandoffPage{Frame: s.frame(r, "", ""), Tab: tab, Full: h}
		err = s.live.Do(ctx, func(v *service.View) error {
			if p.Versions, err = v.Versions(ctx, h.ID); err != nil {
				return err
			}
			if p.Newer, p.Older, err = v.Neighbours(ctx, h.ID); err != nil {
				return err
			}
			ack, err := v.AckOf(h.Summary)
			if ack != nil && ack.Digest == h.Digest {
				p.Acked, p.Note = ack.At, ack.Note
			}
			return err
		})
		switch {
		case err != nil:
		case tab == "raw":
			p.Raw, p.RawLeft, err = s.readText(h.Path)
		case tab == "changes":
			err = s.compare(&p, r.URL.Query().Get("from"))
		}
		if err != nil {
			return err
		}
		return respondPage(w, func(out io.Writer) error { return pages.WriteHandoff(out, p, s.options()) })
	}
}

// compare adds to the page the changes since the version with the id from or, without one,
// since the version before the handoff.
func (s *Server) compare(p *pages.HandoffPage, from string) error {
	at := slices.IndexFunc(p.Versions, func(v index.Version) bool { return v.ID == from })
	if at < 0 {
		at = 1 + slices.IndexFunc(p.Versions, func(v index.Version) bool { return v.Path == p.Full.Path })
	}
	if at == 0 || at >= len(p.Versions) {
		return nil
	}
	p.From = &p.Versions[at].Summary
	before, left, err := s.readText(p.From.Path)
	if err != nil {
		return err
	}
	after, more, err := s.readText(p.Full.Path)
	p.RawLeft = left + more
	p.Changes = render.Change(p.Full.Path, []byte(before), []byte(after))
	return err
}

// readText returns the beginning of a file's text with credentials masked, and how many
// bytes follow.
func (s *Server) readText(path string) (text string, left int, err error) {
	raw, left, err := service.ReadFile(path, maxRaw)
	return s.masked(string(raw)), left, err
}

// ack acknowledges a handoff, or withdraws that, and redirects to the page of the handoff, or
// back to a report.
func (s *Server) ack(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return newRequestError(http.StatusRequestEntityTooLarge, "too-large", "the form could not be read: "+err.Error())
	}
	if !s.guard.meant(r) {
		return newRequestError(http.StatusForbidden, "forbidden",
			"the form is from an earlier run of handex serve; go back, reload the page and send it again")
	}
	h, _, err := s.load(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	note := strings.Join(strings.Fields(r.PostFormValue("note")), " ")
	defer s.cache.forget()
	if err := s.live.Ack(r.Context(), h.ID, note, r.PostFormValue("undo") != ""); err != nil {
		return err
	}
	back := r.PostFormValue("back")
	if !slices.ContainsFunc(s.reportNames(), func(name string) bool { return back == reportLink(name, "", "") }) {
		back = s.options().Links.Handoff(h.ID)
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// status responds with the page that shows the status of the index.
func (s *Server) status(w http.ResponseWriter, r *http.Request) error {
	status, err := s.loadStatus(r.Context())
	if err != nil {
		return err
	}
	p := pages.StatusPage{Frame: s.frame(r, "Status", "status"), Status: status}
	return respondPage(w, func(out io.Writer) error { return pages.WriteStatus(out, p, s.options()) })
}
