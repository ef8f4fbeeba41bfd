package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"handex/cmd/internal/render"
)

// Description is the OpenAPI description of the API.
//
//go:embed openapi.json
var Description string

const api = "/api/v1"

// endpoints are those of the API, with their patterns below it.
func (s *Server) endpoints() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /search":         s.apiSearch,
		"GET /show/{ref}":     s.apiShow,
		"GET /values/{field}": s.apiValues,
		"GET /latest":         s.apiLatest,
		"GET /status":         s.apiStatus,
		"GET /report/{name}":  s.apiReport,
		"POST /ack":           s.apiAck,
		"GET /openapi.json":   s.apiDescription,
	}
}

// handleAPI adds the API to the routes.
func (s *Server) handleAPI(mux *http.ServeMux) {
	for pattern, handle := range s.endpoints() {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+api+path, s.program(handle))
	}
}

// give answers with the JSON that write writes, without what nobody should see.
func (s *Server) give(w http.ResponseWriter, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	answer(w, http.StatusOK, "application/json", func(to io.Writer) error {
		_, err := to.Write(maskJSON(out.Bytes(), s.mask))
		return err
	})
	return nil
}

// queryOf is the query of a request, within its bounds.
func queryOf(r *http.Request) (string, error) {
	text := r.URL.Query().Get("q")
	if len(text) > maxQuery {
		return "", newFault("too-large", "a query has at most "+strconv.Itoa(maxQuery)+" bytes")
	}
	return text, nil
}

// numberOf is a number of a request's address, or other.
func numberOf(r *http.Request, name string, other, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return other, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, newFault("usage", name+" is "+strconv.Quote(text)+", which is no number from 0 to "+strconv.Itoa(most))
	}
	return n, nil
}

const (
	maxLimit  = 1000
	maxOffset = 10_000_000
	maxNote   = 4096 // bytes
)

func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) error {
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	limit, err := numberOf(r, "limit", 0, maxLimit)
	if err != nil {
		return err
	}
	offset, err := numberOf(r, "offset", 0, maxOffset)
	if err != nil {
		return err
	}
	found, err := s.backend.Search(r.Context(), Question{Text: text, Offset: offset, Most: limit})
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.AnswerJSON(out, found) })
}

func (s *Server) apiValues(w http.ResponseWriter, r *http.Request) error {
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	found, err := s.backend.Values(r.Context(), r.PathValue("field"), text)
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.AnswerJSON(out, found) })
}

func (s *Server) apiShow(w http.ResponseWriter, r *http.Request) error {
	h, stale, err := s.backend.Handoff(r.Context(), r.PathValue("ref"))
	if err != nil {
		return err
	}
	x := render.Extras{Stale: stale}
	if section := r.URL.Query().Get("section"); section != "" {
		if x.Sections = render.Sections(h, section); len(x.Sections) == 0 {
			return newFault("not-found", h.ID+" has no section "+strconv.Quote(section))
		}
	}
	return s.give(w, func(out io.Writer) error { return render.HandoffJSON(out, h, x) })
}

func (s *Server) apiLatest(w http.ResponseWriter, r *http.Request) error {
	h, stale, err := s.backend.Latest(r.Context(), r.URL.Query().Get("dir"))
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.HandoffJSON(out, h, render.Extras{Stale: stale}) })
}

func (s *Server) apiStatus(w http.ResponseWriter, r *http.Request) error {
	status, err := s.backend.Status(r.Context())
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.StatusJSON(out, status) })
}

// apiReport answers the envelope of a report.
func (s *Server) apiReport(w http.ResponseWriter, r *http.Request) error {
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	made, err := s.backend.Report(r.Context(), ReportQuestion{r.PathValue("name"), text, r.URL.Query().Get("week"), true})
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.EnvelopeJSON(out, made.Beside, made.Report) })
}

// apiAck acknowledges the handoff that the body names.
func (s *Server) apiAck(w http.ResponseWriter, r *http.Request) error {
	if !s.guard.meant(r) {
		return newFault("forbidden", "with a cookie it takes the form token of a page, as X-CSRF-Token")
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
		return newFault("too-large", "the body is too long")
	}
	if err != nil || what.ID == "" {
		return newFault("usage", `the body is no JSON as {"id":"h_…","note":"…","undo":false}`)
	}
	if len(what.Note) > maxNote || strings.ContainsAny(what.Note, "\r\n") {
		return newFault("usage", "a note is one line of at most "+strconv.Itoa(maxNote)+" bytes")
	}
	h, _, err := s.backend.Handoff(r.Context(), what.ID)
	if err != nil {
		return err
	}
	if err := s.backend.Ack(r.Context(), h.ID, what.Note, what.Undo); err != nil {
		return err
	}
	h, stale, err := s.backend.Handoff(r.Context(), h.ID)
	if err != nil {
		return err
	}
	return s.give(w, func(out io.Writer) error { return render.HandoffJSON(out, h, render.Extras{Stale: stale}) })
}

func (s *Server) apiDescription(w http.ResponseWriter, _ *http.Request) error {
	answer(w, http.StatusOK, "application/json", func(out io.Writer) error {
		_, err := io.WriteString(out, Description)
		return err
	})
	return nil
}
