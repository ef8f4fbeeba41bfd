package serve

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Description is the OpenAPI description of the API.
//
//go:embed openapi.json
var Description string

// queryOf returns the query in the address of a request. One that is too long is an error.
func queryOf(r *http.Request) (string, error) {
	text := r.URL.Query().Get("q")
	if len(text) > maxQuery {
		return "", newRequestError(http.StatusRequestEntityTooLarge, "too-large",
			"a query has at most "+strconv.Itoa(maxQuery)+" bytes")
	}
	return text, nil
}

// numberOf returns the number that a request's address gives for name, 0 if it gives none.
// Anything but a number from 0 to most is an error.
func numberOf(r *http.Request, name string, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, usageError(name + " is " + strconv.Quote(text) + ", which is not a number from 0 to " + strconv.Itoa(most))
	}
	return n, nil
}

// usageError returns an error with status 400 and the code "usage".
func usageError(message string) error {
	return newRequestError(http.StatusBadRequest, "usage", message)
}

const (
	maxLimit  = 1000
	maxOffset = 10_000_000
	maxNote   = 4096 // bytes
)

// apiSearch responds with the result of a query as JSON.
func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) error {
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	q := question{text: text}
	if q.most, err = numberOf(r, "limit", maxLimit); err != nil {
		return err
	}
	if q.offset, err = numberOf(r, "offset", maxOffset); err != nil {
		return err
	}
	found, err := s.find(q)
	if err != nil {
		return err
	}
	return s.respondJSON(w, func(out io.Writer) error { return render.AnswerJSON(out, found) })
}

// apiValues responds with the values of a field and how many handoffs of the query have
// each.
func (s *Server) apiValues(w http.ResponseWriter, r *http.Request) error {
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	field := r.PathValue("field")
	if err := service.CheckField(field); err != nil {
		return requestError{err, http.StatusBadRequest, service.Code(err)}
	}
	ctx, answer := r.Context(), render.Answer{}
	err = s.live.Do(ctx, func(v *service.View) error {
		q, err := v.ParseQuery(strings.TrimSpace(text+" count-by:"+field), nil, query.Parse)
		if err == nil {
			answer, err = v.Search(ctx, q, service.SearchOptions{})
		}
		return err
	})
	if err != nil {
		return err
	}
	service.DropEmpty(&answer)
	return s.respondJSON(w, func(out io.Writer) error { return render.AnswerJSON(out, answer) })
}

// apiShow responds with a handoff as JSON, or with one section of it.
func (s *Server) apiShow(w http.ResponseWriter, r *http.Request) error {
	h, stale, err := s.load(r.Context(), r.PathValue("ref"))
	if err != nil {
		return err
	}
	x := render.Extras{Stale: stale}
	if section := r.URL.Query().Get("section"); section != "" {
		if x.Sections = render.Sections(h, section); len(x.Sections) == 0 {
			return newRequestError(http.StatusNotFound, "not-found", h.ID+" has no section "+strconv.Quote(section))
		}
	}
	return s.respondHandoff(w, h, x)
}

// apiLatest responds with the newest handoff of the project of a folder. Without a folder
// it uses the working folder.
func (s *Server) apiLatest(w http.ResponseWriter, r *http.Request) error {
	var h *index.Handoff
	var stale string
	ctx := r.Context()
	err := s.live.Do(ctx, func(v *service.View) error {
		folder, err := v.Folder(r.URL.Query().Get("dir"))
		if err != nil {
			return err
		}
		found, err := v.LatestIndexed(ctx, folder)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return &index.NotFoundError{Ref: folder}
		}
		h, stale, err = v.LoadFresh(ctx, found[0].ID)
		return err
	})
	if err != nil {
		return err
	}
	return s.respondHandoff(w, h, render.Extras{Stale: stale})
}

// respondHandoff writes a handoff as JSON, with credentials masked.
func (s *Server) respondHandoff(w http.ResponseWriter, h *index.Handoff, x render.Extras) error {
	return s.respondJSON(w, func(out io.Writer) error { return render.HandoffJSON(out, h, x) })
}

// apiStatus responds with the status of the index as JSON.
func (s *Server) apiStatus(w http.ResponseWriter, r *http.Request) error {
	status, err := s.loadStatus(r.Context())
	if err != nil {
		return err
	}
	return s.respondJSON(w, func(out io.Writer) error { return render.StatusJSON(out, status) })
}

// apiReport responds with a report as JSON.
func (s *Server) apiReport(w http.ResponseWriter, r *http.Request) error {
	made, err := s.loadReport(r, 0)
	if err != nil {
		return err
	}
	return s.respondJSON(w, func(out io.Writer) error { return render.EnvelopeJSON(out, made.beside, made.report) })
}

// apiAck acknowledges the handoff that the body names, or withdraws that, and responds with
// the handoff.
func (s *Server) apiAck(w http.ResponseWriter, r *http.Request) error {
	if !s.guard.meant(r) {
		return newRequestError(http.StatusForbidden, "forbidden",
			"with a cookie, the request needs the form token of a page in X-CSRF-Token")
	}
	var what struct {
		ID   string `json:"id"`
		Note string `json:"note"`
		Undo bool   `json:"undo"`
	}
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	err := in.Decode(&what)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return newRequestError(http.StatusRequestEntityTooLarge, "too-large", "the body is too long")
	}
	if err != nil || what.ID == "" {
		return usageError(`the body is not JSON such as {"id":"h_…","note":"…","undo":false}`)
	}
	if len(what.Note) > maxNote || strings.ContainsAny(what.Note, "\r\n") {
		return usageError("a note is one line of at most " + strconv.Itoa(maxNote) + " bytes")
	}
	h, _, err := s.load(r.Context(), what.ID)
	if err != nil {
		return err
	}
	defer s.cache.forget()
	if err := s.live.Ack(r.Context(), h.ID, what.Note, what.Undo); err != nil {
		return err
	}
	h, stale, err := s.load(r.Context(), h.ID)
	if err != nil {
		return err
	}
	return s.respondHandoff(w, h, render.Extras{Stale: stale})
}
